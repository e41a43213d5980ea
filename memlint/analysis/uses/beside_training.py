"""Forward passes beside training whose results are only looked at: samples, previews, accuracy on a probe."""

from __future__ import annotations

from typing import Literal

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.definitions import definitions_by
from memlint.analysis.dataflow.execution_order import backwards_in, program_point
from memlint.analysis.dataflow.liveness import first_node, variable
from memlint.analysis.dataflow.reaching_definitions import reaching_definitions
from memlint.analysis.facts import Backward, Forward, Loop
from memlint.analysis.knowledge import hints, naming
from memlint.analysis.knowledge import libraries as lib
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.graphs import is_differentiated, is_wasted
from memlint.analysis.training.lightning import is_driven
from memlint.analysis.training.loops import acts, over_loader
from memlint.analysis.training.tests_in_code import in_unit_test
from memlint.analysis.training.untrained_networks import inside, is_copy, optimized
from memlint.analysis.uses.shown_values import graph_is_cut, only_looked_at
from memlint.analysis.values import Frame, Ref, options_of
from memlint.syntax.expressions import called_on, place
from memlint.syntax.tree import last_name

How = Literal["", "batch", "epoch", "target"]
"""How often a forward for display runs: beside the batches, or once an epoch. "target": its results are
detached before they are used, as labels for the training forward, and their graph is held until backward; ""
for all others."""


def displayed(model: ScriptModel, forward: Forward) -> How:
    """How often a forward of the trained network runs only to be looked at; "" where that is not sure."""
    if in_unit_test(model, forward.frame) or forward.frame.constructs_module():
        return ""
    if not forward.ids or not is_wasted(model, forward) or _in_network(forward.frame):
        return ""
    if isinstance(forward.node, cst.Call) and naming.loss_call(last_name(forward.node.func)):
        # A loss that is only logged adds little to the graph of the outputs, which is there for another one.
        return ""
    how = _beside_training(model, forward)
    if not how or _is_asked_later(model, forward):
        return ""
    if any(acts(model, loop) for loop in forward.loops) and not _outlives_its_action(model, forward):
        return ""
    if only_looked_at(model, forward):
        return "epoch" if _is_a_head(model, forward) else how
    held = how == "batch" and graph_is_cut(model, forward) and _is_held_at_backward(model, forward)
    return "target" if held else ""


def _is_a_head(model: ScriptModel, forward: Forward) -> bool:
    """Whether a part of a network, `net.head(features)`, goes on with what the whole network gave in the same
    round: the graph of the whole is there anyway, that of one part more is little beside it."""
    func = forward.node.func if isinstance(forward.node, cst.Call) else None
    owner = place(func.value) if isinstance(func, cst.Attribute) else ""
    if owner in ("", "self"):
        return False
    before = model.trace.ancestors(forward.ids)
    return any(
        isinstance(whole.node, cst.Call)
        and place(whole.node.func) == owner
        and whole.loops == forward.loops
        and not whole.ids.isdisjoint(before)
        for whole in model.trace.forwards.values()
    )


def _is_asked_later(model: ScriptModel, forward: Forward) -> bool:
    """Whether a method of the same network, whose code is out of view, is called with something later: it may
    compute with what the forward pass left behind, as in `actor(obs); actor.log_prob(action)`."""
    func = forward.node.func if isinstance(forward.node, cst.Call) else None
    network = place(func) if func is not None else ""
    modules = [o.obj for o in options_of(forward.module) if isinstance(o, Ref)]
    if not network or not modules or not all(m.by_name for m in modules):
        return False
    here, function = model.positions[forward.node], model.function_of(forward.node) or model.module
    return any(
        isinstance(call.func, cst.Attribute)
        and bool(call.args)
        and place(call.func.value) == network
        and call.func.attr.value not in lib.METHODS
        and model.positions[call] > here
        for call in model.every(cst.Call, function)
    )


