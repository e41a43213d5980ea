"""Hooks that a file registers on modules and tensors, with the functions that they call."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Called
from memlint.analysis.model import ScriptModel
from memlint.detect.retention.hook_functions import function_behind, function_given, hook_parameters
from memlint.records import dataclass

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
            hook = function_behind(model, call.args[0].value) if model.owns(call) else None
            hook = hook or function_given(met)
            # What `partial` has bound comes before the module.
            plain = func.attr.value in _MODULE_HOOKS and not isinstance(call.args[0].value, cst.Call)
            params = hook_parameters(hook, module_first=plain) if hook is not None else ()
            found.append(Registration(call, func.attr.value, hook, params, met))
    return found
