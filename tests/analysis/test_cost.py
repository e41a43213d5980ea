"""What a question costs in a long script: steps of Python are counted, not seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any

import pytest

from benchmarks.giants.made import HEAD, TRAINING
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.evaluation import recorded
from memlint.analysis.training.gradients import uncleared
from memlint.analysis.training.retention import loop_accumulations
from memlint.detect.retention.lost_gradients import lost_gradients
from memlint.detect.retention.microbatches import summed


def outputs(count: int) -> str:
    """One loop that keeps many outputs, each under a name of its own, and trains."""
    kept = "".join(f"    y{n} = model(x) * {n}\n    losses.append(y{n})\n" for n in range(count))
    return f"{HEAD}for x in loader:\n{kept}{TRAINING.partition(chr(10))[2]}"


def loops(count: int) -> str:
    """Many loops that train, one after the other."""
    return HEAD + TRAINING * count


def chained(count: int) -> str:
    """Values that are computed from one another in a loop, each of them kept."""
    kept = "".join("    x = model(x) + x\n    losses.append(x)\n" for _ in range(count))
    return f"{HEAD}for x in loader:\n{kept}"


def steps(ask: Callable[[ScriptModel], Iterable[object]], text: str) -> int:
    """The lines of Python that an answer takes, once the run is over."""
    model = ScriptModel.parse(text)
    assert model.trace.forwards
    taken = 0

    def count(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal taken
        taken += 1
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        list(ask(model))
    finally:
        sys.settrace(before)
    return taken


@pytest.mark.parametrize(
    ("ask", "make"),
    [
        (recorded, outputs),
        (loop_accumulations, outputs),
        (summed, outputs),
        (recorded, chained),
        (uncleared, loops),
        (lost_gradients, loops),
    ],
    ids=lambda value: value.__name__,
)
def test_four_times_the_script_takes_about_four_times_the_steps(
    ask: Callable[[ScriptModel], Iterable[object]], make: Callable[[int], str]
) -> None:
    steps(ask, make(4))  # what is made once for all scripts
    few = steps(ask, make(15))
    assert steps(ask, make(60)) < 4.5 * few