def _outlives_its_action(model: ScriptModel, forward: Forward) -> bool:
    """Whether what a forward pass chose an action by is still there, graph and all, when the step trains.

    A graph that goes with the action is small; one that a buffer of transitions keeps is the buffer's.
    """
    made = model.trace.descendants(forward.ids)
    kept = any(store.ids & made for store in model.trace.stores.values())
    return not kept and _is_held_at_backward(model, forward)


def _is_held_at_backward(model: ScriptModel, forward: Forward) -> bool:
    """Whether a name holds the result with its graph when the backward of the same round runs.

    What is detached in the expression that makes it leaves no graph: `net(x).argmax(1)`.
    """
    line = model.statement_of(forward.node)
    bound = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
    if not isinstance(bound, cst.Assign) or len(bound.targets) != 1 or _is_cut_there(model, forward.node):
        return False
    # `a, b = net(x), net(y)`: each has a name of its own.
    pairs = definitions_by(bound) if isinstance(bound.value, cst.Tuple) else ()
    own = (name for name, d in pairs if d.kind == "value" and forward.node in model.walk(d.node))
    target = next(own, bound.targets[0].target)
    found = variable(model, target, target.value) if isinstance(target, cst.Name) else None
    if found is None or found.captured:
        return False
    point, same = program_point(model, forward), model.trace.backwards.values()
    later = [b for b in same if b.loops == forward.loops and program_point(model, b) > point]
    backward = min(later, key=lambda b: program_point(model, b), default=None)
    if backward is None or backward.frame is not forward.frame or not _trains_it(model, forward, backward):
        return False
    ran = model.statement_of(backward.node)
    end = first_node(found.flow, ran) if ran is not None else None
    return end is not None and line is not None and line in found.flow.ends and found.reaches(line, end)


def _trains_it(model: ScriptModel, forward: Forward, backward: Backward) -> bool:
    """Whether a backward goes through another forward pass of the same network, which an optimizer has."""
    modules = {o.obj.id for o in options_of(forward.module) if isinstance(o, Ref)}
    if inside(model, modules).isdisjoint(optimized(model)[0]):
        return False
    reached = _calls_of_modules(model, backward)
    return any(reached.get(number, set()) - {forward.node} for number in modules)


@cached
def _calls_of_modules(model: ScriptModel, backward: Backward) -> dict[int, set[cst.CSTNode]]:
    """By the number of each module: its calls that a backward goes through."""
    found: dict[int, set[cst.CSTNode]] = {}
    reached = model.trace.ancestors(backward.ids)
    for forward in model.trace.forwards.values():
        if forward.ids & reached:
            for option in options_of(forward.module):
                if isinstance(option, Ref):
                    found.setdefault(option.obj.id, set()).add(forward.node)
    return found


