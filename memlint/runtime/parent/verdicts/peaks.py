"""Judges claims about the peak: by the run with the fix, or by what the bytes at the peak are."""

from __future__ import annotations

from memlint.finding import Finding
from memlint.runtime.parent.verdicts.evidence import (
    Evidence,
    answer,
    elsewhere_lower,
    in_words,
    no_fixed_arm,
    spread,
)
from memlint.runtime.parent.verdicts.failures import misses_its_graph, ran_out
from memlint.runtime.parent.verdicts.thresholds import Thresholds
from memlint.session import FOR_NO_OPTIMIZER, FOR_OTHERS, KEPT_BY_BACKWARD, NAMED, OF_LINE, Needless, Verdict
from memlint.units import change, size

AT_PEAK = {
    NAMED: ("", "backward"),
    "bytes-in-evaluation": ("", "evaluation"),
    "gradients-in-evaluation": ("gradient", "evaluation"),
    "gradients-in-forward": ("gradient", "forward"),
    "gradients-until-backward": ("gradient", "forward"),
    "activations-in-evaluation": ("activation", "evaluation"),
}
"""The phase that a PEAK claim is about, by its `check`, and the kind of tensors ("": some of a kind)."""

NEEDLESS = {
    KEPT_BY_BACKWARD: "were saved for this backward(), which keeps them, and no other one uses them",
    FOR_OTHERS: "were saved for gradients that the optimizer step which follows does not use",
    OF_LINE: "were saved by the graph of this line, or made by backward() on its way through it",
    FOR_NO_OPTIMIZER: "are gradients of parameters that no optimizer trains, or were saved to compute them",
}
"""What is said of bytes that nobody needs, by question."""


def judge(finding: Finding, evidence: Evidence, limits: Thresholds) -> Verdict:
    if (both := ran_out(evidence.original, evidence.fixed)) and evidence.fixed is not None:
        return answer(evidence, "inconclusive", both)
    assert finding.claim is not None
    if finding.claim.check == "activations-in-evaluation" and misses_its_graph(
        evidence.original, evidence.fixed
    ):
        reason = "with the fix a backward() finds no graph and fails: the script uses it"
        return answer(evidence, "refuted", reason)
    if (missing := no_fixed_arm(evidence)) is not None:
        check = finding.claim.check if finding.claim is not None else ""
        kind, where = AT_PEAK.get(check, ("", ""))
        if evidence.fixed is None and (found := _needless(evidence, check, missing, limits)):
            return found
        if check == "graphs-waiting" and (gathered := _gathered(evidence, missing)):
            return gathered
        called = [line for line in evidence.lines if line in evidence.original.forwards]
        of_forwards = sum(evidence.original.forwards[line] for line in called)
        if evidence.fixed is None and check == "activations-in-evaluation" and of_forwards:
            # In another phase they are left over, and are gone from all phases where there is no graph.
            said = f"{size(of_forwards)} are activations of forwards that this line called"
            late = evidence.original.peak.phase != where
            return _share_of_peak(evidence, said, of_forwards, missing, limits, everywhere=late)
        if evidence.fixed is None and check == NAMED:
            return _of_names(evidence, missing, limits)
        if evidence.fixed is None and where:
            elsewhere = evidence.original.peak.phase != where
            if elsewhere and kind == "activation" and not called:
                # A function that the line calls runs the network, and may do so for training as well.
                return answer(evidence, missing.status, f"{_made_at_peak(evidence)}; {missing.reason}")
            if check == "gradients-until-backward" and evidence.original.peak.phase == "backward":
                # backward() makes gradients one after the other: the last ones would not be there yet.
                held = evidence.original.kinds.get(kind, 0)
                said = f"of {size(evidence.original.peak.bytes)} at the peak, in backward(), {size(held)} are"
                reason = f"{said} {kind}s; how many of these would come later is not known; {missing.reason}"
                return answer(evidence, missing.status, reason)
            if elsewhere and not _reaches_the_forward(evidence, check):
                now = in_words(evidence.original.peak.phase)
                reason = f"no effect: your peak is in {now}, which this cannot lower"
                return answer(evidence, "refuted", reason, measured=0)
            if check == "bytes-in-evaluation":
                return _of_training(evidence, missing, limits)
            if kind:
                return _of_kind(evidence, kind, missing, limits)
        if evidence.fixed is None and check == "loaded-by-line":
            held = _loaded(evidence)
            said = f"{size(held)} were loaded there and are still alive"
            return _share_of_peak(evidence, said, held, missing, limits, everywhere=True)
        if check == "peak-at-double":
            return missing
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


def _reaches_the_forward(evidence: Evidence, check: str) -> bool:
    """Whether a peak in the forward holds what a claim about another phase is about."""
    if evidence.original.peak.phase != "forward":
        return False
    # Gradients that are cleared after each step are not there in the next forward either.
    return check == "gradients-in-evaluation"


