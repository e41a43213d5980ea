"""Forward passes of a trained network outside of every loop: over a whole test set when training is over, and
in methods that predict."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.execution_order import program_point
from memlint.analysis.dataflow.functions import routes_of
from memlint.analysis.facts import Forward
from memlint.analysis.knowledge import naming
from memlint.analysis.model import ScriptModel
from memlint.analysis.uses.shown_values import graph_is_cut, is_detached_and_looked_at, only_looked_at
from memlint.analysis.values import Frame, Ref, options_of
from memlint.syntax.expressions import calls_in, same


def tests_at_once(model: ScriptModel, forward: Forward) -> bool:
    """Whether a script runs the network that it has trained over test data, by their name, and nothing
    trains on: `pred = net(X_test)` below the training loop."""
    trace, frame = model.trace, forward.frame
    node = forward.node
    if forward.loops or not isinstance(node, cst.Call) or not trace.steps:
        return False
    if isinstance(model.parent(node), cst.Expr) or not any(_is_test_data(model, a) for a in node.args):
        return False
    steps = list(trace.steps.values())
    if not all(s.loops and frame in s.frame.chain() for s in steps):
        return False
    point = program_point(model, forward)
    if any(program_point(model, e) > point for e in (*steps, *trace.backwards.values())):
        return False
    return _is_trained_here(model, forward) and graph_is_cut(model, forward)


def predicts(model: ScriptModel, forward: Forward, frame: Frame) -> bool:
    """Whether a method that predicts, of an object whose other methods train the network, or put it into
    evaluation mode, detaches what that gives: `return self.net(x).detach().numpy()`."""
    owner = model.owner_class(frame)
    if owner is None or not naming.infers(frame.name):
        return False
    if _is_in_evaluation_mode(model, forward, owner):
        return is_detached_and_looked_at(model, forward)
    if not frame.entry:
        return False
    frames = (f for backward in model.trace.backwards.values() for f in backward.frame.chain())
    trains = any(model.owner_class(f) is owner for f in frames)
    return trains and _is_trained_here(model, forward) and is_detached_and_looked_at(model, forward)


def answers_requests(model: ScriptModel, forward: Forward) -> bool:
    """Whether a web framework runs a network for each request, of which text or numbers leave, in a script
    that has put it into evaluation mode and trains nothing."""
    if not forward.own_eval or model.trace.steps or model.trace.backwards:
        return False
    functions = (frame.node for frame in forward.frame.chain() if isinstance(frame.node, cst.FunctionDef))
    return any(any(routes_of(f)) for f in functions) and only_looked_at(model, forward)


def _is_test_data(model: ScriptModel, arg: cst.Arg) -> bool:
    """Whether an argument is called like test data as a whole: `X_test`, `torch.from_numpy(test.values)`."""
    if any(isinstance(part, (cst.Subscript, cst.Integer)) for part in model.walk(arg.value)):
        return False
    names = (part.value for part in model.walk(arg.value) if isinstance(part, cst.Name))
    return any(naming.evaluates(name) or naming.whole_test_data(name) for name in names)


def _is_in_evaluation_mode(model: ScriptModel, forward: Forward, owner: cst.ClassDef) -> bool:
    """Whether a method of a class puts the network that it holds into evaluation mode, and none back."""
    func = forward.node.func if isinstance(forward.node, cst.Call) else None
    if not isinstance(func, cst.Attribute) or model.owner_class(forward.frame) is not owner:
        return False
    modes = [call.func for call in calls_in(owner, "eval", "train") if isinstance(call.func, cst.Attribute)]
    told = {call.attr.value for call in modes if same(call.value, func)}
    return told == {"eval"}


def _is_trained_here(model: ScriptModel, forward: Forward) -> bool:
    """Whether a backward of the script goes through another call of the same network."""
    modules = {o.obj for o in options_of(forward.module) if isinstance(o, Ref)}
    gone_through = model.trace.differentiated
    return any(
        f.ids & gone_through and any(isinstance(o, Ref) and o.obj in modules for o in options_of(f.module))
        for f in model.trace.forwards.values()
    )
