"""What piles up from step to step: how far a script gets with it, and what it needs in the end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from memlint.session import Arm, Growing, Growth, Leak, OnCard
from memlint.session.fit import BREAKS, FITS, MAY_NOT, UNKNOWN

LONG = 1_000_000
"""Steps that no training is taken to make: what fills a card later than that does not matter."""


def growing(arm: Arm, leaks: Iterable[Leak]) -> Growing | None:
    """What a run leaves behind on the GPU without an end; None for nothing.

    What is alive once, and larger each time, may be a batch that is: it is left out.
    """
    rows = _lasting(row for leak in leaks if not leak.bound for row in leak.rows)
    each = sum(row.block_bytes_per_step for row in rows)
    if each <= 0:
        return None
    most = max(rows, key=lambda row: row.block_bytes_per_step)
    ran, of = len(arm.steps), arm.planned
    return Growing(most.file, most.line, each, ran, of, max(0, of - ran) * each)


def with_change(before: Growing | None, original: Arm, arm: Arm, parts: int = 1) -> Growing | None:
    """The same for a run with a change; what holds things is not known of it: what was bounded stays so.

    With batches in `parts`, a step leaves behind what so many of the script's own steps do.
    """
    bounded = _each(original) - (before.each if before is not None else 0)
    each = _each(arm) // parts - bounded
    if before is None or each <= 0:
        return None
    return replace(before, each=each, more=max(0, before.of - before.ran) * each)


def at_the_last_step(found: OnCard, what: Growing) -> OnCard:
    """The verdict on a card after all steps, or after as many as a training may make."""
    if found.verdict == UNKNOWN:
        return found
    there = replace(
        found, needs=found.needs + what.more, least=found.least + what.more, most=found.most + what.more,
        grows=what.each,
    )  # fmt: skip
    if found.verdict == BREAKS:
        return there
    lasts = what.full_after(there) >= (what.of or LONG)
    return replace(there, enough=0, verdict=FITS if lasts and found.verdict == FITS else MAY_NOT)


def _each(arm: Arm) -> int:
    return sum(row.block_bytes_per_step for row in _lasting(arm.growth))


def _lasting(rows: Iterable[Growth]) -> list[Growth]:
    return [row for row in rows if row.device.startswith("cuda") and not row.within and not row.replaced]
