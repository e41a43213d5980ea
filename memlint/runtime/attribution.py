"""Verdicts on growth without a fixed script to compare with: do the names of a finding hold what grows?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence

from memlint.finding import Finding
from memlint.runtime.evidence import Evidence, answer, no_fixed_arm
from memlint.runtime.mentions import Mentions
from memlint.runtime.thresholds import Thresholds
from memlint.session import STEP, Arm, Kept, Leak, Verdict, growth_by_unit
from memlint.units import size

_KEYS = re.compile(r"\[[^\]]*\]")
"""Keys and positions in the name of a holder: a finding speaks of variables and attributes."""


def wants_holders(finding: Finding, evidence: Evidence) -> bool:
    """Whether a growth can only be judged by what holds the bytes, and that is not known yet."""
    grows = finding.claim is not None and finding.claim.type == "GROWTH" and evidence.original.growth
    known = bool(evidence.leaks) and all(leak.holders for leak in evidence.leaks)
    return bool(grows) and not known and no_fixed_arm(evidence) is not None


def by_attribution(evidence: Evidence, missing: Verdict, limits: Thresholds) -> Verdict:
    """The verdict on a growth from the names that hold it, or the lines that made it.

    `missing` says why there is no fixed script to compare with.
    """
    mine = [leak for leak in evidence.leaks if is_about(leak, evidence.lines, evidence.mentions)]
    if mine:
        return _of_leaks(evidence, mine, missing)
    rows = evidence.held.kept if evidence.held is not None else ()
    named = [row for row in rows if row.holders]
    meant = [row for row in named if any(map(evidence.mentions.holder, row.holders))]
    fullest = _fullest(meant) if evidence.mentions.alone else []
    for unit, (total, blocks) in growth_by_unit(fullest).items():
        if blocks >= limits.growth_per_step:
            where = _in_words(evidence, [row for row in fullest if row.series.startswith(unit)])
            made = left_behind(evidence.original, unit, total)
            reason = f"{made}, held in {where}; this is by attribution: {missing.reason}"
            return answer(evidence, "confirmed", reason, per_step=total)
    unit, (total, blocks) = next(iter(growth_by_unit(evidence.original.growth).items()))
    said = left_behind(evidence.original, unit, total)
    places = {f"{row.file}:{row.line}" for row in evidence.original.growth}
    if places & set(evidence.lines) and not named and blocks >= limits.growth_per_step:
        own = [row for row in evidence.original.growth if f"{row.file}:{row.line}" in evidence.lines]
        of_own, _ = growth_by_unit(own)[next(iter(growth_by_unit(own)))]
        part = "and no other line does" if len(own) == len(places) else f"{size(of_own)} of it on its lines"
        reason = f"{said}, {part}; this is by attribution: {missing.reason}"
        return answer(evidence, "confirmed", reason, per_step=of_own)
    if held := [*filter(None, (_names(leak) for leak in evidence.leaks)), *_of_rows(evidence, named)]:
        where = " and ".join(dict.fromkeys(held))
        # A module may hold what the line fills.
        wide = any(h.what.endswith(" object") for leak in evidence.leaks for h in leak.holders)
        if evidence.mentions.fills and not meant and not wide:
            reason = f"{said}, all of it held in {where}, which is not what this line fills"
            return answer(evidence, "refuted", reason, per_step=0)
        whose = "which other lines fill as well" if meant else "of which this finding does not speak"
        said = f"{said}, held in {where}, {whose}; {missing.reason}"
        return answer(evidence, missing.status, said, per_step=total if meant else None)
    return answer(evidence, missing.status, f"{said}; {missing.reason}", per_step=total)


def is_about(leak: Leak, lines: Collection[str], mentions: Mentions) -> bool:
    """Whether a finding is about a leak: one of its lines makes it, or what it alone fills holds it."""
    if {f"{row.file}:{row.line}" for row in leak.rows} & set(lines):
        return True
    paths = [_KEYS.sub("", holder.name) for holder in leak.holders if holder.name]
    return mentions.alone and mentions.holder(paths)


def _of_leaks(evidence: Evidence, leaks: Sequence[Leak], missing: Verdict) -> Verdict:
    first, total = leaks[0], sum(leak.bytes_per_step for leak in leaks)
    unit = in_words(first.series.partition(" at ")[0])
    place = f"{first.file}:{first.line}" if first.line else "a line of a library"
    left = size(sum(leak.bytes for leak in leaks))
    seen = f"{left} left behind in {first.steps} of the {first.of} {unit}s seen"
    where = " and ".join(dict.fromkeys(filter(None, map(_names, leaks))))
    held = f", held in {where}" if where else ""
    held += f" until it is full ({first.bound})" if first.bound else ""
    reason = f"{seen} (made at {place}){held}; this is by attribution: {missing.reason}"
    return answer(evidence, "confirmed", reason, per_step=total)


def _names(leak: Leak) -> str:
    return " and ".join(f"`{holder.name}`" for holder in leak.holders if holder.name)


def _of_rows(evidence: Evidence, named: Sequence[Kept]) -> list[str]:
    return [_in_words(evidence, named)] if named else []


def _fullest(rows: Sequence[Kept]) -> list[Kept]:
    """The rows of the series with the most of them: each of two optimizers sees all that a batch leaves."""
    found: list[Kept] = []
    for unit in growth_by_unit(rows):
        of_unit = [row for row in rows if row.series.partition(" at ")[0] == unit]
        sums: Counter[str] = Counter()
        for row in of_unit:
            sums[row.series] += row.bytes_per_step
        most = max(sums, key=sums.__getitem__)
        found += [row for row in of_unit if row.series == most]
    return found


def left_behind(arm: Arm, unit: str, total: int) -> str:
    """What an iteration leaves behind, and the line that makes the most of it."""
    # The growth of a line is told once, in the series that shows it best.
    row = next((row for row in arm.growth if row.series.startswith(unit)), next(iter(arm.growth), None))
    place = f"{row.file}:{row.line}" if row is not None and row.line else "a line of a library"
    return f"every {in_words(unit)} leaves {size(total)} behind (made at {place})"


def in_words(unit: str) -> str:
    """What counts as an iteration, as a noun."""
    return {STEP: "step", "backward": "backward()"}.get(unit, unit)


def _in_words(evidence: Evidence, rows: Sequence[Kept]) -> str:
    names = {evidence.mentions.name(paths) for row in rows for paths in row.holders}
    return " and ".join(f"`{name}`" for name in sorted(names))
