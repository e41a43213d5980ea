import torch
from torch import nn


def sanity_check(model, device="cuda"):
    """One step only, to see that everything fits."""
    opt = torch.optim.Adam(model.parameters())
    x = torch.randn(4, 3, 64, 64, device=device)
    out = model(x)
    loss = nn.functional.mse_loss(out, torch.zeros_like(out))
    loss.backward()
    opt.step()
    print(torch.cuda.max_memory_allocated() / 2 ** 20)


if __name__ == "__main__":
    sanity_check(nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 3, 3)).cuda())
