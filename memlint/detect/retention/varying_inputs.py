"""Whether the input of a forward pass may change from iteration to iteration."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Forward, Loop
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Frame
from memlint.detect.retention.loop_bindings import CONVERSIONS, is_changed_elsewhere, values_bound
from memlint.syntax.arguments import argument_for, parameters

_CONSTANTS = frozenset({"True", "False", "None"})


def input_varies(model: ScriptModel, forward: Forward, loop: Loop) -> bool:
    """Whether the input of a forward pass may change from iteration to iteration; in doubt it does."""
    if not isinstance(forward.node, cst.Call) or not forward.node.args:
        return True
    seen: set[tuple[str, int]] = set()
    given = [a.value for a in forward.node.args]
    names = (n.value for a in given for n in model.walk(a) if isinstance(n, cst.Name))
    # A model without inputs has nothing but its parameters to learn.
    if all(name in _CONSTANTS for name in names):
        return True
    return any(_expression_varies(model, a, forward.frame, loop, seen) for a in given)


def _expression_varies(
    model: ScriptModel, node: cst.BaseExpression, frame: Frame, loop: Loop, seen: set[tuple[str, int]]
) -> bool:
    """Whether an expression calls something unknown, or reads a name that varies."""
    calls = {id(f.node) for f in model.trace.forwards.values()}
    functions = set[cst.CSTNode]()
    for part in model.walk(node):
        if isinstance(part, (cst.Yield, cst.Await, cst.NamedExpr, cst.Lambda, cst.CompFor)):
            return True
        if isinstance(part, cst.Call):
            converts = isinstance(part.func, cst.Attribute) and part.func.attr.value in CONVERSIONS
            if not converts and id(part) not in calls:
                return True
            if not converts:
                functions |= set(model.walk(part.func))
            elif isinstance(part.func, cst.Attribute):
                functions.add(part.func.attr)
    names = [n for n in model.walk(node) if isinstance(n, cst.Name) and n not in functions]
    return any(_name_varies(model, n, frame, loop, seen) for n in names if _is_read(model, n))


def _is_read(model: ScriptModel, name: cst.Name) -> bool:
    parent = model.parent(name)
    if isinstance(parent, cst.Attribute) and parent.attr is name:
        return False
    return not (isinstance(parent, cst.Arg) and parent.keyword is name)


def _name_varies(
    model: ScriptModel, name: cst.Name, frame: Frame, loop: Loop, seen: set[tuple[str, int]]
) -> bool:
    """Whether a name is bound in the loop to something that varies, or handed to code that may change it."""
    word = name.value
    if word in _CONSTANTS:
        return False
    if word == "self" or (isinstance(model.parent(name), cst.Attribute) and _state_of(model, name)):
        return True
    if (word, frame.id) in seen:
        return False
    seen.add((word, frame.id))
    if frame is not loop.frame:
        return _local_varies(model, word, frame, loop, seen)
    if is_changed_elsewhere(model, word, loop):
        return True
    bound = values_bound(model, word, loop.node)
    return any(v is None or _expression_varies(model, v, frame, loop, seen) for v in bound)


def _state_of(model: ScriptModel, name: cst.Name) -> bool:
    """Whether an attribute of a name is read that is no plain tensor attribute: `batch.x` may change."""
    parent = model.parent(name)
    assert isinstance(parent, cst.Attribute)
    return parent.attr.value not in CONVERSIONS | {"T", "data", "shape", "device", "dtype", "grad"}


def _local_varies(
    model: ScriptModel, word: str, frame: Frame, loop: Loop, seen: set[tuple[str, int]]
) -> bool:
    """Whether a local name or parameter varies, of a function that runs inside the iteration."""
    function = frame.node
    if (
        not isinstance(function, cst.FunctionDef)
        or frame.caller is None
        or not isinstance(frame.call, cst.Call)
    ):
        return True
    values = values_bound(model, word, function.body)
    if word in parameters(function):
        given = argument_for(frame.call, function, word)
        if given is None or _expression_varies(model, given, frame.caller, loop, seen):
            return True
    elif not values:
        return True
    return any(v is None or _expression_varies(model, v, frame, loop, seen) for v in values)
