"""Torch's own MemTracker counts the same tensors on the simulated GPU, to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runtime.simulated import needs_simulation, simulated

pytestmark = [needs_simulation, pytest.mark.usefixtures("torch_once")]

DIFFUSION = """
import copy
import torch
from torch import nn
from torch.distributed._tools.mem_tracker import MemTracker
from torch.nn import functional as F


class Count(MemTracker):
    peak = 0

    def _register_global_optimizer_hook(self):
        return

    def __enter__(self):
        super().__enter__()
        self._mod_tracker.__exit__(None, None, None)
        return self

    def _update_peak_stats(self, state):
        there = (of["Total"] for device, of in self._curr_mem_snap.items() if device.type == "cuda")
        self.peak = max(self.peak, sum(there))


class Block(nn.Module):
    def __init__(self, taken, given):
        super().__init__()
        self.norm, self.conv = nn.GroupNorm(8, taken), nn.Conv2d(taken, given, 3, padding=1)
        self.time, self.skip = nn.Linear(64, given), nn.Conv2d(taken, given, 1)

    def forward(self, x, t):
        return self.conv(F.silu(self.norm(x))) + self.time(t)[:, :, None, None] + self.skip(x)


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.qkv, self.out = nn.Conv2d(width, 3 * width, 1), nn.Conv2d(width, width, 1)

    def forward(self, x):
        q, k, v = self.qkv(x).flatten(2).chunk(3, 1)
        weights = torch.einsum("bci,bcj->bij", q, k).softmax(-1)
        return x + self.out(torch.einsum("bij,bcj->bci", weights, v).view_as(x))


class UNet(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(64, 64), nn.SiLU(), nn.Linear(64, 64))
        self.one, self.two = Block(8, width), Block(width, 2 * width)
        self.middle, self.last = Attention(2 * width), Block(3 * width, 8)
        self.begin, self.end = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 3, 3, padding=1)

    def forward(self, x, t):
        angles = t[:, None] * torch.arange(32, device=t.device)
        t = self.time(torch.cat([angles.sin(), angles.cos()], -1))
        wide = self.one(self.begin(x), t)
        low = self.middle(self.two(F.avg_pool2d(wide, 2), t))
        return self.end(self.last(torch.cat([F.interpolate(low, scale_factor=2), wide], 1), t))


with Count() as counts:
    net = UNet().to("cuda")
    average = copy.deepcopy(net).requires_grad_(False)
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-4)
    signal = (1 - torch.linspace(1e-4, 0.02, 100, device="cuda")).cumprod(0)
    for _ in range(3):
        clean, noise = torch.rand(4, 3, 32, 32).to("cuda"), torch.randn(4, 3, 32, 32, device="cuda")
        step = torch.randint(0, 100, (4,), device="cuda")
        kept = signal[step][:, None, None, None]
        with torch.autocast("cuda", dtype=torch.bfloat16):
            found = net(kept.sqrt() * clean + (1 - kept).sqrt() * noise, step)
        F.mse_loss(found.float(), noise).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        with torch.no_grad():
            for mean, parameter in zip(average.parameters(), net.parameters()):
                mean.lerp_(parameter, 0.01)
    with torch.no_grad():
        shown = torch.randn(8, 3, 32, 32, device="cuda")
        for number in reversed(range(3)):
            shown = shown - 0.01 * average(shown, torch.full((8,), number, device="cuda"))
raise RuntimeError(str(counts.peak))
"""


def test_a_diffusion_model_with_an_average_of_its_weights(tmp_path: Path) -> None:
    arm = simulated(tmp_path, DIFFUSION)
    assert arm.failure is not None
    assert arm.failure.message.isdecimal(), arm.failure
    assert len(arm.steps) == 3
    assert arm.peak.bytes + arm.cuda["rounding"] == int(arm.failure.message) > 1 << 22
