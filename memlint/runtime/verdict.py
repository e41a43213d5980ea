"""What the measured arms say about a finding: confirmed, refuted, or why neither."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median, median_low

from memlint.finding import Claim, Finding
from memlint.runtime.correctness import correct
from memlint.runtime.counterfactual import moves_to_host
from memlint.runtime.evidence import WARM_STEPS, Evidence, answer, no_fixed_arm
from memlint.runtime.failures import expected_errors, failed_at_the_lines, judge_failure, ran_out
from memlint.runtime.thresholds import DEFAULT, Thresholds
from memlint.session import STEP, Arm, Verdict, growth_by_unit, is_measured

OF_THE_DEVICE = frozenset({"GROWTH", "PEAK", "RESERVED", "TIME"})
"""Claims that need a device whose memory and clock memlint knows."""


OF_THE_PROCESS = frozenset({"GROWTH", "GROWTH-HOST", "PEAK", "RESERVED", "CORRECT"})
"""Claims that are measured in the process of the script."""


ELSEWHERE = "only processes that the script started ran the line"


def judge(finding: Finding, evidence: Evidence, limits: Thresholds = DEFAULT) -> Verdict:
    """The verdict on one finding."""
    claim = finding.claim
    if claim is None:
        return answer(evidence, "not_measurable", "this rule makes no claim about memory or results")
    failed_here = failed_at_the_lines(evidence.original, evidence.lines)
    if not failed_here and not was_reached(evidence.lines, evidence.original, evidence.again):
        return answer(evidence, "not_reached", f"the line was not executed{_not_here(evidence)}")
    if is_out_of_reach(claim, evidence.lines, evidence.original, evidence.again):
        return answer(evidence, "not_measurable", f"{ELSEWHERE}; memlint measures the script's own")
    ended = judge_failure(claim, evidence.original, evidence.fixed, evidence.lines)
    if ended is not None:
        return answer(evidence, *ended)
    if evidence.original.simulation is not None and (needed := limits.needs_a_run.get(claim.type)):
        return answer(evidence, "not_measurable", f"the script was simulated: {needed}")
    if evidence.original.device == "cpu" and (needed := limits.needs_cuda.get(finding.code)):
        return answer(evidence, "not_measurable", f"the script ran on the CPU: {needed}")
    if claim.type in OF_THE_DEVICE and not is_measured(evidence.original.device):
        return answer(
            evidence, "not_measurable", f"not measured: the script ran on {evidence.original.device}"
        )
    verdict = JUDGES[claim.type](finding, evidence, limits)
    if verdict.status == "refuted" and evidence.original.device == "cpu" and moves_to_host(finding):
        reason = "the script ran on the CPU: the fix moves tensors to where they are already"
        return answer(evidence, "not_measurable", reason)
    return verdict


def was_reached(lines: Sequence[str], original: Arm, again: Arm | None) -> bool:
    """Whether a run of the original executed one of the lines; only `again` watches them all."""
    watching = again or original
    return bool(set(lines) & {*watching.reached, *watching.reached_elsewhere})


def is_out_of_reach(claim: Claim | None, lines: Sequence[str], original: Arm, again: Arm | None) -> bool:
    """Whether only other processes ran a line whose claim is about the script's own."""
    elsewhere = set(lines) & set((again or original).reached_elsewhere)
    return claim is not None and claim.type in OF_THE_PROCESS and bool(elsewhere)


def wants_host(finding: Finding, verdict: Verdict) -> bool:
    """Whether the finding's claim can only be judged once host memory was sampled."""
    kind = finding.claim.type if finding.claim is not None else ""
    return kind in ("GROWTH-HOST", "HOST") or (kind == "GROWTH" and verdict.status == "refuted")


def _not_here(evidence: Evidence) -> str:
    watching, lines = evidence.again or evidence.original, set(evidence.lines)
    if elsewhere := [row.rank for row in watching.ranks if lines & set(row.reached)]:
        return f" on rank {watching.rank}, only on {', '.join(map(str, elsewhere))}"
    return f": {_why_not(evidence.original)}"


def _why_not(arm: Arm) -> str:
    if arm.failure is not None:
        return "the script failed before"
    return (
        "the script ended without it"
        if arm.stopped == "the script ended"
        else f"stopped after {arm.stopped} (see --steps)"
    )


# --- bytes of tensors -------------------------------------------------------------------------------


