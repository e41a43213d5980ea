"""What the measured arms say about a finding: confirmed, refuted, or why neither."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from memlint.finding import Claim, Finding
from memlint.runtime.parent.counterfactual import moves_to_host
from memlint.runtime.parent.verdicts import attribution, growth, timing
from memlint.runtime.parent.verdicts.correctness import correct
from memlint.runtime.parent.verdicts.evidence import (
    WARM_STEPS,
    Evidence,
    answer,
    elsewhere_lower,
    in_words,
    no_fixed_arm,
    spread,
)
from memlint.runtime.parent.verdicts.failures import (
    OF_MEMORY,
    expected_errors,
    failed_at_the_lines,
    judge_failure,
    misses_its_graph,
    ran_out,
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
from memlint.units import change, size

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

AT_PEAK = {
    "bytes-in-backward": ("", "backward"),
    "bytes-in-evaluation": ("", "evaluation"),
    "gradients-in-evaluation": ("gradient", "evaluation"),
    "gradients-in-forward": ("gradient", "forward"),
    "activations-in-evaluation": ("activation", "evaluation"),
}
"""The phase that a PEAK claim is about, by its `check`, and the kind of tensors ("": some of a kind)."""

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


def wants_host(finding: Finding, verdict: Verdict) -> bool:
    """Whether the finding's claim can only be judged once host memory was sampled."""
    kind = finding.claim.type if finding.claim is not None else ""
    return kind in ("GROWTH-HOST", "HOST") or (kind == "GROWTH" and verdict.status == "refuted")


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


# --- the peak --------------------------------------------------------------------------------------


def _peak(finding: Finding, evidence: Evidence, limits: Thresholds) -> Verdict:
    if (both := ran_out(evidence.original, evidence.fixed)) and evidence.fixed is not None:
        return answer(evidence, "inconclusive", both)
    assert finding.claim is not None
    if finding.claim.check == "activations-in-evaluation" and misses_its_graph(
        evidence.original, evidence.fixed
    ):
        reason = "with the fix a backward() fails for want of a graph: the script uses it"
        return answer(evidence, "refuted", reason)
    if (missing := no_fixed_arm(evidence)) is not None:
        check = finding.claim.check if finding.claim is not None else ""
        kind, where = AT_PEAK.get(check, ("", ""))
        if check == "graphs-waiting" and (gathered := _gathered(evidence, missing)):
            return gathered
        if evidence.fixed is None and where:
            if evidence.original.peak.phase != where:
                now = in_words(evidence.original.peak.phase)
                reason = f"no effect: your peak is in {now}, which this cannot lower"
                return answer(evidence, "refuted", reason, measured=0)
            if check == "bytes-in-backward":
                return _lingering(evidence, missing, limits)
            if kind:
                return _of_kind(evidence, kind, missing, limits)
        if evidence.fixed is None and check == "activations-of-line" and (made := _activations(evidence)):
            said = f"its lines made {size(made)} of activations"
            return _share_of_peak(evidence, said, made, missing, limits, everywhere=True)
        return answer(evidence, missing.status, f"{_made_at_peak(evidence)}; {missing.reason}")
    assert evidence.fixed is not None
    phase, peak = evidence.original.peak.phase, evidence.original.top_bytes
    less = peak - evidence.fixed.top_bytes
    noise = limits.spread_factor * spread(evidence)
    if less > max(noise, limits.peak_share * peak):
        where = f"from {change(peak, evidence.fixed.top_bytes)}"
        return answer(evidence, "confirmed", f"the fix lowers the peak {where}", measured=less)
    if abs(less) <= max(noise, limits.growth_per_step):
        reason = f"no effect: your peak is in {in_words(phase)}, which this cannot lower"
        lower = elsewhere_lower(evidence, limits)
        return answer(evidence, "refuted", f"{reason}; {lower}" if lower else reason, measured=less)
    if less < 0:
        now = f"to {size(evidence.fixed.top_bytes)} in {in_words(evidence.fixed.peak.phase)}"
        return answer(evidence, "refuted", f"the fix raises the peak by {size(-less)}, {now}", measured=less)
    part = f"{size(less)}, {100 * less / peak:.2f} % of the peak"
    if less >= limits.peak_bytes:
        return answer(evidence, "confirmed", f"the fix lowers the peak by {part}", measured=less)
    floor = f"{100 * limits.peak_share:g} % of it, or {size(limits.peak_bytes)}"
    reason = f"the fix lowers the peak by {part}: less than counts as an effect ({floor})"
    return answer(evidence, "refuted", reason, measured=less)


