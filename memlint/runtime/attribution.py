"""Verdicts on growth without a fixed script to compare with: do the names of a finding hold what grows?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from memlint.finding import Finding
from memlint.runtime.evidence import Evidence, answer, no_fixed_arm
from memlint.runtime.thresholds import Thresholds
from memlint.session import STEP, Arm, Kept, Verdict, growth_by_unit
from memlint.units import size


def wants_holders(finding: Finding, evidence: Evidence) -> bool:
    """Whether a growth can only be judged by what holds the bytes."""
    grows = finding.claim is not None and finding.claim.type == "GROWTH" and evidence.original.growth
    return bool(grows) and no_fixed_arm(evidence) is not None


def by_attribution(evidence: Evidence, missing: Verdict, limits: Thresholds) -> Verdict:
    """The verdict on a growth from the names that hold it, or the lines that made it.

    `missing` says why there is no fixed script to compare with.
    """
    rows = evidence.held.kept if evidence.held is not None else ()
    named = [row for row in rows if row.holders]
    meant = [row for row in named if all(map(evidence.mentions.holder, row.holders))]
    mine = _fullest(meant) if evidence.mentions.alone else []
    for unit, (total, blocks) in growth_by_unit(mine).items():
        if blocks >= limits.growth_per_step:
            where = _in_words(evidence, [row for row in mine if row.series.startswith(unit)])
            made = left_behind(evidence.original, unit, total)
            reason = f"{made}, held in {where}; this is by attribution: {missing.reason}"
            return answer(evidence, "confirmed", reason, per_step=total)
    unit, (total, blocks) = next(iter(growth_by_unit(evidence.original.growth).items()))
    said = left_behind(evidence.original, unit, total)
    if named:
        partly = any(evidence.mentions.holder(paths) for row in named for paths in row.holders)
        whose = "which is not this finding's alone" if partly else "of which this finding does not speak"
        said = f"{said}, held in {_in_words(evidence, named)}, {whose}; {missing.reason}"
        return answer(evidence, missing.status, said, per_step=total if partly else None)
    places = {f"{row.file}:{row.line}" for row in evidence.original.growth}
    if places <= set(evidence.lines) and blocks >= limits.growth_per_step:
        reason = f"{said}, and no other line does; this is by attribution: {missing.reason}"
        return answer(evidence, "confirmed", reason, per_step=total)
    return answer(evidence, missing.status, f"{said}; {missing.reason}", per_step=total)


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
