"""Gradients of every training step that a list keeps."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.program_points import LoopNode
from memlint.analysis.match import Label, Match
from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.keras import method_calls
from memlint.analysis.tensorflow.repeats import is_short
from memlint.analysis.training.containers import emptied_in, without_entry
from memlint.detect.tensorflow.persistent_tapes import is_tape
from memlint.syntax.expressions import calls_in
from memlint.syntax.tree import dotted, header_of

_DIFFERENTIATES = frozenset({"gradient", "jacobian", "batch_jacobian"})
_STEPS = ("apply_gradients", "apply")


def kept_gradients(flow: Flow) -> Iterator[Match]:
    """Gradients that a list gets in each pass of a loop which also takes the step: they are no sum for it."""
    for call, owner in method_calls(flow, "append"):
        if len(call.args) != 1 or not _is_gradient(flow, call.args[0].value):
            continue
        container = without_entry(owner)
        made = [d.node for d in flow.definitions(container) if d.kind == "value"]
        loop = next((loop for loop in flow.loops(call) if _keeps(flow, loop, container, made)), None)
        if loop is None:
            continue
        values = {"list": flow.model.short(owner, 30), "value": flow.model.short(call.args[0].value, 30)}
        label = Label("once per pass of this loop", header_of(loop))
        yield Match(call, values, "gradients", labels=(label,), causes=((loop,),))


def _keeps(flow: Flow, loop: LoopNode, owner: cst.BaseExpression, made: list[cst.CSTNode]) -> bool:
    """Whether a list that was made at these places outlives a loop that trains."""
    if not isinstance(loop, (cst.For, cst.While)) or is_short(flow, loop):
        return False
    if any(loop in flow.loops(node) for node in made) or emptied_in(flow.model, dotted(owner), loop.body):
        return False
    return any(calls_in(loop.body, *_STEPS))


def _is_gradient(flow: Flow, value: cst.BaseExpression) -> bool:
    """Whether a value is what a tape gives, or one of several: `grads, of_x = tape.gradient(y, (w, x))`."""
    if isinstance(value, cst.Name):
        found = flow.definitions(value)
        return bool(found) and all(
            d.kind in ("value", "item") and isinstance(d.node, cst.Call) and _differentiates(flow, d.node)
            for d in found
        )
    return isinstance(value, cst.Call) and _differentiates(flow, value)


def _differentiates(flow: Flow, call: cst.Call) -> bool:
    func = call.func
    if not isinstance(func, cst.Attribute) or func.attr.value not in _DIFFERENTIATES:
        return False
    held = [d.node for d in flow.definitions(func.value)]
    return any(
        isinstance(n, cst.BaseExpression) and is_tape(flow, n) for n in (*held, *flow.sources(func.value))
    )
