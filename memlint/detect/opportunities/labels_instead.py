"""The fix for one-hot targets: the loss gets the labels themselves."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.reaching_definitions import reaching_values
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.model import ScriptModel
from memlint.analysis.shapes.shapes import shape_of
from memlint.analysis.shapes.sizes import rank
from memlint.detect.opportunities.one_hot_targets import OneHot
from memlint.syntax.arguments import argument, keyword

_DTYPES = frozenset("float double half bfloat16 type".split())
_FUNCTION = "torch.nn.functional.cross_entropy"


def labels_instead(model: ScriptModel, found: OneHot) -> list[tuple[cst.BaseExpression, str]]:
    """What to write where so that a loss gets the labels; nothing where that is not certain."""
    if found.labels is None or found.given is None or not _are_flat(model, found):
        return []
    labels, read = model.code(found.labels), _without_casts(found.given)
    if read is found.node:
        return [(found.given, labels)]
    values = reaching_values(model, read) if isinstance(read, cst.Name) else []
    if len(values) != 1 or _without_casts(values[0]) is not found.node:
        return []
    return [(values[0], labels), *([(found.given, model.code(read))] if read is not found.given else [])]


def _without_casts(node: cst.BaseExpression) -> cst.BaseExpression:
    """What `.float()` and the like are called on: labels are no numbers to convert."""
    while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        if node.func.attr.value not in _DTYPES:
            break
        node = node.func.value
    return node


def _are_flat(model: ScriptModel, found: OneHot) -> bool:
    """Whether a cross-entropy surely takes the labels themselves: one for each row of a matrix of logits.

    With weights for the classes, the mean over labels is another than the mean over vectors.
    """
    call = found.loss
    if found.labels is None or not isinstance(call, cst.Call) or keyword(call, "weight") is not None:
        return False
    if len([a for a in call.args if a.keyword is None]) > 2:
        return False
    made = [d.node for d in value_sources(model, call.func)]
    layers = [m for m in made if isinstance(m, cst.Call)]
    if any(m.args and (m.args[0].keyword is None or keyword(m, "weight") is not None) for m in layers):
        return False
    if model.path_of(call.func) != _FUNCTION and not layers:
        return False
    logits = argument(call, 0, "input")
    flat = rank(shape_of(model, found.labels)) == 1
    return flat or (logits is not None and rank(shape_of(model, logits)) == 2)
