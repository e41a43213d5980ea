"""Which dimensions of a tensor have size one, also where the others are not known."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.reaching_definitions import reaching_values
from memlint.analysis.model import ScriptModel
from memlint.analysis.shapes.shapes import shape_of
from memlint.syntax.expressions import literal, place
from memlint.syntax.tree import last_name


def size_one(model: ScriptModel, owner: cst.BaseExpression, count: int) -> tuple[set[int], bool]:
    """The dimensions that have size one if there are `count`, and whether there surely are.

    Code that works has no more than `count`: `repeat` raises for more dimensions than it has numbers.
    """
    shape = shape_of(model, owner)
    if shape is not None and ... not in shape:
        return {i for i, size in enumerate(shape) if size == 1}, len(shape) == count
    if isinstance(owner, cst.Call) and last_name(owner.func) == "unsqueeze" and owner.args:
        return _unsqueezed(model, owner, count)
    if isinstance(owner, cst.Subscript) and len(owner.slice) >= count > 2:
        return _indexed(owner), len(owner.slice) == count
    parts = [size_one(model, v, count) for v in reaching_values(model, owner)] if place(owner) else []
    if not parts:
        return set(), False
    return set.intersection(*(p[0] for p in parts)), all(p[1] for p in parts)


def _unsqueezed(model: ScriptModel, owner: cst.Call, count: int) -> tuple[set[int], bool]:
    """The same for `x.unsqueeze(1)`, which has two dimensions at least."""
    at = literal(owner.args[-1].value)
    of_torch = bool(model.path_of(owner.func)) and len(owner.args) == 2
    method = owner.func.value if isinstance(owner.func, cst.Attribute) else None
    inner = owner.args[0].value if of_torch else method
    if not isinstance(at, int) or inner is None:
        return set(), False
    index = at + count if at < 0 else at
    before, certain = size_one(model, inner, max(count - 1, 0))
    return {i + (i >= index) for i in before} | {index}, certain or at + 1 == count > 0


def _indexed(owner: cst.Subscript) -> set[int]:
    """The same for `x[:, None, :]`; nothing with an index that takes a dimension away."""
    entries = [e.slice for e in owner.slice]
    new = {i for i, e in enumerate(entries) if isinstance(e, cst.Index) and literal(e.value) is None}
    return new if all(i in new or isinstance(e, cst.Slice) for i, e in enumerate(entries)) else set()
