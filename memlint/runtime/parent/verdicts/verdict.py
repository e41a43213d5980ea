"""What the measured arms say about a finding: confirmed, refuted, or why neither."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from memlint.finding import Claim, Finding
from memlint.runtime.parent.counterfactual import moves_to_host
from memlint.runtime.parent.verdicts import attribution, growth, peaks, timing
from memlint.runtime.parent.verdicts.correctness import correct
from memlint.runtime.parent.verdicts.evidence import (
    WARM_STEPS,
    Evidence,
    answer,
)
from memlint.runtime.parent.verdicts.failures import (
    OF_MEMORY,
    expected_errors,
    failed_at_the_lines,
    judge_failure,
)
from memlint.runtime.parent.verdicts.thresholds import DEFAULT, Thresholds
from memlint.session import (
    MEMORY_LIMIT,
    TIME_LIMIT,
    Arm,
    Rank,
    Verdict,
    growth_by_unit,
    is_measured,
    stop_in_words,
)
from memlint.units import size

OF_THE_DEVICE = frozenset({"GROWTH", "PEAK", "RESERVED", "TIME"})
"""Claims that need a device whose memory and clock memlint knows."""


OF_THE_PROCESS = frozenset({"GROWTH", "GROWTH-HOST", "PEAK", "RESERVED", "CORRECT"})
"""Claims that are measured in the process of the script."""


NEEDS = {
    "gpu-tensors": "the claim is about tensors left on a GPU",
    "gpu-copies": "the claim is about copies to a GPU",
    "cuda-allocator": "the claim is about the allocator of a CUDA device",
    "cuda-setting": "the setting is one of CUDA devices",
    "several-gpus": "the claim needs several CUDA devices",
}
"""What a claim `needs` that a run on the CPU does not have, in words."""

ELSEWHERE = "only processes that the script started ran the line"


def judge(finding: Finding, evidence: Evidence, limits: Thresholds = DEFAULT) -> Verdict:
    """The verdict on one finding."""
    claim = finding.claim
    if claim is None:
        return answer(evidence, "not_measurable", "this rule makes no claim about memory or results")
    failed_here = failed_at_the_lines(evidence.original, evidence.lines)
    needed = NEEDS.get(claim.needs, "") if evidence.original.device == "cpu" else ""
    if not failed_here and not was_reached(evidence.lines, evidence.original, evidence.again):
        return answer(
            evidence, "not_reached", f"the line was not executed{_not_here(claim, evidence, needed)}"
        )
    if is_out_of_reach(claim, evidence.lines, evidence.original, evidence.again):
        return answer(evidence, "not_measurable", f"{ELSEWHERE}; memlint measures the script's own")
    ended = judge_failure(claim, evidence.original, evidence.fixed, evidence.lines)
    if ended is not None:
        return answer(evidence, *ended)
    if claim.type in OF_MEMORY and (cut := _cut_short(evidence)):
        return answer(evidence, "inconclusive", cut)
    if evidence.original.simulation is not None and (missing := limits.needs_a_run.get(claim.type)):
        # Autograd nodes are real there too, and counted.
        if claim.check == "graph-nodes" and (nodes := growth.by_nodes(evidence)):
            return nodes
        return answer(evidence, "not_measurable", f"the script was simulated: {missing}")
    if needed:
        return answer(evidence, "not_measurable", f"the script ran on the CPU: {needed}")
    if evidence.original.simulation is not None and claim.needs == "several-gpus":
        return answer(evidence, "not_measurable", f"one GPU was simulated, and {NEEDS[claim.needs]}")
    if claim.type in OF_THE_DEVICE and not is_measured(evidence.original.device):
        return answer(
            evidence, "not_measurable", f"not measured: the script ran on {evidence.original.device}"
        )
    verdict = JUDGES[claim.type](finding, evidence, limits)
    if verdict.status == "refuted" and evidence.original.device == "cpu" and moves_to_host(finding):
        reason = "the script ran on the CPU: the fix moves tensors to where they are already"
        no_answer = answer(evidence, "not_measurable", reason)
        if claim.type != "GROWTH" or not evidence.original.growth:
            return no_answer
        # What small tensors cost on a GPU, in blocks, does not show on the CPU: nothing refutes it there.
        by_lines = attribution.by_attribution(evidence, no_answer, limits)
        return no_answer if by_lines.status == "refuted" else by_lines
    if verdict.status == "refuted" and (early := _broke_off(evidence.original)):
        return replace(verdict, status="inconclusive", reason=f"{verdict.reason}; but {early}")
    return verdict


def _cut_short(evidence: Evidence) -> str:
    """That memlint could not follow the tensors of a run to its end, in words; "" where it could."""
    runs = (evidence.original, evidence.again, evidence.fixed)
    ends = [arm.cut_short for arm in runs if arm is not None and arm.cut_short]
    return f"memlint itself failed: tensors were followed up to {ends[0]} only" if ends else ""


def _broke_off(arm: Arm) -> str:
    """That the script would have gone on but for an error, in words; "" where it had come to its end."""
    failure = arm.failure
    if failure is None or failure.out_of_memory or failure.type == "SystemExit":
        return ""
    ended = "the simulation ended" if failure.is_doubtful else "the script failed"
    return f"{ended} after {len(arm.steps)} steps"


def was_reached(lines: Sequence[str], original: Arm, again: Arm | None) -> bool:
    """Whether a run of the original executed one of the lines; only `again` watches them all."""
    watching = again or original
    return bool(set(lines) & {*watching.reached, *watching.reached_elsewhere})


def is_out_of_reach(claim: Claim | None, lines: Sequence[str], original: Arm, again: Arm | None) -> bool:
    """Whether only other processes ran a line whose claim is about the script's own."""
    elsewhere = set(lines) & set((again or original).reached_elsewhere)
    return claim is not None and claim.type in OF_THE_PROCESS and bool(elsewhere)


