"""What piles up from step to step: how far a script gets with it, and what it needs in the end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from memlint.session import Arm, Growing, Growth, Holder, Leak, OnCard
from memlint.session.fit import BREAKS, FITS, MAY_NOT, UNKNOWN

LONG = 1_000_000
"""Steps that no training is taken to make: what fills a card later than that does not matter."""


def growing(arm: Arm, leaks: Iterable[Leak]) -> Growing | None:
    """What a run leaves behind on the GPU; None for nothing.

    What is alive once, and larger each time, may be a batch that is: it is left out. So is a container that
    is full; one that is not takes what its other entries will.
    """
    ran, of = len(arm.steps), arm.planned
    left = max(0, of - ran)
    endless: list[Growth] = []
    filling: list[tuple[Growth, int]] = []
    until = ""
    for leak in leaks:
        rows = _lasting(leak.rows)
        if not leak.bound:
            endless += rows
            continue
        holder = max(leak.holders, key=lambda holder: holder.bytes)
        if holder.most and holder.entries >= holder.most:
            continue
        until = until or leak.bound
        filling += (
            (row, min(_until_full(row, holder), (left if of else LONG) * _each_of(row))) for row in rows
        )
    rows = [*endless, *(row for row, _ in filling)]
    each = sum(map(_each_of, rows))
    if each <= 0:
        return None
    most = max(rows, key=_each_of)
    more = left * sum(map(_each_of, endless)) + sum(more for _, more in filling)
    return Growing(most.file, most.line, each, ran, of, more, "" if endless else until)


def _until_full(row: Growth, holder: Holder) -> int:
    """What a line will have left in a container when that is full, by what its entries have now."""
    if not holder.most or not holder.entries:
        return 0
    return row.alive * (holder.most - holder.entries) // holder.entries


def with_change(before: Growing | None, original: Arm, arm: Arm, parts: int = 1) -> Growing | None:
    """The same for a run with a change; what holds things is not known of it: what was bounded stays so.

    With batches in `parts`, a step leaves behind what so many of the script's own steps do.
    """
    if before is not None and before.until:
        each = _each(arm) // parts
        return replace(before, each=each, more=before.more * each // before.each) if each > 0 else None
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
    ends = there.most <= there.total if what.until else what.full_after(there) >= (what.of or LONG)
    return replace(there, enough=0, verdict=FITS if ends and found.verdict == FITS else MAY_NOT)


def _each(arm: Arm) -> int:
    return sum(map(_each_of, _lasting(arm.growth)))


def _each_of(row: Growth) -> int:
    return row.block_bytes_per_step


def _lasting(rows: Iterable[Growth]) -> list[Growth]:
    return [row for row in rows if row.device.startswith("cuda") and not row.within and not row.replaced]