def _is_cut_there(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether the statement itself detaches what a forward pass in it gives."""
    for above in model.ancestors(node):
        if isinstance(above, cst.BaseStatement):
            return False
        if isinstance(above, cst.Call) and above is not node:
            name = last_name(above.func)
            if name in lib.DETACH_METHODS | lib.INDEX_METHODS | lib.SCALAR_METHODS | lib.INDEX_FUNCTIONS:
                return True
    return False


def _in_network(frame: Frame) -> bool:
    """Whether the code is part of a forward pass itself."""
    return any(f.name in ("forward", "__call__") and f.self_value is not None for f in frame.chain())


def _beside_training(model: ScriptModel, forward: Forward) -> How:
    """Whether a forward runs in a training loop, or in a hook of a trainer that runs beside it."""
    hook = _training_hook(model, forward.frame)
    if hook:
        return "batch" if any(map(over_loader, forward.loops)) else hook
    stepping = _stepping_loops(model)
    training = [loop for loop in forward.loops if loop in stepping]
    if not training or not _is_trained(model, forward):
        return ""
    if _trains_out_of_view(model, forward, training[-1]) and not _is_cut_there(model, forward.node):
        return ""
    often = stepping[training[-1]] or training[-1] is not forward.loops[-1]
    return "batch" if often or _takes_a_whole_set(forward) else "epoch"


def _takes_a_whole_set(forward: Forward) -> bool:
    """Whether a forward pass gets all that there is to evaluate on, by its name: `net(x_test.cuda())`."""
    given = forward.node.args if isinstance(forward.node, cst.Call) else ()
    return any(hints.WHOLE_SET.match(last_name(called_on(arg.value, lib.DEVICE_MOVES))) for arg in given)


def _trains_out_of_view(model: ScriptModel, forward: Forward, loop: Loop) -> bool:
    """Whether a backward in a loop runs through no forward that is known: `net(x, y); net.loss.backward()`.

    It may then run through any forward but those that come after its loss was computed.
    """
    seen = _computed_by_forwards(model)
    unknown = (b for b in backwards_in(model, loop) if seen.isdisjoint(b.ids))
    return any(not _is_computed_before(model, backward, forward) for backward in unknown)


def _is_computed_before(model: ScriptModel, backward: Backward, forward: Forward) -> bool:
    """Whether calls give the loss of a backward, under a name of its own, before a forward pass of the same
    round: `loss = penalty(net, x); out = net(x); loss.backward()`."""
    func = backward.node.func if isinstance(backward.node, cst.Call) else None
    loss = func.value if isinstance(func, cst.Attribute) else None
    together = backward.frame is forward.frame and backward.loops == forward.loops
    if not isinstance(loss, cst.Name) or not together:
        return False
    made = reaching_definitions(model, loss)
    return bool(made) and all(
        model.positions[d.node] < model.positions[forward.node]
        and forward.loops[-1].node in model.ancestors(d.node)
        and any(isinstance(part, cst.Call) for part in model.walk(d.node))
        for d in made
    )


@cached
def _computed_by_forwards(model: ScriptModel) -> set[int]:
    """All values that some known forward is a part of."""
    return model.trace.descendants(model.forward_ids)


@cached
def _stepping_loops(model: ScriptModel) -> dict[Loop, bool]:
    """The loops with an optimizer step or backward in them; True for those whose every turn takes one."""
    found: dict[Loop, bool] = {}
    for event in (*model.trace.steps.values(), *model.trace.backwards.values()):
        for loop in event.loops:
            found[loop] = found.get(loop, False) or loop is event.loops[-1]
    return found


def _training_hook(model: ScriptModel, frame: Frame) -> How:
    """Whether a trainer calls the code beside training with gradients on; it calls the rest without."""
    for active in frame.chain():
        owner = model.owner_class(active)
        if owner is None or not active.entry or not lib.TRAINING_HOOK.match(active.name):
            continue
        if is_driven(model, owner) and not _step_is_out_of_view(model, active):
            return "batch" if "batch" in active.name or "step" in active.name else "epoch"
    return ""


def _step_is_out_of_view(model: ScriptModel, active: Frame) -> bool:
    """Whether a `training_step` gives back a loss that no known forward leads to: any may be the one."""
    if not active.name.startswith("training_step"):
        return False
    inside_step = (f for f in model.trace.forwards.values() if active in f.frame.chain())
    return not any(is_differentiated(model, forward.ids) for forward in inside_step)


def _is_trained(model: ScriptModel, forward: Forward) -> bool:
    """Whether the network is one of those that the script trains."""
    options = [o.obj.id for o in options_of(forward.module) if isinstance(o, Ref)]
    if any(isinstance(o, Ref) and is_copy(model, o.obj) for o in options_of(forward.module)):
        return True  # the average of the trained one's weights
    return bool(options) and not _trained(model).isdisjoint(inside(model, options))


@cached
def _trained(model: ScriptModel) -> frozenset[int]:
    """The modules that a backward of the run goes through, or that an optimizer has, with their parts."""
    run = [f.module for f in model.trace.forwards.values() if is_differentiated(model, f.ids)]
    objects = {o.obj.id for module in run for o in options_of(module) if isinstance(o, Ref)}
    return inside(model, objects | optimized(model)[0])
