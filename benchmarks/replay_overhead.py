"""`python -m benchmarks.replay_overhead`: what the CPU tracker costs on a training step.

Plain and watched steps alternate in one process, on one thread, so that what else the machine does falls
on both; the figures are processor time, the factor is the median over the pairs. torch's MemTracker and
profiler stand beside it.

The C library keeps the memory it is given back: otherwise a step of the small net makes anything between
none and 10,000 page faults, by where its tensors happen to lie, and a thousand cost more than the tracker.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import torch
from torch import nn

from memlint.runtime.child.log import Log
from memlint.runtime.child.tracking.hooks import Hooks
from memlint.runtime.child.tracking.sites import Sites
from memlint.runtime.child.tracking.tracker import Tracker

MODES = ("tracker", "profiler", "MemTracker")
LIMIT = 1.10
WARM = 2


class Block(nn.Module):
    """One pre-norm transformer block."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Attention, then the feed-forward part, each with its residual."""
        batch, length, width = x.shape
        parts = self.qkv(self.first(x)).view(batch, length, 3, self.heads, width // self.heads)
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        mixed = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, length, width))
        return x + self.narrow(nn.functional.gelu(self.wide(self.second(x))))


def transformer() -> tuple[nn.Module, Callable[[], torch.Tensor]]:
    """A language model of about 30 million parameters, batch 2 of 128 tokens."""
    vocabulary, width = 12_000, 512
    net = nn.Sequential(
        nn.Embedding(vocabulary, width), *(Block(width, 8) for _ in range(6)), nn.Linear(width, vocabulary)
    )
    tokens = torch.randint(0, vocabulary, (2, 129))
    return net, lambda: nn.functional.cross_entropy(net(tokens[:, :-1]).transpose(1, 2), tokens[:, 1:])


def cnn() -> tuple[nn.Module, Callable[[], torch.Tensor]]:
    """A small convolutional net, batch 64 of 32 by 32 pixels."""
    net = nn.Sequential(
        nn.Conv2d(3, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(32, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(64 * 64, 10),
    )  # fmt: skip
    x, y = torch.randn(64, 3, 32, 32), torch.randint(0, 10, (64,))
    return net, lambda: nn.functional.cross_entropy(net(x), y)


NETS = {"transformer": (transformer, 9), "cnn": (cnn, 80)}
KEEP = dict.fromkeys(("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_"), str(1 << 31))
"""Settings of glibc under which freed memory stays with the process."""

Figures = tuple[float, float, float]
"""Median processor seconds of a step, plain and watched, and the factor between them."""


def watcher(mode: str) -> Callable[[], AbstractContextManager[Any]]:
    """Gives the context in which the watched steps are run; one of its own for each."""
    if mode == "profiler":
        activity = torch.profiler.ProfilerActivity.CPU
        return lambda: torch.profiler.profile(activities=[activity], profile_memory=True)
    if mode == "MemTracker":
        from torch.distributed._tools.mem_tracker import MemTracker

        return MemTracker
    log = Log()
    sites = Sites(log, lambda name: name == __file__)
    tracker = Tracker(log, sites)
    hooks = Hooks(log, sites, None, None)
    hooks.install()

    @contextmanager
    def tracked() -> Iterator[None]:
        hooks.tracker = tracker
        with tracker:
            yield
        hooks.tracker = None

    return tracked


def measure(name: str, mode: str) -> Figures:
    """Plain and watched steps in turns, in this process."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    make, steps = NETS[name]
    net, loss_of = make()
    optimizer = torch.optim.Adam(net.parameters())

    def step() -> float:
        began = time.process_time()
        loss = loss_of()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return time.process_time() - began

    watch = watcher(mode)
    plain, watched = [], []
    for _ in range(WARM + steps):
        plain.append(step())
        with watch():
            watched.append(step())
    pairs = list(zip(plain, watched, strict=True))[WARM:]
    factor = statistics.median(after / before for before, after in pairs)
    return statistics.median(plain[WARM:]), statistics.median(watched[WARM:]), factor


def main() -> int:
    """Print the table; 1 when the tracker costs more than LIMIT."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", nargs=2, metavar=("NET", "MODE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(*options.one)))
        return 0
    print(f"torch {torch.__version__}, one thread, median processor time of a step")
    worst = 0.0
    for name in NETS:
        for mode in MODES:
            plain, watched, ratio = _apart(name, mode)
            print(f"{name:<12} {mode:<11} {1000 * plain:8.1f} -> {1000 * watched:8.1f} ms  {ratio:5.2f}x")
            worst = max(worst, ratio if mode == "tracker" else 0.0)
    return int(worst > LIMIT)


def _apart(name: str, mode: str) -> Figures:
    command = [sys.executable, "-m", "benchmarks.replay_overhead", "--one", name, mode]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, **KEEP})
    plain, watched, ratio = json.loads(done.stdout.splitlines()[-1])
    return plain, watched, ratio


if __name__ == "__main__":
    sys.exit(main())
