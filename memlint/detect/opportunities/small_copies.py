"""Copies that are a small matter: few of them, of a few numbers each, or of truth values."""

from __future__ import annotations

from math import prod

import libcst as cst

from memlint.analysis.dataflow.functions import assigned_in
from memlint.analysis.knowledge.size_hints import FEW_COPIES, FILTER
from memlint.analysis.model import ScriptModel
from memlint.analysis.shapes.shapes import shape_of
from memlint.analysis.shapes.truth_values import holds_truth
from memlint.analysis.uses.value_uses import uses_of
from memlint.syntax.arguments import argument
from memlint.syntax.expressions import calls_in, literal
from memlint.syntax.tree import last_name, root_name

_FEW = 16
"""Copies that are a small matter."""
_NUMBERS = 64
"""Elements of which copies along one dimension are: the weights of a small filter."""


def is_mask(model: ScriptModel, call: cst.Call, owner: cst.BaseExpression) -> bool:
    """Whether truth values are repeated: what is compared with a number holds numbers, whatever its name."""
    return holds_truth(model, owner) and all(use.how != "compared" for use in uses_of(model, call))


def are_few(
    model: ScriptModel, call: cst.Call, owner: cst.BaseExpression, counts: list[cst.BaseExpression]
) -> bool:
    """Whether there are few copies, by numbers written out, or copies of some numbers: a filter."""
    numbers = [literal(count) for count in counts]
    names = {root_name(owner), *_targets(model, call), *(n for c in counts for n in model.names_in(c))}
    sizes = [n for n in shape_of(model, owner) or () if isinstance(n, int) and len(counts) == 1]
    if sizes and len(sizes) == len(shape_of(model, owner) or ()) and prod(sizes) <= _NUMBERS:
        return True
    if any(FILTER.search(name) for name in names):
        return True
    if counts and all(FEW_COPIES.match(last_name(count)) for count in counts):
        return True
    if _is_one_column(owner, call):
        return True
    if counts and all(_pairs_what_topk_chose(model, owner, count) for count in counts):
        return True
    return all(isinstance(n, int) for n in numbers) and prod(n for n in numbers if isinstance(n, int)) <= _FEW


def _is_one_column(owner: cst.BaseExpression, call: cst.Call) -> bool:
    """Whether one number of each row is repeated, and no more often along the row: `scale[:, 0, -1:]`."""
    while isinstance(owner, cst.Call) and isinstance(owner.func, cst.Attribute):
        owner = owner.func.value
    if not isinstance(owner, cst.Subscript) or len(owner.slice) < 2 or not call.args:
        return False
    last, often = owner.slice[-1].slice, literal(call.args[-1].value)
    if not isinstance(last, cst.Slice) or last.lower is None or last.step is not None or often != 1:
        return False
    start, end = literal(last.lower), literal(last.upper) if last.upper is not None else 0
    return isinstance(start, int) and isinstance(end, int) and end - start == 1


def _pairs_what_topk_chose(model: ScriptModel, owner: cst.BaseExpression, count: cst.BaseExpression) -> bool:
    """Whether the best k are paired with one another: `top.view(batch, k, 1).repeat(1, 1, k)`, where `topk`
    took k of them."""
    if not isinstance(count, cst.Name) or count.value not in model.names_in(owner):
        return False
    scope = model.function_of(count) or model.module
    chosen = (argument(call, 1 if model.path_of(call.func) else 0, "k") for call in calls_in(scope, "topk"))
    return any(isinstance(k, cst.Name) and k.value == count.value for k in chosen)


def _targets(model: ScriptModel, node: cst.CSTNode) -> set[str]:
    """The names that the statement around an expression gives values to."""
    line = model.statement_of(node)
    return assigned_in(model, line) if line is not None else set()