def _of_kind(evidence: Evidence, kind: str, missing: Verdict, limits: Thresholds) -> Verdict:
    """Without a fix: how much of the peak are the tensors that a claim is about."""
    held = evidence.original.kinds.get(kind, 0)
    return _share_of_peak(evidence, f"{size(held)} are {kind}s", held, missing, limits)


def _of_training(evidence: Evidence, missing: Verdict, limits: Thresholds) -> Verdict:
    """Without a fix: what the forwards of the training have made of the peak in an evaluation."""
    held = evidence.original.phases.get("forward", 0)
    return _share_of_peak(evidence, f"{size(held)} were made by the training", held, missing, limits)


def _of_names(evidence: Evidence, missing: Verdict, limits: Thresholds) -> Verdict:
    """Without a fix: what the names of a finding hold alone, and what the peak would be without them."""
    if all(row.question != NAMED for row in evidence.original.checks.needless):
        return answer(evidence, missing.status, f"{_made_at_peak(evidence)}; {missing.reason}")
    peak, rows = evidence.original.peak, _named(evidence)
    # Several groups of names may lower one another's peak further: the best of them is a lower bound.
    held, less = sum(row.bytes for row in rows), max((row.less for row in rows), default=0)
    called = " and ".join(f"`{name}`" for name in dict.fromkeys(n for row in rows for n in row.names))
    called = called or "its tensors"
    said = f"of {size(peak.bytes)} at the peak, in {in_words(peak.phase)}, {called} alone "
    return _without(evidence, f"{said}{'hold' if len(rows) > 1 else 'holds'} {size(held)}", held, less,
                    missing, limits)  # fmt: skip


def _named(evidence: Evidence) -> list[Needless]:
    """What the names of a finding hold together, and no others."""
    mine = {*evidence.mentions.values, evidence.mentions.container}
    rows = (row for row in evidence.original.checks.needless if row.question == NAMED)
    return [row for row in rows if row.names and mine.issuperset(row.names)]


def _loaded(evidence: Evidence) -> int:
    """Bytes at the peak that the lines have loaded, without what training has taken over as its own."""
    lines = (row for row in evidence.original.lines if f"{row.file}:{row.line}" in evidence.lines)
    return sum(row.bytes for row in lines if row.kind not in ("parameter", "gradient", "optimizer state"))


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
    if less <= _least(evidence, limits):
        floor = f"an effect counts from {100 * limits.peak_share:g} % of {size(evidence.original.top_bytes)}"
        reason = f"{said}; {floor}" if held else f"no effect: {said}"
        return answer(evidence, "refuted", reason, measured=less)
    reason = f"{said}; this is by attribution: {missing.reason}"
    return answer(evidence, "confirmed", reason, measured=less)


def _needless(evidence: Evidence, check: str, missing: Verdict, limits: Thresholds) -> Verdict | None:
    """Without a fix: what nobody needs of the peak, and what it would be otherwise; None where unknown."""
    rows = [row for row in evidence.original.checks.needless if row.question == check in NEEDLESS]
    rows = [row for row in rows if not row.line or row.line in evidence.lines]
    if not rows:
        return None
    row = max(rows, key=lambda row: row.less)
    peak = evidence.original.peak
    said = f"of {size(peak.bytes)} at the peak, in {in_words(peak.phase)}, "
    said += f"{size(row.bytes)} {NEEDLESS[check]}"
    if check == KEPT_BY_BACKWARD and peak.phase == "backward" and row.less <= _least(evidence, limits):
        reason = f"{said}; what it would free on its way is not known; {missing.reason}"
        return answer(evidence, missing.status, reason)
    return _without(evidence, said, row.bytes, row.less, missing, limits)


def _without(
    evidence: Evidence, said: str, held: int, less: int, missing: Verdict, limits: Thresholds
) -> Verdict:
    """The verdict from what the peak would be without some bytes; `said` says which they are."""
    if less <= _least(evidence, limits):
        floor = f"an effect counts from {100 * limits.peak_share:g} % of {size(evidence.original.top_bytes)}"
        said = f"{said}, and without these alone it would be {size(less)} lower" if held else said
        return answer(evidence, "refuted", f"{said}; {floor}", measured=less)
    reason = f"{said}: without these alone the peak would be {size(less)} lower; a fix may free more or less"
    return answer(evidence, "confirmed", f"{reason}. This is by attribution: {missing.reason}", measured=less)


def _least(evidence: Evidence, limits: Thresholds) -> float:
    """Bytes above which a peak that would be lower by as much counts as an effect."""
    return limits.peak_share * evidence.original.top_bytes


def _gathered(evidence: Evidence, missing: Verdict) -> Verdict | None:
    """Without a fix: what several forwards add up to before they are given back; None where they do not."""
    found = (*evidence.original.growth, *evidence.original.gathered)
    rows = [row for row in found if row.within and row.series.startswith("forward")]
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
