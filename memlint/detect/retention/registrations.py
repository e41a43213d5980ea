"""Hooks that a file registers on modules and tensors, with the functions that they call."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from memlint.analysis.facts import Called
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Function, Ref, options_of
from memlint.syntax.tree import last_name

_MODULE_HOOKS = frozenset(
    "register_forward_hook register_forward_pre_hook register_full_backward_hook register_backward_hook "
    "register_full_backward_pre_hook".split()
)
_TENSOR_HOOKS = frozenset(("register_hook", "register_post_accumulate_grad_hook"))


@dataclass(frozen=True, slots=True)
class Registration:
    """One call that registers a hook; `events` are its executions in the abstract run."""

    call: cst.Call
    name: str
    hook: cst.FunctionDef | cst.Lambda | None
    params: tuple[str, ...]
    events: tuple[Called, ...]

    @property
    def is_tensor_hook(self) -> bool:
        """Whether it is a hook of one tensor, which lives as long as that."""
        return self.name in _TENSOR_HOOKS

    @property
    def is_backward(self) -> bool:
        """Whether the hook gets gradients, which carry no graph."""
        return "backward" in self.name or self.is_tensor_hook


def registrations(model: ScriptModel) -> list[Registration]:
    """All registrations of hooks in source order, those of other files that the run came to at the end."""
    events: dict[cst.CSTNode, list[Called]] = {}
    for event in model.trace.calls.values():
        if event.path[1:] in _MODULE_HOOKS or event.path[1:] in _TENSOR_HOOKS:
            events.setdefault(event.node, []).append(event)
    found = []
    foreign = [n for n in events if isinstance(n, cst.Call) and not model.owns(n)]
    for call in (*model.names.calls, *foreign):
        func = call.func
        if not isinstance(func, cst.Attribute) or not call.args:
            continue
        if func.attr.value in _MODULE_HOOKS or func.attr.value in _TENSOR_HOOKS:
            met = tuple(events.get(call, ()))
            hook = _resolved(model, call.args[0].value) if model.owns(call) else None
            hook = hook or _given(met)
            params = _params(hook) if hook is not None else ()
            found.append(Registration(call, func.attr.value, hook, params, met))
    return found


def container_of(model: ScriptModel, node: cst.BaseExpression) -> str:
    """The name that stands for a container: the last attribute, past any subscripts."""
    while isinstance(node, cst.Subscript):
        node = node.value
    return last_name(node)


def _given(events: tuple[Called, ...]) -> cst.FunctionDef | cst.Lambda | None:
    """The function that the run saw handed over: itself, or the `__call__` of an object."""
    for option in (o for event in events if event.args for o in options_of(event.args[0])):
        if isinstance(option, Function):
            return option.node
        owner = option.obj.cls if isinstance(option, Ref) else None
        method = owner.find("__call__") if owner is not None else None
        if method is not None:
            return method[0]
    return None


def _params(hook: cst.FunctionDef | cst.Lambda) -> tuple[str, ...]:
    params = [*hook.params.posonly_params, *hook.params.params]
    names = tuple(p.name.value for p in params)
    star = hook.params.star_arg
    names += (star.name.value,) if isinstance(star, cst.Param) else ()
    return tuple(n for n in names if n not in ("self", "cls", "m", "mod", "module", "model", "layer"))


def _resolved(model: ScriptModel, node: cst.BaseExpression) -> cst.FunctionDef | cst.Lambda | None:
    """The function that an expression names, makes by a factory, or wraps by `partial`."""
    if isinstance(node, cst.Lambda):
        return node
    if isinstance(node, (cst.Name, cst.Attribute)):
        return _definition(model, node)
    if not isinstance(node, cst.Call):
        return None
    if last_name(node.func) == "partial" and node.args:
        return _resolved(model, node.args[0].value)
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
