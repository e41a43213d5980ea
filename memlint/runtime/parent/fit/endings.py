"""How a run for `memlint fit` has ended: whether its need is known, and why not."""

from __future__ import annotations

from memlint.runtime.parent.arms import Outcome
from memlint.runtime.parent.fit.change import Change
from memlint.session import ENDED, Arm

LEAST_STEPS = 2
"""Optimizer steps from which the need of a run is known: in the second, the first one's state is there."""


def is_known(arm: Arm) -> bool:
    """Whether a run went far enough for its need to be that of the script."""
    if arm.failure is not None or arm.was_cut or arm.cut_short or "reserved_peak" not in arm.cuda:
        return False
    return arm.trained or arm.stopped == ENDED


def went_as_far(arm: Arm, original: Arm, change: Change) -> bool:
    """Whether a run with a change has made the steps of the original, or enough of them.

    These are fewer where batches are smaller, and where further steps would do the same to memory; then
    those of the original may be fewer, too.
    """
    if change.parts > 1 or _repeats(arm):
        return len(arm.steps) >= min(len(original.steps), LEAST_STEPS)
    if _repeats(original):
        return len(arm.steps) >= len(original.steps)
    return len(arm.steps) == len(original.steps)


def _repeats(arm: Arm) -> bool:
    return arm.simulation is not None and arm.simulation.repeats


def why_not(outcome: Outcome) -> str:
    """Why the need of a run with a change is not known."""
    arm = outcome.arm
    if arm is None:
        return outcome.problem
    if arm.failure is None:
        return arm.stopped
    said = arm.failure.said
    return f"{arm.failure.in_short}: {said}" if said else arm.failure.in_short
