"""A leaking script, and ways to run the command line over it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import memlint

LEAK = """\
import torch

model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = 0.0
for step in range(100):
    loss = model(torch.randn(8, 4)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total += loss
print(float(total))
"""
FIXED = LEAK.replace("total += loss", "total += loss.detach()")
CLEAN = LEAK.replace("total += loss", "total += loss.item()")
ONLY = ("--select", "MEM101")

Run = Callable[..., SimpleNamespace]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(memlint.__file__).parent.parent)}
MEMLINT = [sys.executable, "-m", "memlint"]


def interruptible() -> None:
    """For `preexec_fn`: a shell's background job, which tests may be, ignores SIGINT and passes that on."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def process(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own."""
    return subprocess.run([*MEMLINT, *arguments], cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True)
