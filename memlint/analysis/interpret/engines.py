"""Loops that a framework runs over a function of the file: the engines of ignite."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.interpret.machine import Args, Keywords, Machine
from memlint.analysis.interpret.state import merge
from memlint.analysis.values import NO_IDS, Function, Kind, Tensor, Trait, Value, options_of

_PASSES = 2


def ignite_engine(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """`Engine(update)`: the function runs for every batch of what `run` will get."""
    given = args[0] if args else keywords.get("process_function")
    for option in options_of(given) if given is not None else ():
        if isinstance(option, Function) and isinstance(option.node, cst.FunctionDef):
            _run(machine, option, node)
    return machine.unknown(node)


def _run(machine: Machine, function: Function, node: cst.CSTNode) -> None:
    outer, head = machine.loops, machine.state
    grad = head.grad if head is not None else "on"
    loop = machine.loop(function.node, 0, "loader", None)
    batch = Tensor(Kind.DETACHED, NO_IDS, True, Trait.BATCH)
    for number in range(_PASSES):
        if head is None:
            break
        machine.loops = (*outer, loop)
        if number:
            machine.heads.append((loop, machine.clock + 1))
        machine.state = head.copy()
        machine.state.grad = "on"
        machine.invoke(function, [machine.unknown(node), batch], {}, node)
        if number:
            machine.heads.pop()
        edge = machine.state
        if edge is not None:
            # What the function keeps, handlers of events may clear: nothing is said to grow here.
            edge.pending = head.pending
        machine.loops = outer
        head = merge([head, edge])
    machine.state = head
    if machine.state is not None:
        machine.state.grad = grad
