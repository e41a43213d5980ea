"""Sums of losses that each training step differentiates as a whole, with the graphs of all steps before."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Backward, Loop, Store
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.containers import removals
from memlint.syntax.expressions import place, shown_place


def differentiated_whole(model: ScriptModel, store: Store) -> tuple[Loop, Backward] | None:
    """The training loop in each pass of which a backward runs through all of a sum, and that backward.

    The sum is begun again nowhere in the loop, and neither it nor the backward waits for a condition there.
    """
    if store.how != "sum" or not store.product:
        return None
    for loop in store.grows:
        if store.loops[-1] is not loop or not any(loop in s.loops for s in model.trace.steps.values()):
            continue
        for backward in model.trace.backwards.values():
            certain = backward.fills and not backward.unseen and backward.retain is not None
            if not certain or loop not in backward.older or backward.loops != store.loops:
                continue
            through = store.product in model.trace.ancestors(backward.ids, lightweight_only=True)
            if through and all(_in_each_pass(model, e.node, loop) for e in (store, backward)):
                return None if _begins_again(model, store, loop) else (loop, backward)
    return None


def _in_each_pass(model: ScriptModel, node: cst.CSTNode, loop: Loop) -> bool:
    """Whether a statement stands in the body of a loop itself, or under nothing but `with` there."""
    for above in model.ancestors(node):
        if above is loop.node:
            return True
        if isinstance(above, (cst.If, cst.IfExp, cst.Try, cst.For, cst.While, cst.FunctionDef, cst.Lambda)):
            return False
    return False


def _begins_again(model: ScriptModel, store: Store, loop: Loop) -> bool:
    """Whether the loop binds the sum to something else as well, as to 0 or to its own detached value."""
    wanted, line = shown_place(store.target), model.statement_of(store.node)
    found = (r for r in removals(model, loop.node) if place(r.container) == wanted)
    return any(model.statement_of(r.node) is not line for r in found) or any(
        place(call.func.value) == wanted and call.func.attr.value in ("detach_", "zero_", "fill_")
        for call in model.every(cst.Call, loop.node)
        if isinstance(call.func, cst.Attribute)
    )
