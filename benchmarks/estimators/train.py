"""Three steps of Adam for one of the models, on a GPU: `train.py NAME`; `--count FILE`: under MemTracker."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import Any

import torch
from torch.distributed._tools.mem_tracker import MemTracker
from torch.nn import functional

sys.path.insert(0, str(Path(__file__).parents[2]))
from benchmarks.estimators.models import CASES


class Count(MemTracker):
    """MemTracker as a counter of a GPU's bytes; its hooks on modules would end at the second step."""

    peak = 0

    def _register_global_optimizer_hook(self) -> None:
        return

    def __enter__(self) -> Count:
        super().__enter__()
        self._mod_tracker.__exit__(None, None, None)
        return self

    def _update_peak_stats(self, peak_state: Any) -> None:
        there = (of["Total"] for device, of in self._curr_mem_snap.items() if device.type == "cuda")
        self.peak = max(self.peak, sum(there))


def train(name: str) -> None:
    """Make the model and train it."""
    case = CASES[name]
    torch.manual_seed(0)
    model = case.make().to("cuda")
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(3):
        inputs, wanted = case.data("cuda")
        loss = functional.cross_entropy(model(inputs), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    counts = Count() if "--count" in sys.argv else None
    with counts or contextlib.nullcontext():
        train(sys.argv[1])
    if counts is not None:
        Path(sys.argv[3]).write_text(str(counts.peak), encoding="ascii")