def wants_host(finding: Finding, verdict: Verdict, original: Arm) -> bool:
    """Whether the finding's claim can only be judged once host memory was sampled.

    What graphs keep of it is worth a run where their nodes pile up: how many bytes are they?
    """
    kind = finding.claim.type if finding.claim is not None else ""
    of_graphs = kind == "GROWTH-HOST" or (kind == "GROWTH" and verdict.status == "refuted")
    return kind == "HOST" or (of_graphs and growth.may_hold_nodes(original))


def _not_here(claim: Claim, evidence: Evidence, needed: str) -> str:
    watching, lines = evidence.again or evidence.original, set(evidence.lines)
    if elsewhere := [row for row in watching.ranks if lines & set(row.reached)]:
        places = " and ".join(
            f"{row.rank}{_grows_there(row) if claim.type == 'GROWTH' else ''}" for row in elsewhere
        )
        return f" on rank {watching.rank}, only on {places}"
    return f": {_why_not(evidence.original, needed)}"


def _grows_there(row: Rank) -> str:
    found = growth_by_unit(row.growth).items()
    return "".join(
        f" (every {attribution.in_words(unit)} leaves {size(total)} behind there)"
        for unit, (total, _) in found
    )


def _why_not(arm: Arm, needed: str) -> str:
    if arm.failure is not None:
        return f"{arm.stopped} before" if arm.failure.out_of_memory else "the script failed before"
    if needed:
        return f"the script ran on the CPU, and {needed}"
    if arm.stopped == "the script ended":
        return "the script ended without it"
    limits = {TIME_LIMIT: "--timeout", MEMORY_LIMIT: "--memory-limit"}
    option = next((option for limit, option in limits.items() if arm.stopped.startswith(limit)), "--steps")
    return f"{stop_in_words(arm.stopped)} (see {option})"


# --- the other claims -------------------------------------------------------------------------------


def _static(finding: Finding, evidence: Evidence, limits: Thresholds) -> Verdict:
    assert finding.claim is not None
    if expected_errors(finding.claim):
        return answer(evidence, "refuted", "the line ran, and no error of it ended the script")
    return answer(evidence, "not_measurable", "the claim is about what the call does, not about bytes")