def _of_kind(evidence: Evidence, kind: str, missing: Verdict, limits: Thresholds) -> Verdict:
    """Without a fix: how much of the peak are the tensors that a claim is about."""
    held = evidence.original.kinds.get(kind, 0)
    return _share_of_peak(evidence, f"{size(held)} are {kind}s", held, missing, limits)


def _lingering(evidence: Evidence, missing: Verdict, limits: Thresholds) -> Verdict:
    """Without a fix: what the forward made that is alive at the peak in backward, and after that backward."""
    held = evidence.original.lingering
    said = f"{size(held)} made by the forward pass are kept beyond that backward"
    return _share_of_peak(evidence, said, held, missing, limits)


def _activations(evidence: Evidence) -> int:
    """Bytes of activations at the peak that the lines made, or led a library to make."""
    lines = (row for row in evidence.original.lines if f"{row.file}:{row.line}" in evidence.lines)
    return sum(row.bytes for row in lines if row.kind == "activation")


def _share_of_peak(
    evidence: Evidence,
    what: str,
    held: int,
    missing: Verdict,
    limits: Thresholds,
    *,
    everywhere: bool = False,
) -> Verdict:
    """The verdict from the bytes at the peak that a claim is about; `what` says which they are.

    Where they are gone `everywhere` with a fix, no other phase sets a limit to what that frees.
    """
    peak = evidence.original.peak
    said = f"of {size(peak.bytes)} at the peak, in {in_words(peak.phase)}, {what}"
    others = {phase: top for phase, top in evidence.original.tops.items() if phase != peak.phase}
    next_highest = max(others, key=others.__getitem__, default="")
    less = held if everywhere else min(held, peak.bytes - others.get(next_highest, 0))
    if less < held:
        said += f", but {size(others[next_highest])} are alive in {in_words(next_highest)} as well"
    if less <= limits.peak_share * (top := evidence.original.top_bytes):
        floor = f"an effect counts from {100 * limits.peak_share:g} % of {size(top)}"
        reason = f"{said}; {floor}" if held else f"no effect: {said}"
        return answer(evidence, "refuted", reason, measured=less)
    reason = f"{said}; this is by attribution: {missing.reason}"
    return answer(evidence, "confirmed", reason, measured=less)


def _gathered(evidence: Evidence, missing: Verdict) -> Verdict | None:
    """Without a fix: what several forwards add up to before they are given back; None where they do not."""
    rows = [row for row in evidence.original.growth if row.within and row.series.startswith("forward")]
    rows = [row for row in rows if row.series == rows[0].series]
    each, whole = sum(row.bytes_per_step for row in rows), sum(row.bytes for row in rows)
    if not 0 < each < whole <= evidence.original.peak.bytes:
        return None
    said = f"every forward adds {size(each)}, {size(whole)} in all before they are freed together"
    reason = f"{said}; this is by attribution: {missing.reason}"
    return answer(evidence, "confirmed", reason, measured=whole - each)


def _made_at_peak(evidence: Evidence) -> str:
    """What the lines made of the peak; what they only keep alive was made by others."""
    peak = evidence.original.peak
    made = sum(row.bytes for row in evidence.original.lines if f"{row.file}:{row.line}" in evidence.lines)
    where = f"of {size(peak.bytes)} at the peak, in {in_words(peak.phase)}, its lines made {size(made)}"
    return f"{where}; how much of the peak a change would free is not known"


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
    "PEAK": _peak,
    "RESERVED": _reserved,
    "HOST": _host,
    "TIME": timing.judge,
    "CORRECT": correct,
    "STATIC": _static,
}
"""The experiment behind each claim type."""
