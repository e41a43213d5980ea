"""Lines that keep values: how much is left of a growth once they keep empty tensors instead?

The fix of such a line detaches what it keeps. That frees the graph, and no byte of the values.
"""

from __future__ import annotations

from dataclasses import replace

from memlint.finding import Finding
from memlint.runtime.parent.counterfactual import fix_of
from memlint.runtime.parent.verdicts.attribution import left_behind
from memlint.runtime.parent.verdicts.evidence import Evidence, answer
from memlint.runtime.parent.verdicts.overlap import OPEN
from memlint.runtime.parent.verdicts.thresholds import Thresholds
from memlint.session import Arm, Verdict, growth_by_unit
from memlint.source.text import apply_edits
from memlint.units import size

DETACHED = ".detach()"
EMPTY = ".detach().new_empty(0)"


def emptied(finding: Finding, text: str) -> str | None:
    """The text in which the line keeps empty tensors; None where its fix does not detach what it keeps."""
    fix = fix_of(finding)
    if fix is None or not any(DETACHED in edit.text for edit in fix.edits):
        return None
    return apply_edits(text, [replace(edit, text=edit.text.replace(DETACHED, EMPTY)) for edit in fix.edits])


def may_keep_values(finding: Finding, original: Arm, alone: Verdict, limits: Thresholds) -> bool:
    """Whether a line may keep more than scalars that its fix, without effect on tensors, leaves alive."""
    large = any(total >= limits.growth_per_step for total, _ in growth_by_unit(original.growth).values())
    is_open = alone.status in (*OPEN, "inconclusive")
    return large and finding.claim is not None and finding.claim.type == "GROWTH" and is_open


def judge_emptied(evidence: Evidence, alone: Verdict, bare: Arm, limits: Thresholds) -> Verdict:
    """The verdict once empty values were kept; `alone` is that from the fix."""
    if len(bare.steps) < len(evidence.original.steps):
        return alone
    left = growth_by_unit(bare.growth)
    for unit, (total, _) in growth_by_unit(evidence.original.growth).items():
        less = total - left.get(unit, (0, 0))[0]
        if less >= limits.growth_per_step:
            made = left_behind(evidence.original.growth, unit, total)
            part = "all of it" if less == total else f"{size(less)} of it"
            reason = f"{made}, {part} values that this line keeps; {alone.reason}"
            measured = evidence.original.top_bytes - bare.top_bytes
            return answer(evidence, "confirmed", reason, measured=measured, per_step=less)
    return alone
