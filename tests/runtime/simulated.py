"""What the tests of simulated replays share."""

from __future__ import annotations

import platform
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from memlint.session import Arm
from tests.runtime.support import measure, memlint, script

MIB = 1 << 20
WORKSPACES = 2 * 32 * MIB


def can_start() -> bool:
    """Whether this machine can simulate at all: any torch on Linux on x86-64."""
    try:
        import torch  # noqa: F401
    except ImportError:
        return False
    return sys.platform == "linux" and platform.machine() == "x86_64"


needs_simulation = pytest.mark.skipif(not can_start(), reason="needs torch on Linux on x86-64")

MLP = """
import torch, torch.nn as nn
device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Sequential(nn.Linear(256, 512, bias=False), nn.ReLU(), nn.Linear(512, 10, bias=False)).to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.1, foreach=True)
x = torch.randn(64, 256, device=device)
for _ in range(5):
    opt.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    opt.step()
"""


def simulated(folder: Path, text: str, **changes: object) -> Arm:
    arm = measure(script(folder / "home", text), folder / "w", device="simulate", **changes)
    assert arm.simulation is not None
    assert arm.probe == "simulate"
    return arm


def run(folder: Path, *arguments: str) -> SimpleNamespace:
    return memlint(folder, "replay", "--isolated", *arguments)
