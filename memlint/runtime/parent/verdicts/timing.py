"""Judges claims about time: by the clock, with original and fixed script run in turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median, quantiles

from memlint.finding import Finding
from memlint.runtime.parent.verdicts.evidence import (
    WARM_STEPS,
    Evidence,
    answer,
    error_of_median,
    no_fixed_arm,
)
from memlint.runtime.parent.verdicts.thresholds import Thresholds
from memlint.session import Arm, Verdict


def waits(finding: Finding) -> bool:
    """Whether the claim is about the share of a step that waits for data, which needs no fix to measure."""
    return finding.claim is not None and finding.claim.check == "waiting-share"


def judge(finding: Finding, evidence: Evidence, limits: Thresholds) -> Verdict:
    """The verdict on a TIME claim.

    What else runs on a machine only ever makes a step slower: so the lower quartile of the steps is
    compared, in each half of each round, and the halves must agree.
    """
    rounds = evidence.rounds
    if waits(finding) and rounds:
        return _waiting(evidence, rounds[0][0], limits)
    pairs = [(before, after) for before, after in rounds if after is not None]
    if not pairs:
        return no_fixed_arm(evidence) or answer(evidence, "inconclusive", "the steps were not timed")
    if finding.claim is not None and finding.claim.check == "pass-starts":
        return _starting(evidence, pairs, limits)
    count = min(len(_seconds(arm)) for pair in pairs for arm in pair)
    if count < limits.time_steps:
        reason = f"{count} timed steps are too few (at least {limits.time_steps}: --steps)"
        return answer(evidence, "inconclusive", reason)
    return _compare(evidence, pairs, limits)


def _compare(evidence: Evidence, pairs: Sequence[tuple[Arm, Arm]], limits: Thresholds) -> Verdict:
    times = [
        (_quick(old), _quick(new)) for pair in pairs for old, new in zip(*map(_halves, pair), strict=True)
    ]
    shares = [1 - new / old for old, new in times if old]
    if not shares:
        return answer(evidence, "inconclusive", "the clock cannot tell its steps apart")
    share, wide = median(shares), limits.spread_factor * error_of_median(shares)
    old, new = (median(side) for side in zip(*times, strict=True))
    said = f"a step takes {1000 * old:.3g} ms, with the fix {1000 * new:.3g} ms (lower quartiles)"
    if share > max(limits.time_share, wide):
        return answer(evidence, "confirmed", said)
    if share + wide <= limits.time_share:
        return answer(evidence, "refuted", said)
    why = f"{100 * share:.1f} % less, give or take {100 * wide:.1f} % from one timing to the next"
    return answer(evidence, "inconclusive", f"{said}: {why}")


def _waiting(evidence: Evidence, timed: Arm, limits: Thresholds) -> Verdict:
    shares = [step.waiting / step.seconds for step in timed.steps[WARM_STEPS:] if step.seconds]
    if len(shares) < limits.time_steps:
        return answer(evidence, "inconclusive", f"{len(shares)} timed steps are too few (see --steps)")
    share = median(shares)
    said = f"{100 * share:.0f} % of a step is spent waiting for the loader (median of {len(shares)} steps)"
    return answer(evidence, "confirmed" if share >= limits.waiting_share else "refuted", said)


def _starting(evidence: Evidence, pairs: Sequence[tuple[Arm, Arm]], limits: Thresholds) -> Verdict:
    """How long each later pass over a loader takes to begin: a replay shortens passes, not their start."""
    before, after = ([start for arm in side for start in arm.starts] for side in zip(*pairs, strict=True))
    count = min(len(before), len(after))
    if count < limits.starts:
        reason = f"{count} later passes over the loader are too few (at least {limits.starts})"
        return answer(evidence, "inconclusive", reason)
    old, new = median(before), median(after)
    noise = error_of_median(before) + error_of_median(after)
    said = (
        f"each later pass over the loader waits {1000 * old:.3g} ms for its first batch, with the fix "
        f"{1000 * new:.3g} ms (medians of {len(before)} and {len(after)} passes)"
    )
    if old - new > max(limits.start_seconds, limits.spread_factor * noise):
        return answer(evidence, "confirmed", said)
    return answer(evidence, "refuted" if old - new <= limits.start_seconds else "inconclusive", said)


def _seconds(arm: Arm) -> list[float]:
    return [step.seconds for step in arm.steps[WARM_STEPS:]]


def _halves(arm: Arm) -> Iterator[list[float]]:
    seconds = _seconds(arm)
    middle = len(seconds) // 2
    yield seconds[:middle]
    yield seconds[middle:]


def _quick(seconds: Sequence[float]) -> float:
    return quantiles(seconds, n=4)[0]
