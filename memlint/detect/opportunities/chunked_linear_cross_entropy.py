"""MEM806: logits over a vocabulary that only a cross-entropy reads, and all of them are there at once."""

from __future__ import annotations

from collections.abc import Iterator

from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.tests_in_code import stands_in_unit_test
from memlint.catalogue import Rule
from memlint.detect.opportunities.chunked_loss_fix import chunked
from memlint.detect.opportunities.trained_networks import may_train
from memlint.detect.opportunities.vocabulary_losses import vocabulary_losses

_DONE = frozenset({
    "linear_cross_entropy", "LigerFusedLinearCrossEntropyLoss", "LigerFusedLinearCrossEntropyFunction",
    "fused_linear_cross_entropy", "CEWithChunkedOutputLoss", "LinearCrossEntropyLoss", "create_graph",
})  # fmt: skip
"""Names of what computes the loss together with the last layer, and of what differentiates it twice."""


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Cross-entropies of a last layer's outputs that have no other reader."""
    if model.identifiers & _DONE or not may_train(model):
        return
    first = True
    for found in vocabulary_losses(model):
        if stands_in_unit_test(model, found.call):
            continue
        plans, reason = chunked(model, found, first=first)
        first = first and not plans
        values = {"loss": model.short(found.call.func), "head": model.short(found.head.func)}
        labels = (Label("the logits of all rows", found.head),) if found.line is not None else ()
        variant = "returned" if found.returned else "default"
        yield Match(found.call, values, variant, labels, plans=plans, no_fix=reason)
