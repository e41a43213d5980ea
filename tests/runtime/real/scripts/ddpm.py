"""Denoising diffusion: noise prediction, an exponential average of the weights, sampling after each epoch."""

import argparse
import copy
import math
import os

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, count, size):
        self.pictures = torch.rand(count, 1, size, size) * 2 - 1

    def __len__(self):
        return len(self.pictures)

    def __getitem__(self, index):
        return self.pictures[index]


def timestep_embedding(t, dim):
    half = dim // 2
    freqs = torch.exp(-math.log(10000) * torch.arange(half, device=t.device) / half)
    args = t[:, None].float() * freqs[None]
    return torch.cat([torch.cos(args), torch.sin(args)], dim=-1)


class ResBlock(nn.Module):
    def __init__(self, cin, cout, emb):
        super().__init__()
        self.norm1 = nn.GroupNorm(4, cin)
        self.conv1 = nn.Conv2d(cin, cout, 3, padding=1)
        self.emb = nn.Linear(emb, cout)
        self.norm2 = nn.GroupNorm(4, cout)
        self.conv2 = nn.Conv2d(cout, cout, 3, padding=1)
        self.skip = nn.Conv2d(cin, cout, 1) if cin != cout else nn.Identity()

    def forward(self, x, emb):
        h = self.conv1(F.silu(self.norm1(x)))
        h = h + self.emb(F.silu(emb))[:, :, None, None]
        return self.skip(x) + self.conv2(F.silu(self.norm2(h)))


class UNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        emb = 4 * width
        self.time = nn.Sequential(nn.Linear(width, emb), nn.SiLU(), nn.Linear(emb, emb))
        self.stem = nn.Conv2d(1, width, 3, padding=1)
        self.down = ResBlock(width, width, emb)
        self.mid = ResBlock(width, 2 * width, emb)
        self.up = ResBlock(3 * width, width, emb)
        self.out = nn.Conv2d(width, 1, 3, padding=1)

    def forward(self, x, t):
        emb = self.time(timestep_embedding(t, self.width))
        a = self.down(self.stem(x), emb)
        b = self.mid(F.avg_pool2d(a, 2), emb)
        b = F.interpolate(b, scale_factor=2, mode="nearest")
        return self.out(self.up(torch.cat([a, b], dim=1), emb))


class GaussianDiffusion:
    def __init__(self, steps, device):
        self.steps = steps
        self.device = device
        self.betas = torch.linspace(1e-4, 0.02, steps, device=device)
        self.alphas = 1.0 - self.betas
        self.alphas_bar = torch.cumprod(self.alphas, dim=0)

    def q_sample(self, x0, t, noise):
        a = self.alphas_bar[t][:, None, None, None]
        return a.sqrt() * x0 + (1 - a).sqrt() * noise

    def training_losses(self, model, x0):
        t = torch.randint(0, self.steps, (x0.shape[0],), device=self.device)
        noise = torch.randn_like(x0)
        return F.mse_loss(model(self.q_sample(x0, t, noise), t), noise)

    @torch.no_grad()
    def sample(self, model, shape):
        x = torch.randn(shape, device=self.device)
        for i in reversed(range(self.steps)):
            t = torch.full((shape[0],), i, device=self.device, dtype=torch.long)
            eps = model(x, t)
            mean = (x - self.betas[i] / (1 - self.alphas_bar[i]).sqrt() * eps) / self.alphas[i].sqrt()
            x = mean + self.betas[i].sqrt() * torch.randn_like(x) if i > 0 else mean
        return x.clamp(-1, 1)


@torch.no_grad()
def update_ema(target, source, rate):
    for tgt, src in zip(target.parameters(), source.parameters()):
        tgt.mul_(rate).add_(src, alpha=1 - rate)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--size", type=int, default=16)
    parser.add_argument("--width", type=int, default=16)
    parser.add_argument("--timesteps", type=int, default=60)
    parser.add_argument("--lr", type=float, default=2e-4)
    parser.add_argument("--ema", type=float, default=0.995)
    parser.add_argument("--results", default="results")
    args = parser.parse_args()
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    os.makedirs(args.results, exist_ok=True)

    loader = DataLoader(Pictures(480, args.size), batch_size=args.batch_size, shuffle=True, drop_last=True)
    model = UNet(args.width).to(device)
    ema_model = copy.deepcopy(model).eval().requires_grad_(False)
    diffusion = GaussianDiffusion(args.timesteps, device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        model.train()
        running = 0.0
        for step, images in enumerate(loader):
            images = images.to(device)
            loss = diffusion.training_losses(model, images)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            update_ema(ema_model, model, args.ema)
            running += loss.item()
        print(f"epoch {epoch}: mse {running / len(loader):.4f}")
        samples = diffusion.sample(ema_model, (8, 1, args.size, args.size))
        torch.save(samples.cpu(), os.path.join(args.results, f"{epoch}.pt"))
        torch.save(
            {"model": model.state_dict(), "ema": ema_model.state_dict(), "optimizer": optimizer.state_dict()},
            os.path.join(args.results, "ckpt.pt"),
        )


if __name__ == "__main__":
    main()