def _growth(finding: Finding, evidence: Evidence, limits: Thresholds) -> Verdict:
    grows = growth_by_unit(evidence.original.growth)
    if not grows:
        enough = any(row for row in evidence.original.steps[WARM_STEPS + 2 :])
        if not enough:
            count = len(evidence.original.steps)
            return answer(evidence, "inconclusive", f"{count} iterations are too few to see a growth")
        return _host_instead(finding, evidence, limits, "no tensor outlives its step")
    if (missing := no_fixed_arm(evidence)) is not None:
        unit, (total, _) = next(iter(grows.items()))
        reason = f"{_left_behind(evidence.original, unit, total)}; {missing.reason}"
        return answer(evidence, missing.status, reason, per_step=total)
    assert evidence.fixed is not None
    left = growth_by_unit(evidence.fixed.growth)
    for unit, (total, blocks) in grows.items():
        less, fewer = left.get(unit, (0, 0))
        if blocks - fewer >= limits.growth_per_step:
            rest = f", {less:,} B remain of other causes" if less else ""
            return answer(
                evidence,
                "confirmed",
                f"{_left_behind(evidence.original, unit, total)}; with the fix {total - less:,} B less{rest}",
                measured=evidence.original.top_bytes - evidence.fixed.top_bytes,
                per_step=total - less,
            )
    unit, (total, _) = next(iter(grows.items()))
    removed = max(total - left.get(unit, (0, 0))[0], 0)
    return _host_instead(
        finding, evidence, limits, f"on its own the fix removes {removed:,} B of tensors per {_word(unit)}"
    )


def _left_behind(arm: Arm, unit: str, total: int) -> str:
    row = next(row for row in arm.growth if row.series.startswith(unit))
    place = f"{row.file}:{row.line}" if row.line else "a line of a library"
    return f"every {_word(unit)} leaves {total:,} B behind (made at {place})"


def _word(unit: str) -> str:
    return "step" if unit == STEP else unit


def _host_instead(finding: Finding, evidence: Evidence, limits: Thresholds, what: str) -> Verdict:
    host = _growth_host(finding, evidence, limits)
    if host.status == "confirmed":
        return answer(evidence, "host_only", f"{what}; but {host.reason}", per_step=host.bytes_per_step)
    if host.status == "inconclusive":
        return answer(evidence, "inconclusive", f"{what}; of host memory, {host.reason}")
    return answer(evidence, "refuted", what, per_step=0)


def _growth_host(finding: Finding, evidence: Evidence, limits: Thresholds) -> Verdict:
    before, after = evidence.host
    if before is None:
        return answer(evidence, "not_measurable", "host memory was not sampled")
    slope = host_slope(before)
    if slope is None:
        return answer(evidence, "inconclusive", f"{len(before.steps)} steps are too few to see a growth")
    if after is None or evidence.fixed is None:
        problem = evidence.problem or "memlint has no fix to compare with"
        return answer(evidence, "inconclusive", f"{slope:,} B of host memory per step; {problem}")
    remaining = host_slope(after)
    if remaining is None:
        count = len(after.steps)
        return answer(evidence, "inconclusive", f"{count} steps with the fix are too few to compare")
    removed = slope - remaining
    nodes = median_low([step.nodes for step in before.steps[WARM_STEPS:]])
    noise = sum(_error_of_median(_host_growth(arm)) for arm in (before, after))
    kept = f"about {removed // limits.node_bytes:,} of " if removed < nodes * limits.node_bytes else ""
    said = f"{removed:,} B of host memory per step ({kept}{nodes:,} autograd nodes a step)"
    if removed >= max(limits.host_per_step, limits.spread_factor * noise):
        return answer(evidence, "confirmed", f"the fix saves {said}", per_step=removed)
    if removed >= limits.host_per_step:
        reason = f"the fix saves {said}, no more than the noise of {int(noise):,} B lets one expect"
        return answer(evidence, "inconclusive", reason)
    return answer(
        evidence,
        "refuted",
        f"on its own the fix saves {max(removed, 0):,} B of host memory per step",
        per_step=0,
    )


def host_slope(arm: Arm) -> int | None:
    """Bytes of host memory per step after warm-up: the median of the differences, None for too few."""
    found = _host_growth(arm)
    return int(median(found)) if len(found) > 2 else None


def _host_growth(arm: Arm) -> list[int]:
    return [b.host_bytes - a.host_bytes for a, b in pairwise(arm.steps[WARM_STEPS:])]


