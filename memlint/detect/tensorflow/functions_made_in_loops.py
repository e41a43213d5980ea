"""Traced functions that are made again in each pass of a loop."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.functions import definition, targets_in
from memlint.analysis.dataflow.program_points import LoopNode
from memlint.analysis.knowledge import hints
from memlint.analysis.match import Label, Match
from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.loop_numbers import counts
from memlint.analysis.tensorflow.repeats import changed_in, is_short, words_assigned
from memlint.analysis.tensorflow.traced_functions import is_tf_function
from memlint.syntax.arguments import parameters
from memlint.syntax.expressions import UNKNOWN, literal, speaks_of
from memlint.syntax.tree import dotted, root_name


def functions_made_in_loops(flow: Flow) -> Iterator[Match]:
    """Calls of `tf.function`, and functions decorated by it, that a loop makes again in each pass."""
    for call in flow.calls_of("tf.function"):
        if isinstance(flow.model.parent(call), cst.Decorator):
            continue
        yield from _in_loop(flow, call, flow.model.short(call, 30))
    for node in flow.model.names.every(cst.FunctionDef):
        if any(is_tf_function(flow, d.decorator) for d in node.decorators):
            yield from _in_loop(flow, node, node.name.value)
            yield from _by_factory(flow, node)


def _by_factory(flow: Flow, node: cst.FunctionDef) -> Iterator[Match]:
    """The calls in loops of a function that defines a traced one and returns it."""
    factory = flow.model.function_of(node)
    if factory is None:
        return
    returned = (n.value for n in flow.model.walk(factory) if isinstance(n, cst.Return))
    if not any(value is not None and dotted(value) == node.name.value for value in returned):
        return
    for call in flow.model.names.calls:
        if definition(flow.model, call.func) is factory:
            yield from _in_loop(flow, call, node.name.value)


def _in_loop(flow: Flow, node: cst.CSTNode, name: str) -> Iterator[Match]:
    loops = flow.loops(node)
    loop = loops[-1] if loops else None
    if not isinstance(loop, (cst.For, cst.While)) or is_short(flow, loop):
        return
    if _serves_inner(flow, node, loops) and not _is_always_the_same(flow, node, loop):
        return
    header = loop.test if isinstance(loop, cst.While) else loop.iter
    shown = node.name if isinstance(node, cst.FunctionDef) else node
    yield Match(shown, {"function": name}, "created", (Label("made again in each pass", header),))


def _is_always_the_same(flow: Flow, node: cst.CSTNode, loop: LoopNode) -> bool:
    """Whether a loop over epochs defines or traces a function that uses nothing which the loop sets."""
    if not isinstance(node, (cst.FunctionDef, cst.Call)) or not isinstance(loop, cst.For):
        return False
    if not speaks_of(loop.target, hints.EPOCH_VARIABLE) or not counts(flow, loop.iter, -1):
        return False
    if isinstance(node, cst.Call):
        given = [arg.value for arg in node.args]
        named = bool(given) and all(dotted(value) or literal(value) is not UNKNOWN for value in given)
        return named and not any(_sets(flow, loop, value) for value in given)
    used = flow.model.names_in(node.body)
    free = used - {node.name.value, *parameters(node), *words_assigned(flow, node.body)}
    return not free & changed_in(flow, loop)


def _sets(flow: Flow, loop: cst.For, value: cst.BaseExpression) -> bool:
    """Whether a loop binds a dotted name, or what its first name means."""
    bound = {dotted(target) for target in targets_in(flow.model, loop.body)}
    first = root_name(value)
    return bool(bound & {first, dotted(value)}) or first in flow.model.names_in(loop.target)


def _serves_inner(flow: Flow, node: cst.CSTNode, loops: tuple[LoopNode, ...]) -> bool:
    """Whether one made function is used many times: a loop within the pass calls it, or it is put away."""
    name = node.name.value if isinstance(node, cst.FunctionDef) else ""
    parent = flow.model.parent(node)
    if isinstance(parent, cst.Assign):
        name = dotted(parent.targets[0].target)
    elif isinstance(parent, cst.Arg) or (not name and not isinstance(parent, cst.Call)):
        return True
    if not name:
        return not isinstance(parent, cst.Call)
    uses = [
        n for n in flow.model.walk(loops[-1]) if type(n) in (cst.Name, cst.Attribute) and dotted(n) == name
    ]
    calls = [u for u in uses if isinstance(above := flow.model.parent(u), cst.Call) and above.func is u]
    others = [u for u in uses if u not in calls and not flow.model.is_target(u)]
    stored = [u for u in others if not isinstance(flow.model.parent(u), cst.FunctionDef)]
    return not calls or bool(stored) or any(len(flow.loops(c)) > len(loops) for c in calls)
