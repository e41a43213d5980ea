"""What the measured arms say about a finding: confirmed, refuted, or why neither."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median, median_low

from memlint.finding import Finding
from memlint.runtime.thresholds import DEFAULT, Thresholds
from memlint.session import Arm, Verdict, is_measured

WARM_STEPS = 4
OF_THE_DEVICE = frozenset({"GROWTH", "PEAK", "RESERVED", "TIME"})
"""Claims that need a device whose memory and clock memlint knows."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The arms that bear on one finding; None for those that were not run.

    `original` and `again` are the same script twice; `fixed` has this finding's fix. `host` and `clock`
    pairs are (original, fixed) under those probes. `line` is "path:line" as arms name it, for each line
    of the finding; `problem` says why there is no fixed arm although there is a fix. `noise` are the
    bytes by which two runs of the same script differ where `original` and `again` are not that.
    """

    original: Arm
    again: Arm | None
    fixed: Arm | None
    host: tuple[Arm | None, Arm | None]
    clock: tuple[Arm | None, Arm | None]
    lines: tuple[str, ...]
    problem: str = ""
    noise: int | None = None


def judge(finding: Finding, evidence: Evidence, limits: Thresholds = DEFAULT) -> Verdict:
    """The verdict on one finding."""
    claim = finding.claim
    if claim is None:
        return _verdict(evidence, "not_measurable", "this rule makes no claim about memory or results")
    reached = evidence.again.reached if evidence.again is not None else evidence.original.reached
    failure = evidence.original.failure
    failed_here = failure is not None and f"{failure.file}:{failure.line}" in evidence.lines
    if not failed_here and not set(evidence.lines) & set(reached):
        return _verdict(evidence, "not_reached", f"the line was not executed: {_why_not(evidence.original)}")
    if claim.type in OF_THE_DEVICE and not is_measured(evidence.original.device):
        return _verdict(
            evidence, "not_measurable", f"not measured: the script ran on {evidence.original.device}"
        )
    return JUDGES[claim.type](finding, evidence, limits)


def wants_host(finding: Finding, verdict: Verdict) -> bool:
    """Whether the finding's claim can only be judged once host memory was sampled."""
    kind = finding.claim.type if finding.claim is not None else ""
    return kind in ("GROWTH-HOST", "HOST") or (kind == "GROWTH" and verdict.status == "refuted")


def _why_not(arm: Arm) -> str:
    if arm.failure is not None:
        return "the script failed before"
    return (
        "the script ended without it"
        if arm.stopped == "the script ended"
        else f"stopped after {arm.stopped} (see --steps)"
    )


def _verdict(
    evidence: Evidence,
    status: str,
    reason: str,
    *,
    measured: int | None = None,
    per_step: int | None = None,
) -> Verdict:
    peak = evidence.original.peak.bytes
    share = round(measured / peak, 6) if measured is not None and peak else None
    return Verdict(status, measured, per_step, share, evidence.original.device, reason)


def _no_fixed_arm(evidence: Evidence) -> Verdict | None:
    """The verdict when there is nothing to compare with, None when there is."""
    if evidence.fixed is None:
        return _verdict(evidence, "inconclusive", evidence.problem or "memlint has no fix to compare with")
    if evidence.fixed.failure is not None and evidence.original.failure is None:
        failure = evidence.fixed.failure
        return _verdict(
            evidence, "inconclusive", f"the fixed script failed: {failure.type}: {failure.message}"
        )
    if evidence.fixed.stopped != evidence.original.stopped:
        both = f"{evidence.original.stopped} and {evidence.fixed.stopped}"
        return _verdict(evidence, "inconclusive", f"the two runs ended differently: {both}")
    return None


# --- bytes of tensors -------------------------------------------------------------------------------


def growth_of(arm: Arm) -> tuple[int, int]:
    """(bytes, bytes in allocator blocks) that an arm keeps more with every iteration, all lines together."""
    return sum(row.bytes_per_step for row in arm.growth), sum(row.block_bytes_per_step for row in arm.growth)


