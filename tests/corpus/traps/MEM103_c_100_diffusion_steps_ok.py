import torch


@torch.no_grad()
def sample(unet, timesteps, shape, device):
    x = torch.randn(shape, device=device)
    trajectory = [x]
    for t in reversed(range(timesteps)):
        eps = unet(x, torch.full((shape[0],), t, device=device))
        x = x - 0.01 * eps
        trajectory.append(x)
    return torch.stack(trajectory, 1)
