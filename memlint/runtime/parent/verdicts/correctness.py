"""Judges claims that a script computes something else than it should."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from memlint.finding import Finding
from memlint.runtime.parent.verdicts.evidence import Evidence, answer, no_fixed_arm
from memlint.runtime.parent.verdicts.thresholds import Thresholds
from memlint.session import Arm, Verdict


def correct(finding: Finding, evidence: Evidence, limits: Thresholds) -> Verdict:
    """The verdict on a CORRECT claim: each rule has its own question."""
    question = question_of(finding)
    if question in OF_LINES:
        return _of_lines(question, evidence)
    if question in EXPERIMENTS:
        return EXPERIMENTS[question](evidence, limits)
    return answer(evidence, "not_measurable", "memlint has no experiment for this claim")


def question_of(finding: Finding) -> str:
    """The `check` that a finding's CORRECT claim names, "" where it names none."""
    claim = finding.claim
    return claim.check if claim is not None and claim.type == "CORRECT" else ""


OF_LINES = {
    "forwards-repeated": (
        "each of its forward passes got the same values as the first",
        "its forward passes got different values",
        "too few forward passes with positional arguments to tell",
    ),
    "kept-changes": (
        "what it kept has changed with the optimizer steps that followed",
        "what it kept is still as it was, after further optimizer steps",
        "nothing that it kept was still there after a further optimizer step",
    ),
    "graph-cut-off": (
        "what the checkpointed part returns carries no graph: backward() cannot reach it",
        "what the checkpointed part returns carries a graph",
        "no tensor that the checkpointed part returned was seen",
    ),
    "torch-warns": (
        "torch warns there that use_reentrant should be passed",
        "torch did not warn there",
        "no call was seen there",
    ),
    "loss-broadcasts": (
        "the loss there compared each prediction with each target: their shapes broadcast to a matrix",
        "the predictions and targets of the loss there matched one to one",
        "no loss that broadcasts its arguments was seen there",
    ),
    "gradients-scaled": (
        "the gradients there are not those of the loss: they carry, or miss, the factor of the GradScaler",
        "the GradScaler's factor was taken out of the gradients before this line used them",
        "no GradScaler that does something took part (one for CUDA is switched off without a GPU)",
    ),
}
"""What is said of a line for which a question was answered with yes, with no, or not at all."""


OF_CUDA = frozenset({"gradients-scaled"})
"""Questions that a script seldom raises without a GPU."""


def _of_lines(question: str, evidence: Evidence) -> Verdict:
    yes, no, unknown = OF_LINES[question]
    checks, lines = evidence.original.checks, set(evidence.lines)
    if lines & set(checks.yes.get(question, ())):
        return answer(evidence, "confirmed", yes)
    if lines & set(checks.no.get(question, ())):
        return answer(evidence, "refuted", no)
    away = evidence.original.device == "cpu" and question in OF_CUDA
    return answer(evidence, "not_measurable" if away else "inconclusive", unknown)


def _summed(evidence: Evidence, limits: Thresholds) -> Verdict:
    checks, lines = evidence.original.checks, set(evidence.lines)
    if lines & set(checks.gradients_summed):
        return answer(evidence, "confirmed", "this backward adds to gradients that an earlier step has used")
    if lines & set(checks.gradients_cleared):
        return answer(evidence, "refuted", "the gradients were cleared before this backward added to them")
    return answer(evidence, "inconclusive", "too few steps followed this backward to tell")


ONE_OPTIMIZER = "it takes two steps of one optimizer, and no other, to tell"


def _window(evidence: Evidence, limits: Thresholds) -> Verdict:
    made, used = evidence.original.checks.backwards, evidence.original.checks.backwards_used
    if not made:
        return answer(evidence, "inconclusive", ONE_OPTIMIZER)
    said = f"an optimizer step finds the gradients of {used} of the {made} backward() calls before it"
    return answer(evidence, "confirmed" if used < made else "refuted", said)


