"""Which function a hook is: handed over, made by a factory, or wrapped."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.functions import returned
from memlint.analysis.dataflow.value_sources import call_graph
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


def hook_parameters(hook: cst.FunctionDef | cst.Lambda, *, module_first: bool) -> tuple[str, ...]:
    """The names under which a hook gets tensors: its parameters without the object and the module.

    With `module_first` the first parameter is the module, whatever its name.
    """
    params = [*hook.params.posonly_params, *hook.params.params]
    names = tuple(p.name.value for p in params if p.name.value not in ("self", "cls"))
    names = names[1:] if module_first else names
    star = hook.params.star_arg
    names += (star.name.value,) if isinstance(star, cst.Param) else ()
    return tuple(n for n in names if n not in ("m", "mod", "module", "model", "layer"))


def function_behind(model: ScriptModel, node: cst.BaseExpression) -> cst.FunctionDef | cst.Lambda | None:
    """The function that an expression names, makes by a factory, or wraps by `partial`."""
    if isinstance(node, cst.Lambda):
        return node
    if isinstance(node, (cst.Name, cst.Attribute)):
        return next((f for f in call_graph(model).meant(node) if isinstance(f, cst.FunctionDef)), None)
    if not isinstance(node, cst.Call):
        return None
    if last_name(node.func) == "partial" and node.args:
        return function_behind(model, node.args[0].value)
    factories = (f for f in call_graph(model).callees(node) if isinstance(f, cst.FunctionDef))
    return next((made for f in factories if (made := _returned(model, f)) is not None), None)


def _returned(model: ScriptModel, factory: cst.FunctionDef) -> cst.FunctionDef | cst.Lambda | None:
    """The function or lambda that a factory makes and gives back."""
    inner = {n.name.value: n for n in model.walk(factory.body) if isinstance(n, cst.FunctionDef)}
    for value in returned(model, factory):
        if isinstance(value, cst.Lambda):
            return value
        if isinstance(value, cst.Name) and value.value in inner:
            return inner[value.value]
    return None
