"""`loss.data[0]`: indexing a loss, which torch gave up in 0.5."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.guards import is_guarded, never_runs
from memlint.analysis.fixes.plans import with_method
from memlint.analysis.match import Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.detect.api.loss_dimensions import has_no_dimensions
from memlint.finding import Applicability
from memlint.syntax.expressions import literal
from memlint.syntax.tree import dotted

_SAME_VALUES = frozenset({"cpu", "detach", "clone", "numpy", "float", "double", "cuda", "data"})
_INDEX_ERRORS = frozenset({"IndexError", "RuntimeError"})


def indexed_losses(model: ScriptModel) -> Iterator[Match]:
    """Every `loss.data[0]` of a file that nothing guards, with `.item()` as the fix."""
    for node in model.names.every(cst.Subscript):
        if not _is_first(node) or _is_target(model, node):
            continue
        base, through_data = _unwrapped(node.value)
        indexed = through_data and has_no_dimensions(model, base)
        if not indexed and not (isinstance(base, cst.Name) and _sums_losses(model, base)):
            continue
        if not is_guarded(model, node, errors=_INDEX_ERRORS) and not never_runs(model, node):
            new = with_method(model, base, "item()")
            whole = _with_item_call(model, node)
            plan = Plan(Applicability.REPAIR, f"write `{new}`", (Replace(whole, new),)) if whole else None
            values = api_values(model.short(node), f"{model.short(base)}.item()")
            yield Match(node, values, "item", plans=(plan,) if plan else ())


def _with_item_call(model: ScriptModel, node: cst.CSTNode) -> cst.CSTNode | None:
    """The node with an `.item()` that follows it; None when a tensor is made of its value."""
    parent = model.parent(node)
    if not isinstance(parent, cst.Attribute) or parent.value is not node:
        return node
    call = model.parent(parent)
    return call if parent.attr.value == "item" and isinstance(call, cst.Call) and not call.args else None


def _is_first(node: cst.Subscript) -> bool:
    if len(node.slice) != 1 or not isinstance(node.slice[0].slice, cst.Index):
        return False
    index = node.slice[0].slice.value
    return isinstance(index, cst.Integer) and index.value == "0"


def _is_target(model: ScriptModel, node: cst.CSTNode) -> bool:
    parent = model.parent(node)
    return (
        isinstance(parent, (cst.AssignTarget, cst.AugAssign, cst.Del))
        and getattr(parent, "value", None) is not node
    )


def _unwrapped(node: cst.BaseExpression) -> tuple[cst.BaseExpression, bool]:
    """What stands in front of `.data`, `.cpu()` and the like, and whether `.data` was among them."""
    through_data = False
    while True:
        inner = node.func if isinstance(node, cst.Call) and not node.args else node
        if not isinstance(inner, cst.Attribute) or inner.attr.value not in _SAME_VALUES:
            return node, through_data
        if (inner.attr.value == "data") == (inner is not node):
            return node, through_data
        through_data = through_data or inner.attr.value == "data"
        node = inner.value


def _sums_losses(model: ScriptModel, name: cst.Name) -> bool:
    """Whether a variable is a sum of losses and nothing else: `total = 0`, `total += loss.data`."""
    scope = model.function_of(name) or model.module
    added = [n for n in model.every(cst.AugAssign, scope) if dotted(n.target) == name.value]
    given = ((t.target, n.value) for n in model.every(cst.Assign, scope) for t in n.targets)
    starts = (literal(value) for target, value in given if dotted(target) == name.value)
    numbers = all(isinstance(start, (int, float)) for start in starts)
    return numbers and bool(added) and all(_adds_loss(model, n) for n in added)


def _adds_loss(model: ScriptModel, node: cst.AugAssign) -> bool:
    """Whether `.data` of a loss is added, or a multiple of it: `total += len(x) * loss.data`."""
    value = node.value
    factors = (value.left, value.right) if isinstance(value, cst.BinaryOperation) else (value,)
    product = len(factors) == 1 or isinstance(value.operator, cst.Multiply)  # type: ignore[attr-defined]
    bases = [base for base, through_data in map(_unwrapped, factors) if through_data]
    adds = isinstance(node.operator, cst.AddAssign) and product and len(bases) == 1
    return adds and has_no_dimensions(model, bases[0])


def api_values(api: str, replacement: str) -> dict[str, str]:
    """The values of the message: what is old, and what replaces it."""
    return {"api": api, "replacement": replacement, "since": "", "keyword": ""}
