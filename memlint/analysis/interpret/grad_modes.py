"""What decorators and context managers do to grad mode."""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from memlint.analysis.interpret.autocasts import autocast
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Args, Keywords
from memlint.analysis.knowledge import hints
from memlint.analysis.knowledge import libraries as lib
from memlint.analysis.values import (
    SCALAR,
    Cast,
    Const,
    Context,
    External,
    Function,
    Ref,
    Value,
    options_of,
    truth,
)
from memlint.syntax.expressions import speaks_of
from memlint.syntax.tree import last_name


def decorated(machine: Machine, function: Function, definition: cst.FunctionDef) -> Value:
    """A function as its decorators leave it: grad contexts are understood, decorators of the file are run."""
    value: Value = function
    if definition.name.value in machine.wrapped_off:
        value = replace(function, grad="off")
    for decorator in reversed(definition.decorators):
        wrapper = machine.evaluate(decorator.decorator)
        if isinstance(wrapper, External) and wrapper.path in lib.GRAD_CONTEXTS:
            wrapper = Context(lib.GRAD_CONTEXTS[wrapper.path])
        if isinstance(wrapper, External) and wrapper.path in lib.AUTOCASTS:
            wrapper = autocast(wrapper.path, [], {})
        if isinstance(wrapper, Cast) and isinstance(value, Function):
            value = replace(value, cast=wrapper)
        elif isinstance(wrapper, Context) and isinstance(value, Function):
            value = replace(value, grad=wrapper.grad)
        elif isinstance(wrapper, Function) and isinstance(value, Function):
            result = machine.call(wrapper, [value], {}, decorator)
            value = result if isinstance(result, Function) else _guessed(machine, value, wrapper, decorator)
        elif isinstance(value, Function):
            value = _guessed(machine, value, wrapper, decorator)
    return value


def _guessed(machine: Machine, function: Function, wrapper: Value, decorator: cst.Decorator) -> Function:
    """A function whose decorator could not be run: its name may tell, one of another file may do anything."""
    if speaks_of(decorator.decorator, hints.NO_GRAD_WRAPPER):
        return replace(function, grad="off")
    made = decorator.decorator
    makers = (wrapper, machine.evaluate(made.func) if isinstance(made, cst.Call) else wrapper)
    in_cross_module = any(isinstance(maker, Function) and maker.frame.cross_module for maker in makers)
    return replace(function, grad="maybe") if in_cross_module and not function.grad else function


def context_of(value: Value) -> str:
    """The grad mode that a context manager sets, "" when it sets none."""
    modes = {v.grad for v in options_of(value) if isinstance(v, Context)}
    modes |= {mode for v in options_of(value) if isinstance(v, Ref) and (mode := _inherited_mode(v))}
    modes |= {
        lib.GRAD_CONTEXTS[v.path]
        for v in options_of(value)
        if isinstance(v, External) and v.path in lib.GRAD_CONTEXTS
    }
    if not modes:
        return ""
    return modes.pop() if len(modes) == 1 and len(options_of(value)) == 1 else "maybe"


def _inherited_mode(value: Ref) -> str:
    """The grad mode of a class of the file that derives from `torch.no_grad` and enters as that does."""
    cls = value.obj.cls
    if cls is None or cls.find("__enter__") is not None:
        return ""
    return next((lib.GRAD_CONTEXTS[path] for path in cls.ancestry() if path in lib.GRAD_CONTEXTS), "")


def grad_context(mode: str, args: Args) -> Value:
    """What `torch.no_grad(...)` and the like give: a context, or the function they decorate."""
    if len(args) == 1 and isinstance(args[0], Function):
        return replace(args[0], grad=mode)
    if args and truth(args[0]) is False and mode == "off":
        return Context("on")
    if args and truth(args[0]) is None:
        return Context("maybe")
    return Context(mode)


def apply_context(context: Context, args: Args) -> Value:
    """What calling a grad context gives: the function it decorates, or the context itself."""
    if len(args) == 1 and isinstance(args[0], Function):
        return replace(args[0], grad=context.grad)
    return context


def set_grad_enabled(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """`torch.set_grad_enabled(mode)`: a context, and as a bare statement a lasting switch."""
    value = args[0] if args else keywords.get("mode", SCALAR)
    known = truth(value)
    mode = "maybe" if known is None else "on" if known else "off"
    if (
        machine.state is not None
        and isinstance(node, cst.Call)
        and isinstance(machine.names.parents.get(node), cst.Expr)
    ):
        machine.state.grad = mode
        machine.sticky_grad = True
    return Context(mode)


def mode_by_name(value: Value, made: cst.BaseExpression) -> str:
    """The grad mode that a context manager out of view sets by its name: `backend.no_grad()`."""
    if any(isinstance(option, (Ref, External)) for option in options_of(value)):
        return ""
    maker = made.func if isinstance(made, cst.Call) else made
    if last_name(maker) in _SWITCHING_OFF:
        return "off"
    return "maybe" if speaks_of(maker, hints.NO_GRAD_WRAPPER) else ""


_SWITCHING_OFF = frozenset(
    path.rpartition(".")[2] for path, mode in lib.GRAD_CONTEXTS.items() if mode == "off"
)


def yielded_mode(value: Value) -> str:
    """The grad mode in which an own context manager (a generator) hands over to the block."""
    given = [o.obj.args.get("#grad") for o in options_of(value) if isinstance(o, Ref)]
    modes = {str(mode.value) for mode in given if isinstance(mode, Const)}
    return modes.pop() if len(modes) == 1 else ""


def enter_context(machine: Machine, owner: Value, args: Args) -> Value:
    """A grad context entered by hand or through an ExitStack holds until further notice."""
    for value in (owner, *args):
        if isinstance(value, Context) and machine.state is not None:
            machine.state.grad = value.grad
            machine.sticky_grad = True
    return args[0] if args else owner
