"""Blocks and calls by the training that runs inside them, or around them."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.constants import sole_value
from memlint.analysis.knowledge import naming
from memlint.analysis.model import ScriptModel
from memlint.syntax.expressions import calls_in, calls_one, literal
from memlint.syntax.tree import dotted

_FEW = 200
"""A loop over fewer steps than this is a look at some of them."""
_FRAMEWORKS = ("lightning", "pytorch_lightning", "transformers")


def surrounds_training(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a context manager is held over a loop that trains, and not over a few steps of it."""
    block = _block_of(model, call)
    if block is None:
        return False
    inside = set(model.walk(block.body))
    for backward in model.trace.backwards.values():
        for loop in backward.loops:
            starts = [loop.node, *(frame.call for frame in loop.frame.chain() if frame.call is not None)]
            if any(node in inside for node in starts) and not _is_short(model, loop.node):
                return True
    calls = (node for node in inside if isinstance(node, cst.Call))
    return any(_runs_training(model, node) for node in calls)


def _block_of(model: ScriptModel, call: cst.Call) -> cst.With | None:
    """The `with` statement that holds what a call made, by itself or under a name."""
    item = model.parent(call)
    if isinstance(item, cst.WithItem):
        found = model.parent(item)
        return found if isinstance(found, cst.With) else None
    for node in model.names.every(cst.WithItem):
        if isinstance(node.item, cst.Name):
            found = model.parent(node) if sole_value(model, node.item) is call else None
            if isinstance(found, cst.With):
                return found
    return None


def _runs_training(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a call starts the training of a framework's trainer."""
    if not isinstance(call.func, cst.Attribute) or not model.imports(*_FRAMEWORKS):
        return False
    owner = dotted(call.func.value).rpartition(".")[2].lower()
    return call.func.attr.value in ("fit", "train") and "trainer" in owner


def _is_short(model: ScriptModel, loop: cst.CSTNode) -> bool:
    """Whether a loop ends after a few steps: a small range, or a break on a count."""
    if isinstance(loop, cst.For):
        ranges = (call for call in calls_in(loop.iter, "range") if len(call.args) == 1)
        counts = [literal(call.args[0].value) for call in ranges]
        if calls_one(loop.iter, "islice") or any(isinstance(n, int) and n <= _FEW for n in counts):
            return True
    return any(
        isinstance(node, cst.Break) and any(isinstance(a, cst.If) for a in model.ancestors(node))
        for node in model.walk(loop)
    )


def inside_training(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a node runs in every iteration of a loop that trains."""
    loops = [above for above in model.ancestors(node) if isinstance(above, (cst.For, cst.While))]
    trained = {loop.node for backward in model.trace.backwards.values() for loop in backward.loops}
    function = model.function_of(node)
    helper = function is not None and not loops and naming.trains(function.name.value)
    return any(loop in trained for loop in loops) or (
        helper and any(b.frame.node is function and b.loops for b in model.trace.backwards.values())
    )