def _peak(finding: Finding, evidence: Evidence, limits: Thresholds) -> Verdict:
    if (both := ran_out(evidence.original, evidence.fixed)) and evidence.fixed is not None:
        return answer(evidence, "inconclusive", both)
    if (missing := no_fixed_arm(evidence)) is not None:
        held = sum(row.bytes for row in evidence.original.lines if f"{row.file}:{row.line}" in evidence.lines)
        reason = f"its lines hold {held:,} B at the peak; {missing.reason}"
        return answer(evidence, missing.status, reason)
    assert evidence.fixed is not None
    phase, peak = evidence.original.peak.phase, evidence.original.top_bytes
    less = peak - evidence.fixed.top_bytes
    noise = limits.spread_factor * spread(evidence)
    if less > max(noise, limits.peak_share * peak):
        where = f"from {peak:,} to {evidence.fixed.top_bytes:,} B"
        return answer(evidence, "confirmed", f"the fix lowers the peak {where}", measured=less)
    if abs(less) <= max(noise, limits.growth_per_step):
        reason = f"no effect: your peak is in {in_words(phase)}, which this cannot lower"
        return answer(evidence, "refuted", reason, measured=less)
    if less < 0:
        return answer(evidence, "refuted", f"the fix raises the peak by {-less:,} B", measured=less)
    part = f"{less:,} B, {100 * less / peak:.2f} % of the peak"
    wide = f" and {limits.spread_factor:g} times the spread of {noise / limits.spread_factor:,.0f} B"
    floor = f"counts from {100 * limits.peak_share:g} %{wide if noise else ''}"
    return answer(
        evidence, "inconclusive", f"the fix lowers the peak by {part}; an effect {floor}", measured=less
    )


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


# --- the other claims -------------------------------------------------------------------------------


def _static(finding: Finding, evidence: Evidence, limits: Thresholds) -> Verdict:
    assert finding.claim is not None
    if expected_errors(finding.claim):
        return answer(evidence, "refuted", "the line ran, and no error of it ended the script")
    return answer(evidence, "not_measurable", "the claim is about what the call does, not about bytes")


def _time(finding: Finding, evidence: Evidence, limits: Thresholds) -> Verdict:
    before, after = evidence.clock
    if finding.code in limits.waiting_rules and before is not None:
        return _waiting(evidence, before, limits)
    if before is None or after is None:
        return no_fixed_arm(evidence) or answer(evidence, "inconclusive", "the steps were not timed")
    if finding.code in limits.starting_rules:
        return _starting(evidence, before, after, limits)
    old, new = _seconds(before), _seconds(after)
    if min(len(old), len(new)) < limits.time_steps:
        count = min(len(old), len(new))
        reason = f"{count} timed steps are too few (at least {limits.time_steps}: --steps)"
        return answer(evidence, "inconclusive", reason)
    share = 1 - median(new) / median(old)
    noise = _wobble(old) + _wobble(new)
    said = f"a step takes {1000 * median(old):.3g} ms, with the fix {1000 * median(new):.3g} ms"
    if share > max(limits.time_share, limits.spread_factor * noise):
        return answer(evidence, "confirmed", said)
    return answer(
        evidence, "refuted" if abs(share) <= limits.time_share or share < 0 else "inconclusive", said
    )


def _waiting(evidence: Evidence, timed: Arm, limits: Thresholds) -> Verdict:
    shares = [step.waiting / step.seconds for step in timed.steps[WARM_STEPS:] if step.seconds]
    if len(shares) < limits.time_steps:
        return answer(evidence, "inconclusive", f"{len(shares)} timed steps are too few (see --steps)")
    share = median(shares)
    said = f"{100 * share:.0f} % of a step is spent waiting for the loader (median of {len(shares)} steps)"
    return answer(evidence, "confirmed" if share >= limits.waiting_share else "refuted", said)


def _starting(evidence: Evidence, before: Arm, after: Arm, limits: Thresholds) -> Verdict:
    """How long each later pass over a loader takes to begin: a replay shortens passes, not their start."""
    count = min(len(before.starts), len(after.starts))
    if count < limits.starts:
        reason = f"{count} later passes over the loader are too few (at least {limits.starts})"
        return answer(evidence, "inconclusive", reason)
    old, new = median(before.starts), median(after.starts)
    noise = old * _wobble(before.starts) + new * _wobble(after.starts)
    said = (
        f"each later pass over the loader waits {1000 * old:.3g} ms for its first batch, with the fix "
        f"{1000 * new:.3g} ms (medians of {len(before.starts)} and {len(after.starts)} passes)"
    )
    if old - new > max(limits.start_seconds, limits.spread_factor * noise):
        return answer(evidence, "confirmed", said)
    return answer(evidence, "refuted" if old - new <= limits.start_seconds else "inconclusive", said)


