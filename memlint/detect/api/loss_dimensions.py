"""Which expressions are losses, which have no dimensions, rather than one loss for each sample."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.reaching_definitions import reaching_values
from memlint.analysis.knowledge import hints, naming
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import kind_of
from memlint.syntax.expressions import literal, words_of
from memlint.syntax.tree import dotted, last_name

_REDUCES = frozenset({"sum", "mean", "norm"})
_OF_EACH_ELEMENT = frozenset("abs sqrt exp log neg cpu cuda float detach".split())
"""Methods whose result has as many dimensions as what they are called on."""


def has_no_dimensions(model: ScriptModel, base: cst.BaseExpression, depth: int = 4) -> bool:
    """Whether an expression is a loss, which has no dimensions, rather than a vector of them."""
    if isinstance(base, cst.BinaryOperation):
        return depth > 0 and _combines_numbers(model, base, depth - 1)
    if isinstance(base, cst.Call):
        if _is_reduced(model, base):
            return True
        if isinstance(base.func, cst.Attribute) and base.func.attr.value in _OF_EACH_ELEMENT:
            return has_no_dimensions(model, base.func.value, depth)
        last = dotted(base.func).rpartition(".")[2]
        reduces = not any(_keeps_elements(model, arg) for arg in base.args)
        return reduces and _is_criterion(model, base.func, last)
    path = dotted(base)
    if not path or _keeps_dimension(model, path):
        return False
    values = reaching_values(model, base)
    if values and all(_is_reduced(model, v) or _is_sum(model, v, depth) for v in values):
        return True
    if _is_differentiated(model, path):
        return True
    named = bool(hints.LOSS_VARIABLE.match(path.rpartition(".")[2]))
    return named and not _keeps_losses(model) and not _is_elementwise(model, path)


def _is_sum(model: ScriptModel, value: cst.BaseExpression, depth: int) -> bool:
    return isinstance(value, cst.BinaryOperation) and has_no_dimensions(model, value, depth)


def _combines_numbers(model: ScriptModel, node: cst.BinaryOperation, depth: int) -> bool:
    """Whether both sides are without dimensions, and one is a tensor: `(loss_real + 0.5 * loss_fake)`."""
    sides = [s for s in (node.left, node.right) if not isinstance(s, (cst.Integer, cst.Float))]
    return bool(sides) and all(has_no_dimensions(model, side, depth) for side in sides)


def _is_reduced(model: ScriptModel, value: cst.BaseExpression) -> bool:
    """Whether a value is a sum, mean or norm over all elements: `x.sum()`, `torch.sum(x)`."""
    if not isinstance(value, cst.Call) or last_name(value.func) not in _REDUCES:
        return False
    if model.path_of(value.func).startswith("torch."):
        return len(value.args) == 1 and value.args[0].keyword is None and not value.args[0].star
    return isinstance(value.func, cst.Attribute) and not value.args


def _keeps_dimension(model: ScriptModel, path: str) -> bool:
    """Whether a loss has a dimension after all: `torch.cat`, which refuses values without one, joins the
    container that it is put into."""
    stored = (c for c in model.names.calls if last_name(c.func) == "append" and c.args)
    boxes = {
        dotted(c.func.value)
        for c in stored
        if isinstance(c.func, cst.Attribute) and dotted(c.args[0].value) == path
    }
    calls = (c for c in model.names.calls if c.args)
    joins = (c for c in calls if model.path_of(c.func) in ("torch.cat", "torch.concat"))
    return any(dotted(c.args[0].value) in boxes - {""} for c in joins)


def _is_elementwise(model: ScriptModel, path: str) -> bool:
    """Whether a name is given arithmetic without any call in it: one value per sample, for all we know."""
    assigned = model.names.every(cst.Assign)
    values = [a.value for a in assigned if any(dotted(t.target) == path for t in a.targets)]
    sums = [v for v in values if isinstance(v, (cst.BinaryOperation, cst.UnaryOperation))]
    return any(not any(isinstance(n, cst.Call) for n in model.walk(v)) for v in sums)


def _is_criterion(model: ScriptModel, func: cst.BaseExpression, last: str) -> bool:
    path = model.path_of(func)
    if path.startswith("torch.nn.functional.") and naming.loss_call(last):
        return True
    return kind_of(model, func) == "loss" and not _keeps_losses(model)


def _is_differentiated(model: ScriptModel, path: str) -> bool:
    return any(dotted(call.func) == f"{path}.backward" and not call.args for call in model.names.calls)


def _keeps_losses(model: ScriptModel) -> bool:
    return any(_keeps_elements(model, arg) for call in model.names.calls for arg in call.args)


def _keeps_elements(model: ScriptModel, arg: cst.Arg) -> bool:
    """Whether an argument asks for one loss per sample."""
    if arg.keyword is None:
        return False
    return (arg.keyword.value == "reduction" and "none" in words_of(arg.value)) or (
        arg.keyword.value == "reduce" and literal(arg.value) is False
    )
