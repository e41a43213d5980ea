"""Labels that are written out as one-hot vectors, for a loss that takes the labels as they are."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.model import ScriptModel
from memlint.analysis.uses.value_uses import uses_of
from memlint.detect.opportunities.one_hot_vectors import (
    CASTS,
    TURNS,
    Vectors,
    has_few_classes,
    labels_of,
    vectors_behind,
)
from memlint.records import dataclass
from memlint.syntax.arguments import argument
from memlint.syntax.tree import last_name

_CROSS = ("torch.nn.functional.cross_entropy", "torch.nn.CrossEntropyLoss")
_SUMS = frozenset({"sum", "mean"})


@dataclass(frozen=True, slots=True, eq=False)
class OneHot:
    """A one-hot matrix and the loss that reads it alone.

    `node` makes it, `given` is what the loss is passed, None for a loss written by hand; `labels` the numbers
    of the classes, where the matrix has one row for each.
    """

    node: cst.BaseExpression
    loss: cst.CSTNode
    given: cst.BaseExpression | None
    labels: cst.BaseExpression | None
    few: bool


def one_hot_targets(model: ScriptModel) -> Iterator[OneHot]:
    """The one-hot matrices that only a cross-entropy reads."""
    for event in model.trace.criteria.values():
        call = event.node
        if event.path in _CROSS and isinstance(call, cst.Call) and model.owns(call):
            given = argument(call, 1, "target")
            found = vectors_behind(model, given) if given is not None else None
            if found is not None and all(_is_read_by(model, node, call) for node in found[0]):
                yield _one_hot(model, found, call, given)
    for product in model.names.every(cst.BinaryOperation):
        if isinstance(product.operator, cst.Multiply) and _is_summed(model, product):
            for side, other in ((product.left, product.right), (product.right, product.left)):
                found = vectors_behind(model, side) if _is_log_softmax(model, other) else None
                if found is not None and all(_is_read_by(model, node, product) for node in found[0]):
                    yield _one_hot(model, found, product, None)


def _one_hot(
    model: ScriptModel,
    found: Vectors,
    loss: cst.CSTNode,
    given: cst.BaseExpression | None,
) -> OneHot:
    nodes, turned = found
    node = nodes[0]
    labels = labels_of(node) if len(nodes) == 1 and not turned else None
    return OneHot(node, loss, given, labels, not turned and has_few_classes(model, node))


def _is_read_by(model: ScriptModel, node: cst.CSTNode, loss: cst.CSTNode) -> bool:
    """Whether nothing but a loss reads a matrix: what else needs it, needs it anyway."""
    for use in uses_of(model, node):
        if use.how == "method" and use.name in CASTS | TURNS:
            if not _is_read_by(model, use.node, loss):
                return False
        elif use.node is not loss and use.how != "dropped":
            return False
    return True


def _is_log_softmax(model: ScriptModel, node: cst.BaseExpression) -> bool:
    sources = [d.node for d in value_sources(model, node)]
    return bool(sources) and all(
        isinstance(s, cst.Call) and last_name(s.func) == "log_softmax" for s in sources
    )


def _is_summed(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a product goes into a sum or a mean, with another sign perhaps."""
    above = model.parent(node)
    while isinstance(above, cst.UnaryOperation):
        above = model.parent(above)
    if isinstance(above, cst.Arg):
        above = model.parent(above)
        return isinstance(above, cst.Call) and last_name(above.func) in _SUMS
    return isinstance(above, cst.Attribute) and above.attr.value in _SUMS
