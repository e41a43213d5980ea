"""Whether anything needs the gradients between a forward pass and the place where they are cleared."""

from __future__ import annotations

from bisect import bisect_left

import libcst as cst

from memlint.analysis.dataflow.execution_order import in_one_iteration, program_point, zeros_in
from memlint.analysis.facts import Backward, Event, Forward, Opaque, Zero
from memlint.analysis.knowledge.libraries import PARTIAL
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.grad_reads import readers
from memlint.syntax.expressions import literal, place


def is_cleared_elsewhere(model: ScriptModel, zero: Zero) -> bool:
    """Whether something else in the same iterations clears gradients as well, so that none are left."""
    return any(
        other.node is not zero.node
        and in_one_iteration(zero, other)
        and len(other.loops) >= len(zero.loops)
        and (
            other.target is zero.target
            or other.target is None
            or zero.target is None
            or _may_be_same(zero, other)
        )
        for other in (zeros_in(model, zero.loops[-1]) if zero.loops else model.trace.zeros.values())
    )


def _may_be_same(zero: Zero, other: Zero) -> bool:
    kinds = {t.kind for t in (zero.target, other.target) if t is not None}
    return len(kinds) > 1 or any(t is not None and t.by_name for t in (zero.target, other.target))


def same_path(model: ScriptModel, zero: Zero, backward: Backward) -> bool:
    """Whether the two run under the same conditions: a window of accumulation clears now and then."""
    return _conditions(model, zero) <= _conditions(model, backward)


def _conditions(model: ScriptModel, event: Event) -> set[cst.CSTNode]:
    """The branches and handlers in which an event and the calls that led to it stand."""
    nodes = [event.node, *(f.call for f in event.frame.chain() if f.call is not None)]
    found: set[cst.CSTNode] = set()
    for node in nodes:
        for above in model.ancestors(node):
            if isinstance(above, (cst.For, cst.While, cst.FunctionDef)):
                break
            if isinstance(above, (cst.If, cst.IfExp, cst.Else, cst.ExceptHandler, cst.Match)):
                found.add(above)
    return found


def steps_between(model: ScriptModel, forward: Forward, zero: Zero) -> bool:
    """Whether gradients are made or used between a forward and the place where they are cleared."""
    begin, end = program_point(model, forward), program_point(model, zero)
    events = (*model.trace.backwards.values(), *model.trace.steps.values())
    return any(begin < program_point(model, e) < end and in_one_iteration(zero, e) for e in events)


def reads_gradients_between(model: ScriptModel, forward: Forward, zero: Zero) -> bool:
    """Whether the code between a forward and the clearing reads `.grad`, itself or in what it calls."""
    low, high = model.positions[forward.node], model.positions[zero.node]
    if zero.frame is not forward.frame or low > high:
        return ".grad" in model.text.replace("torch.autograd.grad", "").replace(".grad_", "")
    functions, places = readers(model)
    return "forward" in functions or bisect_left(places, low) < bisect_left(places, high)


def may_be_watched(model: ScriptModel, first: Event, last: Event | None) -> bool:
    """Whether code out of view gets a network or an optimizer between two events, or had one before.

    It may look at the gradients. Code that was given a network earlier may have put hooks on it, which run
    with its forward pass, or have made an object that looks later; what was made with an optimizer counts
    where it is used between the two. `last` is None for all that follows the first.
    """
    if any(word.startswith("register_forward") for word in model.identifiers):
        return True
    end = program_point(model, last) if last is not None else None
    kinds = {o.id: o.kind for o in model.trace.objects.values()}
    for call in model.trace.opaque_calls.values():
        given = {kinds.get(number) for number in call.objects | call.reaches}
        if end is not None and program_point(model, call) >= end and call.name != PARTIAL:
            continue
        if "module" in given or ("optimizer" in given and _acts_later(model, call, first, last)):
            return True
    return False


def _acts_later(model: ScriptModel, call: Opaque, first: Event, last: Event | None) -> bool:
    """Whether an unseen call runs after an event, or what it gave is named between two."""
    if program_point(model, first) < program_point(model, call) or call.name == PARTIAL:
        return True
    line = model.parent(call.node)
    if last is None or not isinstance(line, cst.Assign):
        return False
    between = model.names.preorder.nodes[model.positions[first.node] : model.positions[last.node]]
    names = {place(target.target) for target in line.targets}
    return any(isinstance(n, (cst.Name, cst.Attribute)) and place(n) in names for n in between)


WATCHED = "code that memlint cannot see has the network as well, and may look at the gradients"
"""The caution of a fix that clears gradients earlier."""


def drops_gradients(clear: cst.Call) -> bool:
    """Whether a call such as `zero_grad()` says nothing else than that the buffers go."""
    return [literal(arg.value) for arg in clear.args] in ([], [True])
