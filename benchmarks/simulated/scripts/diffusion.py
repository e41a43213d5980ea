"""A small denoising network with attention and group norms, bfloat16 autocast, a moving average of its weights."""

import copy
import math

import torch
import torch.nn.functional as F
from torch import nn

BATCH, SIDE, WIDTH, TIMES = 16, 64, 128, 1000


class Residual(nn.Module):
    def __init__(self, before, after):
        super().__init__()
        self.norm_a, self.norm_b = nn.GroupNorm(32, before), nn.GroupNorm(32, after)
        self.first = nn.Conv2d(before, after, 3, padding=1)
        self.second = nn.Conv2d(after, after, 3, padding=1)
        self.time = nn.Linear(4 * WIDTH, after)
        self.skip = nn.Conv2d(before, after, 1) if before != after else nn.Identity()

    def forward(self, x, time):
        y = self.first(F.silu(self.norm_a(x))) + self.time(F.silu(time))[:, :, None, None]
        return self.skip(x) + self.second(F.dropout(F.silu(self.norm_b(y)), 0.1, self.training))


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.GroupNorm(32, width)
        self.parts, self.merge = nn.Conv2d(width, 3 * width, 1), nn.Conv2d(width, width, 1)

    def forward(self, x):
        q, k, v = (
            part.flatten(2).transpose(1, 2).unsqueeze(1) for part in self.parts(self.norm(x)).chunk(3, 1)
        )
        y = F.scaled_dot_product_attention(q, k, v).squeeze(1).transpose(1, 2)
        return x + self.merge(y.reshape(x.shape))


class Denoiser(nn.Module):
    def __init__(self, factors=(1, 2, 2)):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.SiLU(), nn.Linear(4 * WIDTH, 4 * WIDTH))
        self.stem = nn.Conv2d(3, WIDTH, 3, padding=1)
        self.down, self.up, kept, width = nn.ModuleList(), nn.ModuleList(), [], WIDTH
        for factor in factors:
            self.down.append(Residual(width, factor * WIDTH))
            width = factor * WIDTH
            kept.append(width)
        self.middle = nn.ModuleList([Residual(width, width), Residual(width, width)])
        self.attention = Attention(width)
        for factor in reversed(factors):
            self.up.append(Residual(width + kept.pop(), factor * WIDTH))
            width = factor * WIDTH
        self.norm, self.head = nn.GroupNorm(32, width), nn.Conv2d(width, 3, 3, padding=1)

    def forward(self, x, t):
        steps = torch.exp(-math.log(10000) * torch.arange(WIDTH // 2, device=x.device) / (WIDTH // 2))
        angles = t[:, None].float() * steps
        time = self.time(torch.cat([angles.sin(), angles.cos()], 1))
        x, seen = self.stem(x), []
        for block in self.down:
            x = block(x, time)
            seen.append(x)
            x = F.avg_pool2d(x, 2)
        x = self.middle[1](self.attention(self.middle[0](x, time)), time)
        for block in self.up:
            x = F.interpolate(x, scale_factor=2.0, mode="nearest")
            x = block(torch.cat([x, seen.pop()], 1), time)
        return self.head(F.silu(self.norm(x)))


torch.manual_seed(0)
net = Denoiser().cuda()
average = copy.deepcopy(net).eval().requires_grad_(False)
noisy = torch.linspace(1e-4, 0.02, TIMES, device="cuda")
kept = torch.cumprod(1 - noisy, 0)
optimizer = torch.optim.AdamW(net.parameters(), lr=2e-4)
for _ in range(4):
    images = torch.rand(BATCH, 3, SIDE, SIDE).cuda()
    t = torch.randint(0, TIMES, (BATCH,), device="cuda")
    noise = torch.randn_like(images)
    share = kept[t][:, None, None, None]
    mixed = share.sqrt() * images + (1 - share).sqrt() * noise
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = F.mse_loss(net(mixed, t), noise)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    with torch.no_grad():
        for old, new in zip(average.parameters(), net.parameters(), strict=True):
            old.lerp_(new, 1e-3)
    print(loss.item())
with torch.no_grad():
    sample = torch.randn(BATCH, 3, SIDE, SIDE, device="cuda")
    for step in reversed(range(0, TIMES, 200)):
        sample = sample - 0.1 * average(sample, torch.full((BATCH,), step, device="cuda"))
print(sample.mean().item())
