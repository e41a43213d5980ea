"""What bears on one finding, and the shape of the answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from memlint.runtime.parent.verdicts.mentions import NOTHING, Mentions
from memlint.runtime.parent.verdicts.thresholds import Thresholds
from memlint.session import Arm, Leak, Verdict
from memlint.units import change

WARM_STEPS = 4


@dataclass(frozen=True, slots=True)
class Evidence:
    """The arms that bear on one finding; None for those that were not run.

    `original` and `again` are the same script twice; `fixed` has this finding's fix. `host` is the pair
    (original, fixed) under that probe, `rounds` are such pairs by the clock, run in turns. `leaks` are what
    the original leaves behind from step to step, with its holders; `mentions` are the names that the finding
    speaks of.
    `lines` is "path:line" as arms name it, for each line of the finding; `problem` says why there is no
    fixed arm although there is a fix. `noise` are the bytes by which two runs of the same script differ
    where `original` and `again` are not that.
    """

    original: Arm
    again: Arm | None
    fixed: Arm | None
    lines: tuple[str, ...]
    host: tuple[Arm | None, Arm | None] = (None, None)
    rounds: tuple[tuple[Arm, Arm | None], ...] = ()
    leaks: tuple[Leak, ...] = ()
    mentions: Mentions = NOTHING
    problem: str = ""
    noise: int | None = None


def answer(
    evidence: Evidence,
    status: str,
    reason: str,
    *,
    measured: int | None = None,
    per_step: int | None = None,
) -> Verdict:
    """A verdict, with the measured bytes as a share of the original's peak."""
    peak = evidence.original.top_bytes
    share = round(measured / peak, 6) if measured is not None and peak else None
    return Verdict(status, measured, per_step, share, evidence.original.device, reason)


def no_fixed_arm(evidence: Evidence) -> Verdict | None:
    """The verdict when there is nothing to compare with, None when there is."""
    if evidence.fixed is None:
        return answer(evidence, "inconclusive", evidence.problem or "memlint has no fix to compare with")
    if evidence.fixed.failure is not None and evidence.original.failure is None:
        failure = evidence.fixed.failure
        return answer(evidence, "inconclusive", f"the fixed script failed: {failure.type}: {failure.message}")
    if _failed_otherwise(evidence.original, evidence.fixed):
        return answer(evidence, "inconclusive", "the script failed, and in another way with the fix")
    if evidence.fixed.stopped != evidence.original.stopped:
        both = f"{evidence.original.stopped} and {evidence.fixed.stopped}"
        return answer(evidence, "inconclusive", f"the two runs ended differently: {both}")
    return None


def error_of_median(values: Sequence[float]) -> float:
    """Standard error of the median, from the median deviation (as outliers are common here)."""
    middle = median(values)
    return 1.86 * median(abs(value - middle) for value in values) / math.sqrt(len(values))


def _failed_otherwise(original: Arm, fixed: Arm) -> bool:
    """Whether both failed for the script's reasons, but not in the same way at the same step."""
    ends = [arm.failure for arm in (original, fixed) if arm.failure is not None]
    if len(ends) < 2 or any(end.out_of_memory for end in ends):
        return False
    return ends[0].type != ends[1].type or len(original.steps) != len(fixed.steps)


def spread(evidence: Evidence) -> int:
    """Bytes by which the peaks of two runs of the same script differ."""
    if evidence.noise is not None:
        return evidence.noise
    again = evidence.again
    return abs(evidence.original.top_bytes - again.top_bytes) if again is not None else 0


def in_words(phase: str) -> str:
    """The phase as a place in a script."""
    return {
        "setup": "the set-up before the first step",
        "forward": "the forward pass",
        "backward": "backward()",
        "optimizer": "optimizer.step()",
        "evaluation": "the evaluation",
        "other": "the code between forward, backward and step",
    }[phase]


def elsewhere_lower(evidence: Evidence, limits: Thresholds) -> str:
    """The phase whose own highest the fix lowers most, in words; "" where it lowers none."""
    if evidence.fixed is None:
        return ""
    noise = max(limits.spread_factor * spread(evidence), limits.growth_per_step)
    after = evidence.fixed.tops
    falls = {phase: top - after.get(phase, top) for phase, top in evidence.original.tops.items()}
    phase = max(falls, key=falls.__getitem__, default="")
    if not phase or falls[phase] <= max(noise, limits.peak_share * evidence.original.tops[phase]):
        return ""
    before = evidence.original.tops[phase]
    return f"the most alive in {in_words(phase)} falls from {change(before, before - falls[phase])}"