def _host(finding: Finding, evidence: Evidence, limits: Thresholds) -> Verdict:
    before, after = evidence.host
    if before is None:
        return answer(evidence, "not_measurable", "host memory was not sampled")
    check = finding.claim.check if finding.claim is not None else ""
    if check == "workers-copy":
        return _copies(evidence, before, limits)
    if check == "batches-waiting":
        return _waiting(evidence, before, limits)
    if after is not None:
        return _host_of_process(evidence, before, after, limits)
    running = [step.worker_bytes for step in before.steps if step.worker_bytes > 0]
    if not running:
        slope = growth.host_slope(before) or 0
        if slope >= limits.host_per_step:
            said = f"{size(slope)} of host memory per step; no fix to compare"
            return answer(evidence, "inconclusive", said)
        return answer(evidence, "not_measurable", "no worker process was seen to hold private memory")
    grown = max(running) - running[0]
    late = max(running) - max(running[: len(running) // 2], default=0)
    said = f"worker processes hold {size(max(running))} of private memory, {size(grown)} more than at first"
    if check != "workers-grow":
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
    said = f"{len(before.sent)} processes were spawned and given up to {size(most)} of pickled objects each"
    if most < limits.worker_bytes:
        return answer(evidence, "refuted", f"{said}: no copy of a data set")
    private = max((step.worker_bytes for step in before.steps), default=0)
    held = f"; together they hold {size(private)} of private memory" if private > 0 else ""
    return answer(evidence, "confirmed", said + held)


def _waiting(evidence: Evidence, before: Arm, limits: Thresholds) -> Verdict:
    """What lay in shared memory: batches that workers had prepared, and the one in use."""
    if not before.shared:
        return answer(evidence, "not_measurable", "no tensor was seen in shared memory")
    said = f"up to {size(before.shared)} of batches lay in shared memory"
    if before.shared >= limits.shared_bytes:
        return answer(evidence, "confirmed", said)
    floor = f"an effect counts from {size(limits.shared_bytes)}"
    return answer(evidence, "inconclusive", f"{said}: {floor}, and workers may need longer than this replay")


def _host_of_process(evidence: Evidence, before: Arm, after: Arm, limits: Thresholds) -> Verdict:
    counts = min(len(before.steps), len(after.steps))
    if counts <= WARM_STEPS:
        return answer(evidence, "inconclusive", f"{counts} steps are too few to tell")
    old, new = (max(step.host_bytes for step in arm.steps[:counts]) for arm in (before, after))
    said = f"the process holds at most {size(old)}, with the fix {size(new)}, within {counts} steps"
    if old - new >= limits.host_bytes:
        return answer(evidence, "confirmed", said)
    few = "; a replay cuts passes over a loader short" if old > new else ""
    return answer(evidence, "inconclusive" if old > new else "refuted", f"{said}{few}")


def _reserved(finding: Finding, evidence: Evidence, limits: Thresholds) -> Verdict:
    cuda = evidence.original.cuda
    if "reserved_peak" not in cuda:
        return answer(evidence, "not_measurable", "needs the counters of a CUDA device's allocator")
    waste = cuda["reserved_peak"] - cuda["allocated_peak"]
    said = f"{cuda.get('retries', 0)} allocation retries, {size(waste)} reserved above the peak"
    bad = cuda.get("retries", 0) > 0 or waste > 0.1 * cuda["reserved_peak"]
    return answer(evidence, "confirmed" if bad else "refuted", said)


Judge = Callable[[Finding, Evidence, Thresholds], Verdict]

JUDGES: dict[str, Judge] = {
    "GROWTH": growth.of_tensors,
    "GROWTH-HOST": growth.of_host,
    "PEAK": peaks.judge,
    "RESERVED": _reserved,
    "HOST": _host,
    "TIME": timing.judge,
    "CORRECT": correct,
    "STATIC": _static,
}
"""The experiment behind each claim type."""
