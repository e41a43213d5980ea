"""Verdicts on growth without a fixed script to compare with: do the lines or names of a finding hold it?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from memlint.runtime.parent.verdicts.evidence import Evidence, answer
from memlint.runtime.parent.verdicts.mentions import Mentions
from memlint.runtime.parent.verdicts.thresholds import Thresholds
from memlint.session import ARRAYS, STEP, Arm, Growth, Holder, Leak, Pile, Verdict, growth_by_unit, holding
from memlint.units import plural, size

_KEYS = re.compile(r"\[[^\]]*\]")
"""Keys and positions in the name of a holder: a finding speaks of variables and attributes."""

_LAST = re.compile(r"\[[^\]]*\]$")


def by_attribution(evidence: Evidence, missing: Verdict, limits: Thresholds) -> Verdict:
    """The verdict on a growth from the lines that made it, or the names that hold it.

    `missing` says why there is no fixed script to compare with.
    """
    leaks = [leak for leak in evidence.leaks if leak.rows]
    mine = [leak for leak in leaks if is_about(leak, evidence.lines, evidence.mentions)]
    if mine:
        return of_leaks(evidence, mine, missing)
    arm = evidence.original
    rows = _fullest([row for row in arm.growth if _is_meant(row, evidence)])
    for unit, (total, blocks) in growth_by_unit(rows).items():
        if total < limits.growth_per_step and (pile := pile_of(evidence)) is not None:
            reason = f"{left_behind(rows, unit, total)}, and {piled_up(arm, pile)}; this is by attribution"
            return answer(evidence, "host_only", f"{reason}: {missing.reason}", per_step=None)
        if blocks >= limits.growth_per_step:
            made = left_behind([row for row in rows if row.series.startswith(unit)], unit, total)
            reason = f"{made}{_held(evidence, rows)}; this is by attribution: {missing.reason}"
            return answer(evidence, "confirmed", reason, per_step=total)
    unit, (total, _) = next(iter(growth_by_unit(arm.growth).items()))
    said = left_behind(arm.growth, unit, total)
    holders = [holder for row in arm.growth for holder in holding(row, arm.holders) if holder.name]
    if not holders:
        return answer(evidence, missing.status, f"{said}; {missing.reason}", per_step=total)
    said = f"{said}{_held(evidence, arm.growth)}"
    # A module may hold what the line fills.
    if evidence.mentions.fills and not any(holder.what.endswith(" object") for holder in holders):
        reason = f"{said}, which is not what this line fills"
        return answer(evidence, "refuted", reason, per_step=0)
    return answer(evidence, missing.status, f"{said}, which this finding is not about; {missing.reason}")


def values_kept(evidence: Evidence, alone: Verdict, limits: Thresholds) -> Verdict:
    """The verdict on lines that keep values, where their fix (it detaches these) leaves the values alive.

    `alone` is the verdict from that fix. Only the lines or names of the finding bear it out. A few bytes per
    step weigh less than the host memory that the fix frees.
    """
    grows = growth_by_unit(evidence.original.growth).values()
    is_open = alone.status in ("refuted", "host_only", "inconclusive")
    if not is_open or all(total < limits.growth_per_step for total, _ in grows):
        return alone
    found = by_attribution(evidence, alone, limits)
    slight = alone.status == "host_only" and (found.bytes_per_step or 0) < limits.growth_per_step
    return found if found.status == "confirmed" and not slight else alone


def is_about(leak: Leak, lines: Collection[str], mentions: Mentions) -> bool:
    """Whether a finding is about a leak: one of its lines makes it, or what it fills holds it."""
    made = _on_lines(leak.rows, lines) or (not leak.rows and f"{leak.file}:{leak.line}" in lines)
    return made or any(speaks_of(mentions, holder) for holder in leak.holders)


def pile_of(evidence: Evidence) -> Pile | None:
    """The autograd nodes that pile up in what a finding speaks of; None where none do."""
    found = [
        pile
        for pile in evidence.original.piles
        if f"{pile.file}:{pile.line}" in evidence.lines
        or any(speaks_of(evidence.mentions, holder) for holder in holding(pile, evidence.original.holders))
    ]
    return min(found, key=lambda pile: pile.within, default=None)


def is_beside(leak: Leak, arm: Arm, pile: Pile) -> bool:
    """Whether a leak's tensors lie around the nodes: all of what holds these is one entry of its holder."""
    names = [holder.name for holder in holding(pile, arm.holders) if holder.name]
    outer = [f"{holder.name}[" for holder in leak.holders if holder.name]
    return bool(names and outer) and all(name.startswith(tuple(outer)) for name in names)


def piled_up(arm: Arm, pile: Pile) -> str:
    """How many nodes every iteration leaves behind, and what holds them."""
    unit = in_words(pile.series.partition(" at ")[0])
    names = _names(holding(pile, arm.holders))
    during = " of one pass" if pile.within else ""
    held = f", held in {names}" if names else ""
    return f"every {unit}{during} leaves {plural(pile.nodes_per_step, 'autograd node')} behind{held}"


