import torch
from torch import nn, optim


class FieldNet(nn.Module):
    def __init__(self, d=3, h=128):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, 4))

    def forward(self, x):
        return self.f(x)


def render(coarse, fine, rays):
    w = coarse(rays)[..., 3:].sigmoid()
    return (fine(rays)[..., :3].sigmoid() * w).mean(1)


def create(device):
    coarse = FieldNet().to(device)
    fine = FieldNet().to(device)
    opt = optim.Adam(list(coarse.parameters()) + list(fine.parameters()), lr=5e-4)
    return coarse, fine, opt


def train(rays, rgb, iters=200000, batch=1024, device="cuda"):
    coarse, fine, opt = create(device)
    rays, rgb = rays.to(device), rgb.to(device)
    decay = 0.1 ** (1 / 250000)
    for i in range(iters):
        pick = torch.randint(len(rays), (batch,), device=device)
        loss = (render(coarse, fine, rays[pick]) - rgb[pick]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        for g in opt.param_groups:
            g["lr"] *= decay
        if i % 1000 == 0:
            print(i, "psnr", -10 * torch.log10(loss).item())
    return coarse, fine
