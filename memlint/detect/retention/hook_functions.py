"""Which function a hook is: handed over, made by a factory, or wrapped."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Called
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Function, Ref, options_of
from memlint.syntax.tree import last_name


def function_given(events: tuple[Called, ...]) -> cst.FunctionDef | cst.Lambda | None:
    """The function that the run saw handed over: itself, or the `__call__` of an object."""
    for option in (o for event in events if event.args for o in options_of(event.args[0])):
        if isinstance(option, Function):
            return option.node
        owner = option.obj.cls if isinstance(option, Ref) else None
        method = owner.find("__call__") if owner is not None else None
        if method is not None:
            return method[0]
    return None


def hook_parameters(hook: cst.FunctionDef | cst.Lambda) -> tuple[str, ...]:
    """The names under which a hook gets tensors: its parameters without the object and the module."""
    params = [*hook.params.posonly_params, *hook.params.params]
    names = tuple(p.name.value for p in params)
    star = hook.params.star_arg
    names += (star.name.value,) if isinstance(star, cst.Param) else ()
    return tuple(n for n in names if n not in ("self", "cls", "m", "mod", "module", "model", "layer"))


def function_behind(model: ScriptModel, node: cst.BaseExpression) -> cst.FunctionDef | cst.Lambda | None:
    """The function that an expression names, makes by a factory, or wraps by `partial`."""
    if isinstance(node, cst.Lambda):
        return node
    if isinstance(node, (cst.Name, cst.Attribute)):
        return _definition(model, node)
    if not isinstance(node, cst.Call):
        return None
    if last_name(node.func) == "partial" and node.args:
        return function_behind(model, node.args[0].value)
    factory = _definition(model, node.func) if isinstance(node.func, (cst.Name, cst.Attribute)) else None
    return _returned(model, factory) if factory is not None else None


def _definition(model: ScriptModel, node: cst.Name | cst.Attribute) -> cst.FunctionDef | None:
    """The only function or method of the file with this name, the nearest where there are several."""
    name = node.value if isinstance(node, cst.Name) else node.attr.value
    named = [n for n in model.names.every(cst.FunctionDef) if n.name.value == name]
    if len(named) < 2:
        return named[0] if named else None
    around = list(model.ancestors(node))
    near = [n for n in named if model.function_of(n) in around or model.class_of(n) in around]
    return near[-1] if near else None


def _returned(model: ScriptModel, factory: cst.FunctionDef) -> cst.FunctionDef | cst.Lambda | None:
    inner = {n.name.value: n for n in model.walk(factory.body) if isinstance(n, cst.FunctionDef)}
    for node in model.walk(factory.body):
        if isinstance(node, cst.Return) and isinstance(node.value, cst.Lambda):
            return node.value
        if isinstance(node, cst.Return) and isinstance(node.value, cst.Name) and node.value.value in inner:
            return inner[node.value.value]
    return None