def speaks_of(mentions: Mentions, holder: Holder) -> bool:
    """Whether an object is what a finding speaks of, by any of its names."""
    names = [name for name in holder.names or (holder.name,) if name and not mentions.is_elsewhere(name)]
    return mentions.holder([_KEYS.sub("", name) for name in names])


def _is_meant(row: Growth, evidence: Evidence) -> bool:
    held = holding(row, evidence.original.holders)
    return _on_lines([row], evidence.lines) or any(speaks_of(evidence.mentions, each) for each in held)


def _on_lines(rows: Iterable[Growth], lines: Collection[str]) -> bool:
    return not {f"{row.file}:{row.line}" for row in rows}.isdisjoint(lines)


def of_leaks(evidence: Evidence, leaks: Sequence[Leak], missing: Verdict) -> Verdict:
    """The verdict from leaks that a finding is about."""
    rows = _put_in([row for leak in leaks for row in leak.rows], evidence.mentions)
    first, total = leaks[0], sum(row.bytes_per_step for row in rows)
    unit = in_words(first.series.partition(" at ")[0])
    place = f"{rows[0].file}:{rows[0].line}" if rows[0].line else "a line of a library"
    left = size(sum(row.bytes for row in rows))
    seen = f"{left} left behind in {first.steps} of the {first.of} {unit}s seen"
    if first.device == ARRAYS:
        seen = f"{left} of {ARRAYS} more after {plural(first.of, f'further {unit}')}"
    held = _held(evidence, rows)
    held += f" until it is full ({first.bound})" if first.bound else ""
    verb = "added" if first.device == ARRAYS else "made"
    where = f" ({verb} at {place})" if rows[0].line or first.device != ARRAYS else ""
    reason = f"{seen}{where}{held}; this is by attribution: {missing.reason}"
    return answer(evidence, "confirmed", reason, per_step=total)


def _put_in(rows: Sequence[Growth], mentions: Mentions) -> Sequence[Growth]:
    """Of what ends in a container that several lines fill, the rows that the lines of a finding put in.

    A row is theirs where one of them makes it, or the line that gives its value a name; all are, where no
    line says so.
    """
    places = {f"{row.file}:{row.line}" for row in rows}
    apart = places & (mentions.others_made_at - mentions.made_at)
    mine = places & (mentions.made_at - mentions.others_made_at) or places - apart
    return [row for row in rows if f"{row.file}:{row.line}" in mine] or rows


def _held(evidence: Evidence, rows: Iterable[Growth]) -> str:
    """What holds some rows, and which other lines fill that, as clauses; "" where nothing has a name."""
    holders = [holder for row in rows for holder in _of_leak_or_arm(evidence, row)]
    names = _names(holders)
    mentions = evidence.mentions
    shared = mentions.others if any(speaks_of(mentions, holder) for holder in holders) else ()
    verb = "fill" if len(shared) > 1 else "fills"
    also = f", which {' and '.join(shared)} {verb} as well" if shared else ""
    return f", held in {names}{also}" if names else ""


def _of_leak_or_arm(evidence: Evidence, row: Growth) -> Sequence[Holder]:
    leak = next((leak for leak in evidence.leaks if row in leak.rows), None)
    return leak.holders if leak is not None else holding(row, evidence.original.holders)


def _names(holders: Iterable[Holder]) -> str:
    """The objects by their names; of several entries of one container, that container."""
    names = dict.fromkeys(holder.name for holder in holders if holder.name)
    of_entries = Counter(_LAST.sub("", name) for name in names)
    short = (base if of_entries[base := _LAST.sub("", name)] > 1 else name for name in names)
    return " and ".join(dict.fromkeys(f"`{name}`" for name in short))


def _fullest(rows: Sequence[Growth]) -> list[Growth]:
    """The rows of the series with the most of them: each of two optimizers sees all that a batch leaves."""
    found: list[Growth] = []
    for unit in growth_by_unit(rows):
        of_unit = [row for row in rows if row.series.partition(" at ")[0] == unit]
        sums: Counter[str] = Counter()
        for row in of_unit:
            sums[row.series] += row.bytes_per_step
        most = max(sums, key=sums.__getitem__)
        found += [row for row in of_unit if row.series == most]
    return found


def left_behind(rows: Iterable[Growth], unit: str, total: int) -> str:
    """What an iteration leaves behind, and the line that makes the most of it."""
    # The growth of a line is told once, in the series that shows it best.
    found = list(rows)
    row = next((row for row in found if row.series.startswith(unit)), next(iter(found), None))
    place = f"{row.file}:{row.line}" if row is not None and row.line else "a line of a library"
    return f"every {in_words(unit)} leaves {size(total)} behind (made at {place})"


def in_words(unit: str) -> str:
    """What counts as an iteration, as a noun."""
    return {STEP: "step", "backward": "backward()"}.get(unit, unit)
