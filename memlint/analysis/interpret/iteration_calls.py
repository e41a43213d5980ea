"""What functions of Python that go through containers give: enumerate, zip, map, sum."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.interpret.containers import elements, new_list, note_draw, note_iteration
from memlint.analysis.interpret.contents import argument_kind, deep_ids, owners_in
from memlint.analysis.interpret.library_calls import passed_through
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Args, Keywords
from memlint.analysis.values import (
    SCALAR,
    Items,
    Params,
    Value,
    choice,
    join,
    options_of,
)


def enumerate_call(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    made = new_list(machine, node)
    if args:
        machine.put(made.obj, Items((SCALAR, elements(machine, args[0], node))))
        made.obj.args["over"] = args[0]
    return made


def zip_call(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    made = new_list(machine, node)
    machine.put(made.obj, Items(tuple(elements(machine, v, node) for v in args)))
    if args:
        made.obj.args["over"] = choice(args)
    return made


def iter_call(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if not args:
        return SCALAR
    note_draw(machine, "iter", args[0], node)
    return passed_through(machine, "builtins.iter", args[0], node)


def next_call(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if args:
        note_draw(machine, "next", args[0], node)
        if machine.loops:
            note_iteration(machine, args[0], machine.loops[-1])
    return elements(machine, args[0], node) if args else SCALAR


def map_call(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    made = new_list(machine, node)
    if len(args) > 1:
        machine.put(made.obj, machine.call(args[0], [elements(machine, v, node) for v in args[1:]], {}, node))
    return made


def filter_call(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """`filter(lambda p: p.requires_grad, model.parameters())` gives parameters of the same modules."""
    given = [option for value in args[1:] for option in options_of(value)]
    return Params(owners_in(machine, given)) if any(isinstance(v, Params) for v in given) else SCALAR


def chain_call(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    made = new_list(machine, node)
    for value in args:
        machine.put(made.obj, elements(machine, value, node))
    parameters = any(isinstance(option, Params) for value in args for option in options_of(value))
    return Params(owners_in(machine, args)) if parameters else made


def sum_call(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    if not args:
        return SCALAR
    value = elements(machine, args[0], node)
    kind, ids = argument_kind(machine, [value], {}), deep_ids(machine, value)
    if kind is None:
        return machine.unknown(node, ids, lightweight=True) if ids else SCALAR
    return machine.tensor(kind, node, ids, "sum", lightweight=True)


def minmax_call(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    value: Value = SCALAR
    for arg in args:
        value = join(value, elements(machine, arg, node) if len(args) == 1 else arg)
    return value