def _seconds(arm: Arm) -> list[float]:
    return [step.seconds for step in arm.steps[WARM_STEPS:]]


def _wobble(values: Sequence[float]) -> float:
    """Standard error of the median, as a share of it."""
    middle = median(values)
    return _error_of_median(values) / middle if middle else math.inf


def _error_of_median(values: Sequence[float]) -> float:
    middle = median(values)
    return 1.86 * median(abs(value - middle) for value in values) / math.sqrt(len(values))


def _host(finding: Finding, evidence: Evidence, limits: Thresholds) -> Verdict:
    before, after = evidence.host
    if before is None:
        return answer(evidence, "not_measurable", "host memory was not sampled")
    if finding.code in limits.copying_workers:
        return _copies(evidence, before, limits)
    if after is not None:
        return _host_of_process(evidence, before, after, limits)
    running = [step.worker_bytes for step in before.steps if step.worker_bytes > 0]
    if not running:
        slope = host_slope(before) or 0
        if slope >= limits.host_per_step:
            return answer(evidence, "inconclusive", f"{slope:,} B of host memory per step; no fix to compare")
        return answer(evidence, "not_measurable", "no worker process was seen to hold private memory")
    grown = max(running) - running[0]
    late = max(running) - max(running[: len(running) // 2], default=0)
    said = f"worker processes hold {max(running):,} B of private memory, {grown:,} B more than at first"
    if finding.code not in limits.growing_workers:
        return answer(evidence, "inconclusive", f"{said}; how much of it is data is not measured")
    if grown < limits.worker_bytes:
        return answer(evidence, "inconclusive", said)
    if late < limits.worker_share * grown:
        return answer(evidence, "inconclusive", f"{said}, and no longer grow")
    return answer(evidence, "confirmed", f"{said}, and still grow after {len(running)} steps")


def _copies(evidence: Evidence, before: Arm, limits: Thresholds) -> Verdict:
    """What spawned workers are given: it is pickled, so that they hold a copy of their own."""
    if not before.sent:
        return answer(evidence, "not_measurable", "no process was spawned: forked ones are given nothing")
    most = max(before.sent)
    said = f"{len(before.sent)} processes were spawned and given up to {most:,} B of pickled objects each"
    if most < limits.worker_bytes:
        return answer(evidence, "refuted", f"{said}: no copy of a data set")
    private = max((step.worker_bytes for step in before.steps), default=0)
    held = f"; together they hold {private:,} B of private memory" if private > 0 else ""
    return answer(evidence, "confirmed", said + held)


def _host_of_process(evidence: Evidence, before: Arm, after: Arm, limits: Thresholds) -> Verdict:
    counts = min(len(before.steps), len(after.steps))
    if counts <= WARM_STEPS:
        return answer(evidence, "inconclusive", f"{counts} steps are too few to tell")
    old, new = (max(step.host_bytes for step in arm.steps[:counts]) for arm in (before, after))
    said = f"the process holds at most {old:,} B, with the fix {new:,} B, within {counts} steps"
    if old - new >= limits.host_bytes:
        return answer(evidence, "confirmed", said)
    few = "; a replay cuts passes over a loader short" if old > new else ""
    return answer(evidence, "inconclusive" if old > new else "refuted", f"{said}{few}")


def _reserved(finding: Finding, evidence: Evidence, limits: Thresholds) -> Verdict:
    cuda = evidence.original.cuda
    if "reserved_peak" not in cuda:
        return answer(evidence, "not_measurable", "needs the counters of a CUDA device's allocator")
    waste = cuda["reserved_peak"] - cuda["allocated_peak"]
    said = f"{cuda.get('retries', 0)} allocation retries, {waste:,} B reserved above the peak"
    bad = cuda.get("retries", 0) > 0 or waste > 0.1 * cuda["reserved_peak"]
    return answer(evidence, "confirmed" if bad else "refuted", said)


Judge = Callable[[Finding, Evidence, Thresholds], Verdict]

JUDGES: dict[str, Judge] = {
    "GROWTH": _growth,
    "GROWTH-HOST": _growth_host,
    "PEAK": _peak,
    "RESERVED": _reserved,
    "HOST": _host,
    "TIME": _time,
    "CORRECT": correct,
    "STATIC": _static,
}
"""The experiment behind each claim type."""