def _growth(finding: Finding, evidence: Evidence, limits: Thresholds) -> Verdict:
    total, blocks = growth_of(evidence.original)
    if not total:
        enough = any(row for row in evidence.original.steps[WARM_STEPS + 2 :])
        if not enough:
            count = len(evidence.original.steps)
            return _verdict(evidence, "inconclusive", f"{count} iterations are too few to see a growth")
        return _host_instead(finding, evidence, limits, "no tensor outlives its step")
    if (missing := _no_fixed_arm(evidence)) is not None:
        reason = (
            f"every step leaves {total:,} B behind (made at {_grower(evidence.original)}); {missing.reason}"
        )
        return _verdict(evidence, missing.status, reason, per_step=total)
    assert evidence.fixed is not None
    less, fewer = growth_of(evidence.fixed)
    removed = total - less
    if blocks - fewer >= limits.growth_per_step:
        rest = f", {less:,} B remain of other causes" if less else ""
        return _verdict(
            evidence,
            "confirmed",
            f"every step leaves {total:,} B behind (made at {_grower(evidence.original)}); "
            f"with the fix {removed:,} B less{rest}",
            measured=evidence.original.peak.bytes - evidence.fixed.peak.bytes,
            per_step=removed,
        )
    return _host_instead(
        finding, evidence, limits, f"on its own the fix removes {max(removed, 0):,} B of tensors per step"
    )


def _grower(arm: Arm) -> str:
    row = arm.growth[0]
    return f"{row.file}:{row.line}" if row.line else "a line of a library"


def _host_instead(finding: Finding, evidence: Evidence, limits: Thresholds, what: str) -> Verdict:
    host = _growth_host(finding, evidence, limits)
    if host.status == "confirmed":
        return _verdict(evidence, "host_only", f"{what}; but {host.reason}", per_step=host.bytes_per_step)
    return _verdict(evidence, "refuted", what, per_step=0)


def _growth_host(finding: Finding, evidence: Evidence, limits: Thresholds) -> Verdict:
    before, after = evidence.host
    if before is None:
        return _verdict(evidence, "not_measurable", "host memory was not sampled")
    slope = host_slope(before)
    if slope is None:
        return _verdict(evidence, "inconclusive", f"{len(before.steps)} steps are too few to see a growth")
    if after is None or evidence.fixed is None:
        problem = evidence.problem or "memlint has no fix to compare with"
        return _verdict(evidence, "inconclusive", f"{slope:,} B of host memory per step; {problem}")
    remaining = host_slope(after) or 0
    removed = slope - remaining
    nodes = median_low([step.nodes for step in before.steps[WARM_STEPS:]])
    wanted = max(limits.host_per_step, limits.host_share * limits.node_bytes * nodes)
    said = f"{removed:,} B of host memory per step ({nodes:,} autograd nodes a step)"
    if removed >= wanted:
        return _verdict(evidence, "confirmed", f"the fix saves {said}", per_step=removed)
    return _verdict(
        evidence,
        "refuted",
        f"on its own the fix saves {max(removed, 0):,} B of host memory per step",
        per_step=0,
    )


def host_slope(arm: Arm) -> int | None:
    """Bytes of host memory per step after warm-up: the median of the differences, None for too few."""
    values = [step.host_bytes for step in arm.steps[WARM_STEPS:]]
    if len(values) < 4:
        return None
    return int(median(b - a for a, b in pairwise(values)))


