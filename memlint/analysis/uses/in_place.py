"""Whether a tensor is written in place: under its name, by a view of it, or in a function."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.functions import definitions_meant
from memlint.analysis.dataflow.reaching_definitions import reaching_values
from memlint.analysis.model import ScriptModel
from memlint.syntax.arguments import argument_for, keyword, parameters
from memlint.syntax.expressions import literal, place
from memlint.syntax.tree import last_name

_SHARING = frozenset(
    "chunk contiguous data detach diagonal expand expand_as flatten H imag mH mT movedim narrow numpy "
    "permute ravel real reshape select split squeeze swapaxes swapdims t T tensor_split transpose unbind "
    "unflatten unfold unsqueeze view view_as".split()
)
"""Attributes and methods whose result has, or may have, the storage of the tensor. Source: the list of
views in https://docs.pytorch.org/docs/stable/tensor_view.html, and `data`, `detach` and `numpy`."""

_DEPTH = 3


def mutated(model: ScriptModel, name: str, scope: cst.CSTNode) -> bool:
    """Whether a value is written in place under this name or a view of it: `x += 1`, `x[i] = v`, `x.relu_()`.

    Functions of the project that get it are looked into.
    """
    return _mutated(model, name, scope, _DEPTH)


def _mutated(model: ScriptModel, name: str, scope: cst.CSTNode, depth: int) -> bool:
    nodes = model.walk(scope)
    names = _sharing(model, name, nodes)
    if any(_mutates(model, node, names) for node in nodes):
        return True
    return any(_handed_on(model, node, names, depth) for node in nodes if isinstance(node, cst.Call))


def _sharing(model: ScriptModel, name: str, nodes: list[cst.CSTNode]) -> set[str]:
    """The name itself, and the names that are bound to it or to views of it."""
    names, grown = {name} - {""}, True
    while grown:
        size = len(names)
        for node in nodes:
            if isinstance(node, cst.Assign) and _root(model, node.value) in names:
                for target in node.targets:
                    names |= _bound(target.target)
            elif isinstance(node, cst.For) and _root(model, node.iter) in names:
                names |= _bound(node.target)
        grown = len(names) > size
    return names


def _bound(target: cst.BaseExpression) -> set[str]:
    if isinstance(target, (cst.Tuple, cst.List)):
        return {name for element in target.elements for name in _bound(element.value)}
    return {target.value} if isinstance(target, cst.Name) else set()


def _mutates(model: ScriptModel, node: cst.CSTNode, names: set[str]) -> bool:
    if isinstance(node, cst.AugAssign):
        return _root(model, node.target) in names
    if isinstance(node, cst.AssignTarget) and isinstance(node.target, (cst.Subscript, cst.Attribute)):
        return place(node.target) not in names and _root(model, node.target) in names
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        return _writes(node.func.attr.value) and _root(model, node.func.value) in names
    return isinstance(node, cst.Arg) and node.keyword is not None and node.keyword.value == "out"


def _handed_on(model: ScriptModel, call: cst.Call, names: set[str], depth: int) -> bool:
    """Whether a call gets one of the names and writes to it: `F.relu_(x)`, `relu(x, inplace=True)`."""
    if not any(_root(model, arg.value) in names for arg in call.args):
        return False
    made = (v for v in reaching_values(model, call.func) if isinstance(v, cst.Call))
    if _writes(last_name(call.func)) or any(_is_in_place(c) for c in (call, *made)):
        return True
    for function in definitions_meant(model, call.func) if depth else ():
        if not isinstance(function, cst.FunctionDef) or not model.owns(function):
            continue
        given = {p: argument_for(call, function, p) for p in parameters(function)}
        taken = [p for p, value in given.items() if value is not None and _root(model, value) in names]
        if any(_mutated(model, p, function.body, depth - 1) for p in taken):
            return True
    return False


def _is_in_place(call: cst.Call) -> bool:
    given = keyword(call, "inplace")
    return given is not None and literal(given) is not False


def _writes(method: str) -> bool:
    return method.endswith("_") and not method.endswith("__") and method != "requires_grad_"


def _root(model: ScriptModel, node: cst.BaseExpression) -> str:
    """The place of what an index, a slice or a view is taken of, that of anything else itself; or ""."""
    while True:
        match node:
            case cst.Subscript(value=inner):
                node = inner
            case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name(value=name))) if name in _SHARING:
                # `torch.flatten(x)` or `x.flatten()`.
                node = node.args[0].value if model.path_of(inner) == "torch" and node.args else inner
            case cst.Attribute(value=inner, attr=cst.Name(value=name)) if name in _SHARING:
                node = inner
            case _:
                return place(node)
