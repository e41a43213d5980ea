"""What functions keep alive: their defaults, and the variables of the activation that they close over."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.interpret.machine import Machine
from memlint.analysis.values import Function, Items, Value
from memlint.syntax.names import Names


def with_captured(machine: Machine, value: Value) -> Value:
    """A value to be stored; a function comes together with what it holds."""
    if not isinstance(value, Function):
        return value
    held = [*_defaults(machine, value), *_variables(machine, value)]
    return Items((value, *held)) if held else value


def _defaults(machine: Machine, function: Function) -> list[Value]:
    """The values of parameters such as `loss=loss`, which are taken when the function is made."""
    params = function.node.params
    all_params = (*params.posonly_params, *params.params, *params.kwonly_params)
    if _names(machine, function) is not machine.names:
        return []
    return [machine.evaluate(p.default) for p in all_params if isinstance(p.default, cst.Name)]


def _names(machine: Machine, function: Function) -> Names:
    """The names of the module in which a function stands, which need not be the one that runs."""
    return function.frame.names or machine.home


def _variables(machine: Machine, function: Function) -> list[Value]:
    """The locals of the activation in which the function was made, where each iteration has its own.

    A loop in that very function leaves one variable for all closures, with its last value.
    """
    around = function.frame
    if around.lexical is None or not machine.loops or machine.loops[-1].frame is around:
        return []
    params = function.node.params
    own = {p.name.value for p in (*params.posonly_params, *params.params, *params.kwonly_params)}
    body = _names(machine, function).walk(function.node.body)
    names = {n.value for n in body if type(n) is cst.Name} - own
    values = (machine.read((around.id, name)) for name in sorted(names))
    return [v for v in values if v is not None and not isinstance(v, Function)]
