"""Sequences that a loop goes on with: what a call takes, or what the next pass begins with."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.program_points import LoopNode
from memlint.analysis.tensorflow.flow import Flow
from memlint.syntax.tree import dotted


def feeds_a_call(flow: Flow, loop: LoopNode, call: cst.Call, name: str) -> bool:
    """Whether a call in each pass takes all that there is so far: a sequence that a model goes on with."""
    inside = {*flow.model.walk(call)}
    others = (c for c in flow.model.walk(loop) if type(c) is cst.Call and c not in inside)
    return any(dotted(a.value) == name for c in others for a in c.args if not _is_look(c))


def comes_back(flow: Flow, loop: LoopNode, added: cst.BaseExpression) -> bool:
    """Whether the next pass begins with what this one adds: tokens that a decoder goes on with."""
    name, positions = dotted(added), flow.model.positions
    if not isinstance(added, cst.Name):
        return False
    ends = {d.node for d in flow.definitions(added)}
    calls = (c for c in flow.model.walk(loop) if type(c) is cst.Call and c not in ends)
    given = [a.value for c in calls for a in c.args if dotted(a.value) == name and not _is_look(c)]
    return any(
        d.node in ends and positions[d.node] > positions[g] for g in given for d in flow.definitions(g)
    )


def widens_an_argument(flow: Flow, loop: LoopNode, starts: list[cst.CSTNode]) -> bool:
    """Whether a counted loop adds to what a function is given: powers of its features in a forward pass.

    They are as many as the counter says, and belong to the graph of the pass: as arrays they would end it.
    """
    over = loop.iter if isinstance(loop, cst.For) else None
    counted = isinstance(over, cst.Call) and dotted(over.func) == "range"
    return counted and bool(starts) and all(_is_argument(flow, start) for start in starts)


def _is_argument(flow: Flow, node: cst.CSTNode) -> bool:
    if isinstance(node, cst.Subscript):
        node = node.value
    if not isinstance(node, cst.Name):
        return isinstance(node, cst.Param)
    found = flow.definitions(node)
    return bool(found) and all(isinstance(d.node, cst.Param) for d in found)


def _is_look(call: cst.Call) -> bool:
    return dotted(call.func) in ("len", "print", "tf.shape", "tf.print")
