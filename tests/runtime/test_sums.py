"""Loops that sum gradients: a simulation leaves out what would do the same again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runtime.simulated import needs_simulation, simulated
from tests.runtime.support import needs_torch

pytestmark = [needs_torch, pytest.mark.usefixtures("torch_once")]


SUMS = """
import torch, torch.nn as nn
net = nn.Linear(64, 64).cuda()
opt = torch.optim.Adam(net.parameters())
runs = []
for step in range(3):
    seen = []
    for part in range(20):
        x = torch.randn(ROWS, 64, device="cuda")
        (net(x).pow(2).mean() / 20).backward()
        seen.append(part)
    opt.step()
    opt.zero_grad()
    runs.append(seen)
whole = list(range(20))
assert runs == RUNS, runs
"""


@needs_simulation
@pytest.mark.parametrize(
    ("rows", "later"),
    [("32", "[0, 1, 2, 19]"), ("part + 1", "whole")],
    ids=["the same each time", "more each time"],
)
def test_a_simulation_leaves_out_what_sums_gradients_in_the_same_memory(
    tmp_path: Path, rows: str, later: str
) -> None:
    """The first opening runs whole, and the last item of a later one always does: it may be special."""
    arm = simulated(tmp_path, SUMS.replace("ROWS", rows).replace("RUNS", f"[whole, {later}, {later}]"))
    assert arm.failure is None
    assert len(arm.steps) == 3
    assert [(cut.ran, cut.of, cut.times) for cut in arm.cuts] == ([(4, 20, 2)] if rows == "32" else [])


@needs_simulation
def test_no_loop_that_makes_its_steps_itself_is_taken_for_one_that_sums_gradients(tmp_path: Path) -> None:
    text = SUMS.replace("ROWS", "32").replace("    opt.step()\n", "").replace(
        "        seen", "        if part % 10 == 9:\n            opt.step()\n        seen"
    )  # fmt: skip
    arm = simulated(tmp_path, text.replace("RUNS", "[whole] * 3"))
    assert arm.failure is None
    assert len(arm.steps) == 6
