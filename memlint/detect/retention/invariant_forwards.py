"""Forward passes that see the same input in every iteration of a loop over data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.facts import Forward, Loop
from memlint.analysis.knowledge import hints, naming
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loops import is_epochs, over_loader
from memlint.analysis.values import Frame
from memlint.syntax.tree import dotted, root_name, words_in

_CONVERSIONS = frozenset(
    "to cuda cpu float half double bfloat16 long int view reshape unsqueeze squeeze permute transpose "
    "contiguous flatten requires_grad_ detach t clone pin_memory size dim numel".split()
)
_CONSTANTS = frozenset({"True", "False", "None"})
# An exact Gaussian process is fitted to all of its data in every iteration.
_WHOLE_DATA = ("gpytorch", "botorch")
_LENGTH = re.compile(r"\blen\(\s*([\w.\[\]'\"]+)\s*\)")


@dataclass(frozen=True, slots=True)
class Repeated:
    """The first forward pass of a training loop over data none of whose inputs change in it."""

    forward: Forward
    loop: Loop


def repeated(model: ScriptModel) -> Iterator[Repeated]:
    """The training loops over data in which no forward pass depends on the iteration."""
    if model.imports(*_WHOLE_DATA):
        return
    trace = model.trace
    loops = {b.loops[-1]: None for b in trace.backwards.values() if b.loops and b.fills and not b.unseen}
    seen: set[cst.CSTNode] = set()
    for loop in loops:
        if not isinstance(loop.node, cst.For) or loop.node in seen or not _runs_through_data(model, loop):
            continue
        backwards = [b for b in trace.backwards.values() if b.loops[-1:] == (loop,)]
        reached = model.trace.ancestors(frozenset().union(*(b.ids for b in backwards)))
        inside = [f for f in trace.forwards.values() if loop in f.loops]
        feeding = [f for f in inside if f.ids & reached]
        if feeding and not any(_varies(model, f, loop) for f in inside):
            seen.add(loop.node)
            yield Repeated(feeding[0], loop)


def _runs_through_data(model: ScriptModel, loop: Loop) -> bool:
    """Whether a loop iterates a loader or counts up to the length of one or of a data set."""
    if is_epochs(loop):
        return False
    source = loop.source
    if "range(" not in source and over_loader(loop) and not source.endswith(("iters", "iterations")):
        return True
    for word in words_in(source):
        bound = [v for v in _bound(model, word, _scope_of(model, loop.frame)) if v is not None]
        if len(bound) == 1 and len(model.code(bound[0])) < 120:
            source += " " + model.code(bound[0])
    names = [n.rpartition(".")[2] for n in _LENGTH.findall(source)]
    return any(naming.role(n) == "loader" or hints.WHOLE_DATASET.search(n) for n in names)


def _varies(model: ScriptModel, forward: Forward, loop: Loop) -> bool:
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
    calls = {id(f.node) for f in model.trace.forwards.values()}
    functions = set[cst.CSTNode]()
    for part in model.walk(node):
        if isinstance(part, (cst.Yield, cst.Await, cst.NamedExpr, cst.Lambda, cst.CompFor)):
            return True
        if isinstance(part, cst.Call):
            converts = isinstance(part.func, cst.Attribute) and part.func.attr.value in _CONVERSIONS
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
    if _used_elsewhere(model, word, loop):
        return True
    return any(
        v is None or _expression_varies(model, v, frame, loop, seen) for v in _bound(model, word, loop.node)
    )


def _state_of(model: ScriptModel, name: cst.Name) -> bool:
    """Whether an attribute of a name is read that is no plain tensor attribute: `batch.x` may change."""
    parent = model.parent(name)
    assert isinstance(parent, cst.Attribute)
    return parent.attr.value not in _CONVERSIONS | {"T", "data", "shape", "device", "dtype", "grad"}


def _local_varies(
    model: ScriptModel, word: str, frame: Frame, loop: Loop, seen: set[tuple[str, int]]
) -> bool:
    """The same for a local name or a parameter of a function that runs inside the iteration."""
    function = frame.node
    if (
        not isinstance(function, cst.FunctionDef)
        or frame.caller is None
        or not isinstance(frame.call, cst.Call)
    ):
        return True
    values = _bound(model, word, function.body)
    positional = [p.name.value for p in (*function.params.posonly_params, *function.params.params)]
    if word in positional:
        argument = _argument(frame.call, positional, word, bound=frame.self_value is not None)
        if argument is None or _expression_varies(model, argument, frame.caller, loop, seen):
            return True
    elif not values:
        return True
    return any(v is None or _expression_varies(model, v, frame, loop, seen) for v in values)


def _argument(call: cst.Call, positional: list[str], word: str, *, bound: bool) -> cst.BaseExpression | None:
    """The expression that a call passes for a parameter; None when that cannot be told."""
    if any(a.star for a in call.args):
        return None
    for arg in call.args:
        if arg.keyword is not None and arg.keyword.value == word:
            return arg.value
    position = positional.index(word) - int(bound)
    plain = [a for a in call.args if a.keyword is None]
    return plain[position].value if 0 <= position < len(plain) else None


def _bound(model: ScriptModel, word: str, scope: cst.CSTNode) -> list[cst.BaseExpression | None]:
    """What a name is assigned inside a piece of code; None for a binding without a value of its own."""
    found: list[cst.BaseExpression | None] = []
    for node in _binders(model, scope):
        if isinstance(node, cst.Assign):
            for target in node.targets:
                found += _assigned(model, target.target, node.value, word)
        elif isinstance(node, (cst.AugAssign, cst.For, cst.CompFor, cst.AnnAssign)):
            if word in model.names_in(node.target):
                found.append(None)
        elif isinstance(node, (cst.AsName, cst.NamedExpr)):
            if word in model.names_in(node.name if isinstance(node, cst.AsName) else node.target):
                found.append(None)
        elif isinstance(node, cst.Del) and word in model.names_in(node.target):
            found.append(None)
    return found


_BINDERS = frozenset(
    {cst.Assign, cst.AugAssign, cst.For, cst.CompFor, cst.AnnAssign, cst.AsName, cst.NamedExpr, cst.Del}
)


@cached
def _binders(model: ScriptModel, scope: cst.CSTNode) -> list[cst.CSTNode]:
    """What binds or deletes names inside a piece of code."""
    return [node for node in model.walk(scope) if type(node) in _BINDERS]


def _assigned(
    model: ScriptModel, target: cst.CSTNode, value: cst.BaseExpression, word: str
) -> Iterator[cst.BaseExpression | None]:
    if isinstance(target, cst.Name):
        if target.value == word:
            yield value
    elif isinstance(target, cst.Tuple) and isinstance(value, cst.Tuple):
        if len(target.elements) == len(value.elements):
            for left, right in zip(target.elements, value.elements, strict=True):
                yield from _assigned(model, left.value, right.value, word)
        elif word in model.names_in(target):
            yield None
    elif word in model.names_in(target):
        yield None


def _used_elsewhere(model: ScriptModel, word: str, loop: Loop) -> bool:
    """Whether the loop hands a name to code that may fill it, or calls a method on it that may change it."""
    forwards = {id(f.node) for f in model.trace.forwards.values()}
    for node in model.walk(loop.node):
        if type(node) is not cst.Call:
            continue
        func = node.func
        if isinstance(func, cst.Attribute) and root_name(func.value) == word:
            if func.attr.value not in _CONVERSIONS:
                return True
        elif any(word in model.names_in(a.value) for a in node.args) and id(node) not in forwards:
            last = dotted(func).rpartition(".")[2]
            if not (
                naming.loss_call(last)
                or last in ("len", "print", "int", "float", "range")
                or last in _CONVERSIONS
            ):
                return True
    return False


def _scope_of(model: ScriptModel, frame: Frame) -> cst.CSTNode:
    return frame.node if isinstance(frame.node, cst.FunctionDef) else model.module
