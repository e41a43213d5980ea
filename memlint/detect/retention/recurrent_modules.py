"""What is known of a module that takes state in: is it seen, what layers it runs, how state comes in."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Forward
from memlint.analysis.knowledge import hints, libraries
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Obj, Ref, options_of
from memlint.syntax.expressions import place
from memlint.syntax.tree import last_name


def carried_argument(model: ScriptModel, forward: Forward) -> cst.BaseExpression | None:
    """The argument of a forward call that brings the state in; None where the module keeps it itself."""
    if forward.inside is not None:
        return None
    passed = model.trace.passed_arguments.get((id(forward.node), forward.frame.id), ())
    for expression, ids in passed:
        if ids and forward.ids & model.trace.ancestors(ids):
            return expression
    return None


def is_seen_module(forward: Forward) -> bool:
    """Whether the code of the module is in view, or it is a layer of torch."""
    return all(isinstance(o, Ref) and not _is_vague(o.obj) for o in options_of(forward.module))


def _is_vague(obj: Obj) -> bool:
    if obj.cls is None:
        return not obj.path.startswith("torch.nn.")
    # The run does not enter the models of other modules.
    found = obj.cls.find("forward")
    return found is not None and found[1].cross_module


def recurrent_kind(model: ScriptModel, forward: Forward) -> str:
    """RNN, LSTM, GRU or a cell of them: what the module runs through; "" when it is not one kind."""
    kinds: set[str] = set()
    for option in options_of(forward.module):
        if isinstance(option, Ref):
            kinds |= _kinds(model, option.obj)
    return kinds.pop() if len(kinds) == 1 else ""


def _kinds(model: ScriptModel, obj: Obj) -> set[str]:
    if libraries.RECURRENT.match(obj.path):
        return {obj.path.rpartition(".")[2]}
    found: set[str] = set()
    for _, value in model.machine.entries(obj):
        paths = [o.obj.path for o in options_of(value) if isinstance(o, Ref)]
        found |= {path.rpartition(".")[2] for path in paths if libraries.RECURRENT.match(path)}
    return found


def is_named_state(model: ScriptModel, forward: Forward, value: cst.BaseExpression) -> bool:
    """Whether what a module takes up is named like recurrent state, or begins by a call of that name; of
    several values in a tuple, `(x, (hx, cx))`, whether one is."""
    if isinstance(value, (cst.Tuple, cst.List)):
        return any(is_named_state(model, forward, element.value) for element in value.elements)
    name = place(value)
    if hints.MANAGED_MEMORY.search(name):
        return False
    return bool(hints.RECURRENT_STATE.search(name)) or _begins_as_state(model, forward, name)


def _begins_as_state(model: ScriptModel, forward: Forward, name: str) -> bool:
    """Whether the file makes what a name holds first by a call such as `net.init_hidden(20)`."""
    return any(
        isinstance(node.value, cst.Call)
        and hints.BEGINS_STATE.search(last_name(node.value.func)) is not None
        and any(name and place(target.target) == name for target in node.targets)
        for node in model.every(cst.Assign, model.function_of(forward.node) or model.module)
    )


def keeps_its_state(model: ScriptModel, forward: Forward) -> bool:
    """Whether the file sets the state of a network, `net.hidden = net.init_hidden()`, or has it begin one,
    `net.reset_hidden()`: each pass then goes on from the one before."""
    called = place(forward.node.func) if isinstance(forward.node, cst.Call) else ""
    if not called:
        return False
    targets = (t.target for node in model.names.every(cst.Assign) for t in node.targets)
    members = [t for t in targets if isinstance(t, cst.Attribute)]
    if any(place(t.value) == called and hints.RECURRENT_STATE.search(t.attr.value) for t in members):
        return True
    begun = (node.value for node in model.names.every(cst.Expr) if isinstance(node.value, cst.Call))
    methods = (call.func for call in begun if isinstance(call.func, cst.Attribute))
    return any(place(f.value) == called and hints.BEGINS_STATE.search(f.attr.value) for f in methods)
