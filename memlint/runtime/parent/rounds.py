"""Times a script and its fixed version in turns, until the difference is clear or the patience is over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from memlint.runtime.parent.arms import Request
from memlint.runtime.parent.verdicts.evidence import WARM_STEPS
from memlint.session import Arm

LEAST, MOST = 2, 5
"""Rounds that are run in any case, and those that a noisy machine is given."""

Round = tuple[Arm, Arm | None]
"""The script as it is and as it is fixed, timed one right after the other."""


def in_turns(
    run: Callable[[Request], Arm | None],
    plain: Request,
    edited: Request,
    steps: int,
    is_clear: Callable[[tuple[Round, ...]], bool],
) -> tuple[Round, ...]:
    """The rounds, of which every second begins with the edited script; () where a run failed.

    Only the first `steps` of each run are kept: later passes over a loader are cut after one batch.
    """
    rounds: tuple[Round, ...] = ()
    while len(rounds) < LEAST or (len(rounds) < MOST and not is_clear(rounds)):
        turn = len(rounds) + 1
        order = (plain, edited) if turn % 2 else (edited, plain)
        arms = {request.name: run(replace(request, name=f"{request.name}-{turn}")) for request in order}
        before, after = arms[plain.name], arms[edited.name]
        if before is None or after is None:
            return ()
        rounds = (*rounds, (_first(before, steps), _first(after, steps)))
    return rounds


def joined(runs: Sequence[Arm], name: str) -> Arm:
    """Several timed runs of one script as one arm, the warm-up of all but the first left out."""
    rest = [step for arm in runs[1:] for step in arm.steps[WARM_STEPS:]]
    starts = tuple(seconds for arm in runs for seconds in arm.starts)
    return replace(runs[0], steps=(*runs[0].steps, *rest), starts=starts, name=name)


def _first(arm: Arm, steps: int) -> Arm:
    return replace(arm, steps=arm.steps[:steps])
