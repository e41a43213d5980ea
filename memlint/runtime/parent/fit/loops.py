"""A loop that was cut short and keeps something of each iteration: how far the rest of it would go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from memlint.session import Arm, Cut, Exhausted, OnCard
from memlint.session.fit import BREAKS, FITS, MAY_NOT, Loop

OUTSIDE_STEPS = ("evaluation", "other")
"""Phases in which loops lie that train nothing."""

LEAST_SHARE = 0.01
"""Of the reserved peak: a loop that adds less in twice as many iterations is taken to keep nothing."""


def suspect(arm: Arm, *, anywhere: bool = False) -> Cut | None:
    """A loop without steps of which only a part ran, where the peak lies or something was gathered.

    With `anywhere` also where neither is so.
    """
    gathers = any(row.within and row.device != "cpu" for row in (*arm.gathered, *arm.growth))
    if arm.peak.phase not in OUTSIDE_STEPS and not gathers and not anywhere:
        return None
    cuts = [cut for cut in arm.cuts if not cut.trains and cut.of > cut.ran]
    return max(cuts, key=lambda cut: cut.of - cut.ran, default=None)


def kept(cut: Cut, arm: Arm, longer: Arm) -> Loop | None:
    """What the loop keeps of each iteration, by a run in which more of them took place; None for nothing.

    Both runs give a straight line; the last iteration is on it.
    """
    other = next((row for row in longer.cuts if (row.file, row.line) == (cut.file, cut.line)), None)
    ran = other.ran if other is not None else cut.of
    before, after = arm.cuda["reserved_peak"], longer.cuda["reserved_peak"]
    if ran <= cut.ran or after - before <= LEAST_SHARE * before:
        return None
    each = (after - before) // (ran - cut.ran)
    return Loop(cut.file, cut.line, cut.ran, ran, cut.of, each, each * (cut.of - cut.ran))


def at_its_end(found: OnCard, loop: Loop, step: int) -> OnCard:
    """The verdict for a card when the loop has run to its end."""
    least, most = found.least + loop.more, found.most + loop.more
    if found.verdict == BREAKS:
        return replace(found, needs=found.needs + loop.more, least=least, most=most, enough=0)
    verdict = FITS if most <= found.total else MAY_NOT if least <= found.total else BREAKS
    there = Exhausted(loop.file, loop.line, step, 1, 0, {}, (), phase="evaluation")
    return replace(
        found, verdict=verdict, needs=found.needs + loop.more, least=least, most=most, enough=0,
        asked=0, exhausted=there if verdict != FITS else None,
    )  # fmt: skip


def look(arm: Arm, again: Callable[[], Arm | None], *, anywhere: bool = False) -> Loop | None:
    """Whether a loop that was cut short keeps something; `again` simulates more of it."""
    cut = suspect(arm, anywhere=anywhere)
    longer = again() if cut is not None else None
    return kept(cut, arm, longer) if cut is not None and longer is not None else None
