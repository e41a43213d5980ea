"""Which parts of a batch a loop moves to the GPU before it does anything else with them."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.liveness import first_node, variable
from memlint.analysis.facts import Loop
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loading.placement import placed
from memlint.analysis.uses.value_uses import Use, uses_of
from memlint.syntax.expressions import literal
from memlint.syntax.tree import last_name, statements

_ASKS = frozenset("size dim numel shape dtype ndim".split())


def moves_part(model: ScriptModel, loop: Loop, part: int | None) -> bool:
    """Whether a loop moves a part of each batch, None for all of it, and has no other use of it."""
    node = loop.node
    if not isinstance(node, cst.For) or not model.owns(node):
        return False
    target: cst.BaseExpression = node.target
    if isinstance(node.iter, cst.Call) and last_name(node.iter.func) == "enumerate":
        if not isinstance(target, cst.Tuple) or len(target.elements) != 2:
            return False
        target = target.elements[1].value
    if isinstance(target, (cst.Tuple, cst.List)):
        names = [e.value for e in target.elements]
        wanted = names if part is None else names[part : part + 1]
        return bool(wanted) and all(_is_moved(model, node, name, None) for name in wanted)
    return _is_moved(model, node, target, part)


def _is_moved(model: ScriptModel, loop: cst.For, name: cst.BaseExpression, part: int | None) -> bool:
    """Whether all uses of what a loop binds, or of one part of that, move it."""
    found = variable(model, name, name.value) if isinstance(name, cst.Name) else None
    start = first_node(found.flow, statements(loop.body)[0]) if found is not None else None
    if found is None or start is None or found.captured:
        return False
    uses = [use for read in found.reads_from(start) for use in uses_of(model, read)]
    if part is not None:
        uses = [use for use in uses if not _is_another(use, part)]
        uses = [u for use in uses for u in (uses_of(model, use.node) if use.how == "part" else (use,))]
    return any(use.how == "method" for use in uses) and all(_is_move(model, use) for use in uses)


def _is_another(use: Use, part: int) -> bool:
    """Whether a use is `batch[1]` where another part is meant."""
    index = use.node.slice[0].slice if isinstance(use.node, cst.Subscript) else None
    number = literal(index.value) if isinstance(index, cst.Index) else None
    return use.how == "part" and isinstance(number, int) and number >= 0 and number != part


def _is_move(model: ScriptModel, use: Use) -> bool:
    if use.how in ("method", "attribute") and use.name in _ASKS:
        return True
    moved = isinstance(use.node, cst.Call) and placed(model, use.node) in ("cuda", "unknown")
    return use.how == "dropped" or (use.how == "method" and moved)
