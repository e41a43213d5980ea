"""Hooks that a module runs at every forward pass: what they put where that or its caller reads it."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Args
from memlint.analysis.interpret.unseen import differentiates
from memlint.analysis.values import Function, Items, Obj, Ref, Value, options_of


def add_hook(machine: Machine, owner: Obj, args: Args) -> None:
    """Remember a function given to `register_forward_hook`, for the module and those that it is a part of."""
    hooks = [option for option in options_of(args[0]) if isinstance(option, Function)] if args else []
    if _is_handed_over(owner) and any(_differentiates(machine, hook) for hook in hooks):
        machine.part_trains = True
    above: Obj | None = owner
    for _ in range(_MOST_LEVELS):
        if above is None or not hooks:
            return
        known = machine.hooks.setdefault(above.id, [])
        known += [hook for hook in hooks if hook not in known]
        whole = above.args.get("of")
        above = whole.obj if isinstance(whole, Ref) else None


def _is_handed_over(module: Obj) -> bool:
    """Whether nothing in view made a module, or shows what it is a part of."""
    return type(module.node) is not cst.Call and module.cls is None and "of" not in module.args


def _differentiates(machine: Machine, hook: Function) -> bool:
    """Whether a hook runs backward, by its code."""
    names = hook.frame.root().names or machine.home
    return any(differentiates(names, call) for call in names.every(cst.Call, hook.node))


_MOST_LEVELS = 8
"""How many modules around one are looked at: `net.encoder.layer[3].attention`."""


def run_hooks(machine: Machine, module: Ref, args: Args, result: Value, node: cst.CSTNode) -> bool:
    """Run the hooks of a module that was called, for what they store; they write no events.

    What a hook of a part gets lives and dies with the graph of the whole result. Gives whether one of them
    runs backward: also one of a layer that was handed over, which may be a part of any network out of view.
    """
    trains = machine.part_trains and _is_handed_over(module.obj)
    for hook in machine.hooks.get(module.obj.id, ())[:_MOST_HOOKS]:
        if any(frame.node is hook.node for frame in machine.frame.chain()):
            continue
        outer = machine.effects, machine.quiet_backward
        machine.effects, machine.quiet_backward = [], False
        machine.quiet += 1
        machine.call(hook, [module, Items(tuple(args)), result], {}, node)
        machine.quiet -= 1
        trains = trains or machine.quiet_backward
        machine.effects, machine.quiet_backward = outer
    return trains


_MOST_HOOKS = 4
"""How many hooks of one module are run: those of its layers are mostly one function."""