def _undivided(evidence: Evidence, limits: Thresholds) -> Verdict:
    used, weight = evidence.original.checks.backwards_used, evidence.original.checks.loss_weight
    if not used or weight is None:
        return answer(evidence, "inconclusive", ONE_OPTIMIZER)
    said = f"a step adds up the gradients of {used} backward() calls, the loss of each times {weight:.3g}"
    if weight > 1:
        return answer(evidence, "inconclusive", f"{said}: what divides by such a factor later is not seen")
    return answer(evidence, "confirmed" if used * weight >= limits.undivided else "refuted", said)


def _tail(evidence: Evidence, limits: Thresholds) -> Verdict:
    made, batches = evidence.original.checks.backwards, evidence.original.checks.batches
    if not made or not batches:
        reason = "it takes one optimizer, and a loader that knows its length, to tell"
        return answer(evidence, "inconclusive", reason)
    left = batches % made
    said = f"the loader has {batches} batches and each step uses {made}: {left} are left at the end"
    return answer(evidence, "confirmed" if left else "refuted", said)


def _finite(evidence: Evidence, limits: Thresholds) -> Verdict:
    losses = [float.fromhex(value) for value in evidence.original.losses]
    bad = next((i for i, value in enumerate(losses, 1) if not math.isfinite(value)), None)
    if bad is not None:
        return answer(evidence, "confirmed", f"the loss is {losses[bad - 1]} from backward {bad} on")
    if evidence.original.checks.parameters_finite is False:
        return answer(evidence, "confirmed", "parameters are not finite at the end")
    count = len(evidence.original.steps)
    reason = f"everything stayed finite over {count} steps; updates too small to be stored are not measured"
    return answer(evidence, "inconclusive", reason)


def _moves(evidence: Evidence, limits: Thresholds) -> Verdict:
    losses = evidence.original.losses
    if len(losses) < limits.frozen_steps:
        return answer(evidence, "inconclusive", f"{len(losses)} losses are too few to judge")
    if (missing := no_fixed_arm(evidence)) is not None:
        return missing
    assert evidence.fixed is not None
    before, after = _range(evidence.original), _range(evidence.fixed)
    said = f"the loss moves by {100 * before:.3g} % of its mean, with the fix by {100 * after:.3g} %"
    if before < limits.frozen_range and after > 10 * limits.frozen_range:
        return answer(evidence, "confirmed", said)
    if evidence.again is not None and _first_change(losses, evidence.again.losses):
        return answer(evidence, "inconclusive", f"{said}; but two runs of the script differ as well")
    # Other batches move the loss too. What tells is whether new weights reach the next forward pass.
    first = _first_change(losses, evidence.fixed.losses)
    if not first:
        return answer(evidence, "refuted", f"the fix changes none of {len(losses)} losses")
    if first == 1:
        return answer(evidence, "inconclusive", f"{said}; the fix changes the first loss already")
    where = f"from loss {first} on the fix gives others: the forward pass missed an update"
    return answer(evidence, "confirmed", f"{where}; {said}")


def _first_change(one: Sequence[str], other: Sequence[str]) -> int:
    """The number of the first loss that differs, 0 for none."""
    pairs = enumerate(zip(one, other, strict=False), 1)
    return next((number for number, (a, b) in pairs if a != b), 0)


def _range(arm: Arm) -> float:
    losses = [float.fromhex(value) for value in arm.losses]
    mean = sum(losses) / len(losses)
    return (max(losses) - min(losses)) / abs(mean) if mean and math.isfinite(mean) else math.inf


EXPERIMENTS: Mapping[str, Callable[[Evidence, Thresholds], Verdict]] = {
    "gradients-summed": _summed,
    "values-finite": _finite,
    "window-replaced": _window,
    "window-undivided": _undivided,
    "window-tail": _tail,
    "loss-moves": _moves,
}
"""How each question that is about the whole run is answered."""