def _peak(finding: Finding, evidence: Evidence, limits: Thresholds) -> Verdict:
    if (missing := _no_fixed_arm(evidence)) is not None:
        held = sum(row.bytes for row in evidence.original.lines if f"{row.file}:{row.line}" in evidence.lines)
        reason = f"its lines hold {held:,} B at the peak; {missing.reason}"
        return _verdict(evidence, missing.status, reason)
    assert evidence.fixed is not None
    peak = evidence.original.peak
    less = peak.bytes - evidence.fixed.peak.bytes
    noise = limits.spread_factor * spread(evidence)
    if less > max(noise, limits.peak_share * peak.bytes):
        where = f"from {peak.bytes:,} to {evidence.fixed.peak.bytes:,} B"
        return _verdict(evidence, "confirmed", f"the fix lowers the peak {where}", measured=less)
    if abs(less) <= max(noise, limits.growth_per_step):
        reason = f"no effect: your peak is in {in_words(peak.phase)}, which this cannot lower"
        return _verdict(evidence, "refuted", reason, measured=less)
    if less < 0:
        return _verdict(evidence, "refuted", f"the fix raises the peak by {-less:,} B", measured=less)
    part = f"{less:,} B, {100 * less / peak.bytes:.2f} % of the peak"
    wide = f"{limits.spread_factor:g} times the spread of {spread(evidence):,} B"
    floor = f"counts from {100 * limits.peak_share:g} % and {wide}"
    return _verdict(
        evidence, "inconclusive", f"the fix lowers the peak by {part}; an effect {floor}", measured=less
    )


def spread(evidence: Evidence) -> int:
    """Bytes by which the peaks of two runs of the same script differ."""
    if evidence.noise is not None:
        return evidence.noise
    again = evidence.again
    return abs(evidence.original.peak.bytes - again.peak.bytes) if again is not None else 0


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


# --- the other claims -------------------------------------------------------------------------------


def _static(finding: Finding, evidence: Evidence, limits: Thresholds) -> Verdict:
    failure = evidence.original.failure
    if failure is not None and f"{failure.file}:{failure.line}" in evidence.lines:
        return _verdict(evidence, "confirmed", f"the line raised {failure.type}: {failure.message}")
    assert finding.claim is not None
    if "Error" in finding.claim.formula:
        return _verdict(evidence, "refuted", "the line ran without an error here")
    return _verdict(evidence, "not_measurable", "the claim is about what the call does, not about bytes")


def _correct(finding: Finding, evidence: Evidence, limits: Thresholds) -> Verdict:
    question = limits.checks.get(finding.code, "")
    if question == "summed":
        return _summed(evidence)
    if question == "finite":
        return _finite(evidence)
    if question == "moves":
        return _moves(evidence, limits)
    return _verdict(evidence, "not_measurable", "memlint has no experiment for this claim")


def _summed(evidence: Evidence) -> Verdict:
    checks, lines = evidence.original.checks, set(evidence.lines)
    if lines & set(checks.gradients_summed):
        return _verdict(
            evidence, "confirmed", "this backward adds to gradients that an earlier step has used"
        )
    if lines & set(checks.gradients_cleared):
        return _verdict(evidence, "refuted", "the gradients were cleared before this backward added to them")
    return _verdict(evidence, "inconclusive", "too few steps followed this backward to tell")


def _finite(evidence: Evidence) -> Verdict:
    losses = [float.fromhex(value) for value in evidence.original.losses]
    bad = next((i for i, value in enumerate(losses, 1) if not math.isfinite(value)), None)
    if bad is not None:
        return _verdict(evidence, "confirmed", f"the loss is {losses[bad - 1]} from backward {bad} on")
    if evidence.original.checks.parameters_finite is False:
        return _verdict(evidence, "confirmed", "parameters are not finite at the end")
    count = len(evidence.original.steps)
    reason = f"everything stayed finite over {count} steps; updates too small to be stored are not measured"
    return _verdict(evidence, "inconclusive", reason)


def _moves(evidence: Evidence, limits: Thresholds) -> Verdict:
    if len(evidence.original.losses) < limits.frozen_steps:
        return _verdict(
            evidence, "inconclusive", f"{len(evidence.original.losses)} losses are too few to judge"
        )
    if (missing := _no_fixed_arm(evidence)) is not None:
        return missing
    assert evidence.fixed is not None
    before, after = _range(evidence.original), _range(evidence.fixed)
    said = f"the loss moves by {100 * before:.3g} % of its mean, with the fix by {100 * after:.3g} %"
    if before < limits.frozen_range and after > 10 * limits.frozen_range:
        return _verdict(evidence, "confirmed", said)
    return _verdict(evidence, "inconclusive" if before < after else "refuted", said)


