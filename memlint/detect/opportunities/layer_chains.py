"""Layers that stand in an nn.Sequential one behind the other, and that nobody takes out of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from memlint.analysis.model import ScriptModel
from memlint.syntax.tree import last_name

_PARTS = frozenset({"children", "named_children", "modules", "named_modules", "_modules"})
_FILLED = frozenset({"append", "extend", "insert"})


def chains(model: ScriptModel, call: cst.Call) -> Iterator[Sequence[cst.BaseExpression]]:
    """The layers that stand in a Sequential one behind the other, as far as they are written down."""
    if _is_taken_apart(model, call):
        return
    plain = [arg.value for arg in call.args if not arg.star and arg.keyword is None]
    if len(plain) == len(call.args):
        yield plain
        return
    for arg in call.args:
        if arg.star == "*":
            yield from (found for found in _lists(model, call, arg.value))


def _is_taken_apart(model: ScriptModel, call: cst.Call) -> bool:
    """Whether the file goes through the layers of what a Sequential is assigned to, or takes one out."""
    assign = model.parent(call)
    if not isinstance(assign, cst.AssignTarget | cst.Assign | cst.AnnAssign):
        return False
    targets = [t.target for t in assign.targets] if isinstance(assign, cst.Assign) else [assign.target]
    names = {last_name(target) for target in targets}
    return any(last_name(node) in names for node in _looked_into(model))


def _looked_into(model: ScriptModel) -> Iterator[cst.CSTNode]:
    """What the file iterates, takes items of, or asks for its modules."""
    for node in model.walk(model.module):
        if isinstance(node, cst.For | cst.CompFor):
            yield node.iter
            if isinstance(node.iter, cst.Call):  # enumerate(net), zip(net, others)
                yield from (arg.value for arg in node.iter.args)
        elif isinstance(node, cst.Subscript) or (
            isinstance(node, cst.Attribute) and node.attr.value in _PARTS
        ):
            yield node.value


def _lists(
    model: ScriptModel, call: cst.Call, given: cst.BaseExpression
) -> Iterator[Sequence[cst.BaseExpression]]:
    """The list literals that `*given` stands for: itself, or what its function puts into that name."""
    if isinstance(given, cst.List):
        yield [element.value for element in given.elements]
    function = model.function_of(call)
    if not isinstance(given, cst.Name) or function is None:
        return
    if not all(
        _only_fills(model, name) for name in model.every(cst.Name, function) if name.value == given.value
    ):
        return
    for node in model.walk(function):
        targets: list[cst.BaseExpression] = []
        if isinstance(node, cst.Assign):
            targets = [target.target for target in node.targets]
        elif isinstance(node, cst.AugAssign) and isinstance(node.operator, cst.AddAssign):
            targets = [node.target]
        if any(isinstance(target, cst.Name) and target.value == given.value for target in targets):
            value = node.value  # type: ignore[attr-defined]
            if isinstance(value, cst.List):
                yield [element.value for element in value.elements]


def _only_fills(model: ScriptModel, name: cst.Name) -> bool:
    """Whether a list is assigned, filled or unpacked here, and not read in another way."""
    around = model.parent(name)
    if isinstance(around, cst.Attribute):
        return around.value is not name or around.attr.value in _FILLED
    return isinstance(around, cst.AssignTarget | cst.AugAssign) or (
        isinstance(around, cst.Arg) and around.star == "*"
    )
