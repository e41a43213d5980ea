"""Judges claims that every step leaves memory behind, on the device or on the host."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from statistics import median, median_low

from memlint.finding import Finding
from memlint.runtime.parent.verdicts.attribution import (
    by_attribution,
    in_words,
    is_about,
    is_beside,
    left_behind,
    of_leaks,
    pile_of,
    piled_up,
)
from memlint.runtime.parent.verdicts.evidence import (
    WARM_STEPS,
    Evidence,
    answer,
    elsewhere_lower,
    error_of_median,
    no_fixed_arm,
)
from memlint.runtime.parent.verdicts.thresholds import Thresholds
from memlint.session import ENOUGH, Arm, Verdict, growth_by_unit
from memlint.units import size


def of_tensors(finding: Finding, evidence: Evidence, limits: Thresholds) -> Verdict:
    """The verdict on a GROWTH claim."""
    grows = growth_by_unit(evidence.original.growth)
    if not grows:
        count = len(evidence.original.steps)
        if (few := _of_few_forwards(evidence, limits)) is not None:
            return few
        if count < ENOUGH:
            reason = f"too few steps to see a growth: {count} of at least {ENOUGH}"
            return answer(evidence, "inconclusive", reason)
        return _host_instead(finding, evidence, limits, "no tensor outlives its step")
    if (missing := no_fixed_arm(evidence)) is not None:
        return by_attribution(evidence, missing, limits)
    assert evidence.fixed is not None
    left = growth_by_unit(evidence.fixed.growth)
    for unit, (total, blocks) in grows.items():
        less, fewer = left.get(unit, (0, 0))
        if blocks - fewer >= limits.growth_per_step:
            rest = f", {size(less)} remain" if less else ""
            return answer(
                evidence,
                "confirmed",
                f"{left_behind(evidence.original.growth, unit, total)}; "
                f"with the fix {size(total - less)} less{rest}",
                measured=evidence.original.top_bytes - evidence.fixed.top_bytes,
                per_step=total - less,
            )
    unit, (total, _) = next(iter(grows.items()))
    freed = _freed_by_the_end(evidence.original, evidence.fixed)
    if freed >= ENOUGH * max(total, limits.growth_per_step):
        less = evidence.original.top_bytes - evidence.fixed.top_bytes
        reason = f"with the fix {size(freed)} less are alive after the last step"
        if freed > total * len(evidence.original.steps):
            # More than the steps have left behind: it came at another time, as a whole epoch's evaluation.
            return answer(evidence, "confirmed", reason, measured=less)
        behind = left_behind(evidence.original.growth, unit, total)
        return answer(evidence, "confirmed", f"{behind}; {reason}", measured=less, per_step=total)
    removed = max(total - left.get(unit, (0, 0))[0], 0)
    part = f"{size(removed)} of the {size(total)}" if removed else f"none of the {size(total)}"
    what = f"on its own the fix removes {part} of tensors that every {in_words(unit)} leaves behind"
    return _host_instead(finding, evidence, limits, what)


def _of_few_forwards(evidence: Evidence, limits: Thresholds) -> Verdict | None:
    """Without a fix: what a pass of few forwards gathers, where a finding is about it; None elsewhere."""
    missing = no_fixed_arm(evidence)
    if evidence.fixed is not None or missing is None or not evidence.original.gathered:
        return None
    in_pass = replace(evidence.original, growth=evidence.original.gathered)
    found = by_attribution(replace(evidence, original=in_pass, leaks=()), missing, limits)
    return found if found.status in ("confirmed", "host_only") else None


def _why(evidence: Evidence) -> str:
    """Why there is no fixed script to compare with."""
    missing = no_fixed_arm(evidence)
    return missing.reason if missing is not None else ""


def _freed_by_the_end(original: Arm, fixed: Arm) -> int:
    """Bytes that only the fixed script has given up by the last step, at the end of an epoch for instance."""
    less = [a.bytes - b.bytes for a, b in zip(original.steps, fixed.steps, strict=False)]
    return less[-1] - less[WARM_STEPS] if len(less) == len(original.steps) > WARM_STEPS else 0


def _host_instead(finding: Finding, evidence: Evidence, limits: Thresholds, what: str) -> Verdict:
    host = of_host(finding, evidence, limits)
    if host.status == "confirmed":
        return answer(evidence, "host_only", f"{what}; but {host.reason}", per_step=host.bytes_per_step)
    if host.status == "not_measurable" and evidence.fixed is None:
        if evidence.original.tops.get("evaluation"):
            few = f"a pass of fewer than {ENOUGH} forwards is too short to see what it gathers"
            return answer(evidence, "inconclusive", f"{what}; {few}, and {_why(evidence)}")
        return answer(evidence, "refuted", what, per_step=0)
    if host.status == "inconclusive":
        return answer(evidence, "inconclusive", f"{what}; of host memory, {host.reason}")
    if lower := elsewhere_lower(evidence, limits):
        # What a few iterations of a pass gather is no rate per step, but as many bytes all the same.
        assert evidence.fixed is not None
        less = evidence.original.top_bytes - evidence.fixed.top_bytes
        return answer(evidence, "confirmed", f"{what}; with the fix {lower}", measured=less)
    return answer(evidence, "refuted", what, per_step=0)


def may_hold_nodes(original: Arm) -> bool:
    """Whether autograd nodes pile up in the script as it is, or it is not known."""
    return bool(original.piles or original.lost) or len(original.steps) < ENOUGH


def of_host(finding: Finding, evidence: Evidence, limits: Thresholds) -> Verdict:
    """The verdict on a GROWTH-HOST claim."""
    before, after = evidence.host
    if before is None:
        if evidence.fixed is not None and may_hold_nodes(evidence.original):
            return answer(evidence, "not_measurable", "host memory was not sampled")
        return by_nodes(evidence) or _without_nodes(finding, evidence)
    slope = host_slope(before)
    if slope is None:
        return answer(evidence, "inconclusive", f"too few steps to see a growth: {len(before.steps)}")
    if after is None or evidence.fixed is None:
        return _host_alone(evidence, before, slope, limits)
    remaining = host_slope(after)
    if remaining is None:
        count = len(after.steps)
        return answer(evidence, "inconclusive", f"too few steps with the fix to compare: {count}")
    removed = slope - remaining
    nodes = median_low([step.nodes for step in before.steps[WARM_STEPS:]])
    noise = sum(error_of_median(_host_growth(arm)) for arm in (before, after))
    said = f"{size(removed)} of host memory per step (a step makes {nodes:,} autograd nodes)"
    if removed >= max(limits.host_per_step, limits.spread_factor * noise):
        return answer(evidence, "confirmed", f"the fix saves {said}", per_step=removed)
    if removed >= limits.host_per_step:
        reason = f"the fix saves {said}, no more than the noise of {size(int(noise))}"
        return answer(evidence, "inconclusive", reason)
    return answer(
        evidence,
        "refuted",
        f"on its own the fix saves {size(max(removed, 0))} of host memory per step",
        per_step=0,
    )


def by_nodes(evidence: Evidence) -> Verdict | None:
    """The verdict from the tensors, or nodes, that pile up in what a finding speaks of; None without any."""
    why = no_fixed_arm(evidence)
    leaks = [leak for leak in evidence.leaks if leak.rows]
    mine = [leak for leak in leaks if is_about(leak, evidence.lines, evidence.mentions)]
    pile = pile_of(evidence)
    if pile is not None and all(is_beside(leak, evidence.original, pile) for leak in mine):
        mine = []
    if mine and why is not None:
        return of_leaks(evidence, mine, why)
    if pile is None:
        return None
    reason = f"{piled_up(evidence.original, pile)}; this is by attribution"
    reason += f": {why.reason}" if why is not None else ""
    return answer(evidence, "confirmed", reason)


def _without_nodes(finding: Finding, evidence: Evidence) -> Verdict:
    """The verdict where nothing piles up in what a finding speaks of, and the process was not weighed."""
    count = len(evidence.original.steps)
    if finding.claim is None or finding.claim.check != "graph-nodes":
        return answer(evidence, "not_measurable", "host memory was not sampled")
    if count < ENOUGH:
        reason = f"too few steps to see a growth: {count} of at least {ENOUGH}"
        return answer(evidence, "inconclusive", reason)
    if evidence.original.piles:
        said = " and ".join(piled_up(evidence.original, pile) for pile in evidence.original.piles)
        return answer(evidence, "inconclusive", f"{said}, which this finding is not about")
    reason = f"the graphs of earlier steps are gone: no autograd nodes pile up, over {count} steps"
    return answer(evidence, "refuted", reason, per_step=0)


def _host_alone(evidence: Evidence, before: Arm, slope: int, limits: Thresholds) -> Verdict:
    """Without a fixed run: what piles up in what a finding speaks of; host memory itself carries no lines."""
    said = f"{size(max(slope, 0))} of host memory per step"
    if (nodes := by_nodes(evidence)) is not None and slope >= limits.host_per_step:
        return replace(nodes, reason=f"the script keeps {said}: {nodes.reason}", bytes_per_step=slope)
    if slope + limits.spread_factor * error_of_median(_host_growth(before)) < limits.host_per_step:
        return answer(evidence, "refuted", f"the script keeps {said}, which is no growth", per_step=0)
    problem = evidence.problem or "memlint has no fix to compare with"
    return answer(evidence, "inconclusive", f"the script keeps {said}, of which line is not known; {problem}")


def host_slope(arm: Arm) -> int | None:
    """Bytes of host memory per step after warm-up: the median of the differences, None for too few."""
    found = _host_growth(arm)
    return int(median(found)) if len(found) > 2 else None


def _host_growth(arm: Arm) -> list[int]:
    return [b.host_bytes - a.host_bytes for a, b in pairwise(arm.steps[WARM_STEPS:])]
