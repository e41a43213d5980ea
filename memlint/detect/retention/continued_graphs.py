"""What may use a graph after a backward: other backwards, callers, and code out of view."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.execution_order import active_nodes
from memlint.analysis.dataflow.functions import definitions_meant
from memlint.analysis.facts import Backward, Event
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loops import over_loader
from memlint.analysis.values import NO_IDS
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
    """Whether two backwards belong to one run: they share a loop, or a function that runs both. The passes of
    a loop over a few constants are gone through one by one, each as a loop of its own."""
    if a.loops and b.loops:
        return a.loops[0].node is b.loops[0].node and a.loops[0].frame is b.loops[0].frame
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


def from_elsewhere(model: ScriptModel, backward: Backward, graph: set[int]) -> bool:
    """Whether a part of a graph was made by code out of view, which may use it again.

    What the only backward of a file runs through is made for it each time where its own function calls what
    it was given, such as a network, with what its callers hand it, or has another function do so.
    """
    trace = model.trace
    made = graph & trace.unknowns
    called = {n for n in made if trace.given_callables.get(n) == backward.loops}
    own = {n for n in called if trace.made_in.get(n) is backward.frame}
    if own and all(b.node is backward.node for b in trace.backwards.values()):
        made = {n for n in made - own if trace.made_in.get(n) is backward.frame}
    begun = {n for n in made if trace.parents.get(n, NO_IDS).isdisjoint(graph)}
    return bool(begun - _made_of_batches(model, backward)) if begun else _goes_round(model, made)


def _made_of_batches(model: ScriptModel, backward: Backward) -> set[int]:
    """What calls of code out of view make of a batch that the loop of a backward goes through: each time
    again, `features(x.cuda())`."""
    loop = backward.loops[-1].node if backward.loops and over_loader(backward.loops[-1]) else None
    if not isinstance(loop, cst.For):
        return set()
    given = model.names_in(loop.target)
    calls = (call for call in model.every(cst.Call, loop.body) if call.args)
    return model.machine.made_at(
        call for call in calls if any(not given.isdisjoint(model.names_in(arg.value)) for arg in call.args)
    )


def _goes_round(model: ScriptModel, made: set[int]) -> bool:
    """Whether code out of view computes a value from what it gave in the turn before: `o, h = step(x, h)`."""
    parents = model.trace.parents
    return any(n in model.trace.ancestors(parents.get(n, NO_IDS)) for n in made)