def _range(arm: Arm) -> float:
    losses = [float.fromhex(value) for value in arm.losses]
    mean = sum(losses) / len(losses)
    return (max(losses) - min(losses)) / abs(mean) if mean and math.isfinite(mean) else math.inf


def _time(finding: Finding, evidence: Evidence, limits: Thresholds) -> Verdict:
    before, after = evidence.clock
    if finding.code in limits.waiting_rules and before is not None:
        return _waiting(evidence, before, limits)
    if before is None or after is None:
        return _no_fixed_arm(evidence) or _verdict(evidence, "inconclusive", "the steps were not timed")
    old, new = _seconds(before), _seconds(after)
    if min(len(old), len(new)) < limits.time_steps:
        count = min(len(old), len(new))
        reason = f"{count} timed steps are too few (at least {limits.time_steps}: --steps)"
        return _verdict(evidence, "inconclusive", reason)
    share = 1 - median(new) / median(old)
    noise = _wobble(old) + _wobble(new)
    said = f"a step takes {1000 * median(old):.3g} ms, with the fix {1000 * median(new):.3g} ms"
    if share > max(limits.time_share, limits.spread_factor * noise):
        return _verdict(evidence, "confirmed", said)
    return _verdict(
        evidence, "refuted" if abs(share) <= limits.time_share or share < 0 else "inconclusive", said
    )


def _waiting(evidence: Evidence, timed: Arm, limits: Thresholds) -> Verdict:
    shares = [step.waiting / step.seconds for step in timed.steps[WARM_STEPS:] if step.seconds]
    if len(shares) < limits.time_steps:
        return _verdict(evidence, "inconclusive", f"{len(shares)} timed steps are too few (see --steps)")
    share = median(shares)
    said = f"{100 * share:.0f} % of a step is spent waiting for the loader (median of {len(shares)} steps)"
    return _verdict(evidence, "confirmed" if share >= limits.waiting_share else "refuted", said)


def _seconds(arm: Arm) -> list[float]:
    return [step.seconds for step in arm.steps[WARM_STEPS:]]


def _wobble(values: Sequence[float]) -> float:
    """Standard error of the median, as a share of it."""
    middle = median(values)
    deviation = median(abs(value - middle) for value in values)
    return 1.86 * deviation / middle / math.sqrt(len(values)) if middle else math.inf


def _host(finding: Finding, evidence: Evidence, limits: Thresholds) -> Verdict:
    before, _ = evidence.host
    samples = [step.worker_bytes for step in before.steps] if before is not None else []
    if not any(value > 0 for value in samples):
        return _verdict(evidence, "not_measurable", "no worker process was seen to hold private memory")
    running = [value for value in samples if value > 0]
    grown = max(running) - running[0]
    said = f"worker processes grew by {grown:,} B over {len(running)} sampled steps"
    return _verdict(
        evidence, "confirmed" if grown >= limits.worker_bytes else "inconclusive", said, measured=None
    )


def _reserved(finding: Finding, evidence: Evidence, limits: Thresholds) -> Verdict:
    cuda = evidence.original.cuda
    if "reserved_peak" not in cuda:
        return _verdict(evidence, "not_measurable", "needs the counters of a CUDA device's allocator")
    waste = cuda["reserved_peak"] - cuda["allocated_peak"]
    said = f"{cuda.get('retries', 0)} allocation retries, {waste:,} B reserved above the peak"
    bad = cuda.get("retries", 0) > 0 or waste > 0.1 * cuda["reserved_peak"]
    return _verdict(evidence, "confirmed" if bad else "refuted", said)


Judge = Callable[[Finding, Evidence, Thresholds], Verdict]

JUDGES: dict[str, Judge] = {
    "GROWTH": _growth,
    "GROWTH-HOST": _growth_host,
    "PEAK": _peak,
    "RESERVED": _reserved,
    "HOST": _host,
    "TIME": _time,
    "CORRECT": _correct,
    "STATIC": _static,
}
"""The experiment behind each claim type."""
