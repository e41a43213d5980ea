"""What may use a graph after a backward: other backwards, callers, and code out of view."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.execution_order import active_nodes
from memlint.analysis.dataflow.functions import definitions_meant
from memlint.analysis.facts import Backward, Event
from memlint.analysis.model import ScriptModel
from memlint.syntax.arguments import parameters
from memlint.syntax.expressions import place
from memlint.syntax.tree import root_name


def may_go_on(model: ScriptModel, backward: Backward) -> bool:
    """Without a loop in view: whether other backwards, or whoever gets the result, may use the graph."""
    if any(b.node is not backward.node for b in model.trace.backwards.values()):
        return True
    returned = (n.value for n in model.walk(backward.frame.node) if isinstance(n, cst.Return))
    return any(isinstance(value, (cst.Name, cst.Tuple)) for value in returned)


def goes_on_out_of_view(model: ScriptModel, backward: Backward, graph: set[int]) -> bool:
    """Whether code out of view gets a part of the graph afterwards, and a network to go on with."""
    trace = model.trace
    for event in trace.opaque_calls.values():
        given = trace.passed_arguments.get((id(event.node), event.frame.id), [])
        if not any(ids & graph for _, ids in given) or not together(backward, event):
            continue
        networks = (trace.objects.get(number) for number in event.objects)
        if any(n is not None and n.kind == "module" for n in networks) and follows(model, backward, event):
            return True
    return False


def together(a: Event, b: Event) -> bool:
    """Whether two backwards belong to one run: they share a loop, or a function that runs both."""
    if a.loops and b.loops:
        return a.loops[0] is b.loops[0]
    return bool({f.id for f in a.frame.chain()} & {f.id for f in b.frame.chain()})


def follows(model: ScriptModel, first: Event, second: Event) -> bool:
    """Whether one event comes after another in the same iteration, seen from the function that runs both."""
    rank, after = model.positions, active_nodes(second)
    for frame, node in active_nodes(first).items():
        if frame in after:
            return rank.get(after[frame], 0) >= rank.get(node, 0)
    return True


def hands_state_on(model: ScriptModel, backward: Backward) -> bool:
    """Whether a function out of view makes the loss and takes back what it gave in the last iteration, which
    may have a graph: `loss, h = step(net, x, h)`."""
    loop = backward.loops[-1].node if backward.loops else None
    wanted = model.names_in(backward.node)
    for line in model.every(cst.Assign, loop) if loop is not None else ():
        call, target = line.value, line.targets[0].target
        if isinstance(call, cst.Call) and isinstance(target, cst.Tuple):
            given = {name for element in target.elements if (name := place(element.value))}
            taken = {place(argument.value) for argument in call.args}
            if given & wanted and given & taken and not definitions_meant(model, call.func):
                return True
    return False


def is_given(model: ScriptModel, backward: Backward) -> bool:
    """Whether a list of losses that callers out of view give is gone through: they may have one graph."""
    frame, node = backward.frame, backward.node
    loop = backward.loops[-1].node if backward.loops else None
    if not frame.entry or not isinstance(frame.node, cst.FunctionDef) or not isinstance(loop, cst.For):
        return False
    loss = root_name(node.func) if isinstance(node, cst.Call) else ""
    given = parameters(frame.node)[1 if frame.self_value is not None else 0 :]
    return loss in model.names_in(loop.target) and not model.names_in(loop.iter).isdisjoint(given)
