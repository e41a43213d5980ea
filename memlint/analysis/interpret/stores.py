"""Functions of the standard library that put a value into something older: heaps, attributes by name."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from memlint.analysis.interpret.containers import record_store
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Args, Keywords
from memlint.analysis.interpret.state import CONTENT
from memlint.analysis.values import NONE, Const, Ref, Value, options_of
from memlint.syntax.tree import dotted

_SHRINKS = ("heappop", "heapreplace", "heappushpop", "delattr")


def _heap_push(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """`heapq.heappush(box, value)`, where nothing is ever taken out again."""
    if len(args) == 2 and not _shrinks(machine) and isinstance(node, cst.Call):
        for option in options_of(args[0]):
            if isinstance(option, Ref) and option.obj.kind == "list":
                box, value = (a.value for a in node.args)
                key = (option.obj.id, CONTENT)
                record_store(machine, "store", node, key, machine.code(box), args[1], value, obj=option.obj)
                machine.put(option.obj, args[1])
    return NONE


def _set_attribute(machine: Machine, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """`setattr(box, name, value)`: with a name that changes, one attribute more each time."""
    if len(args) != 3 or not isinstance(node, cst.Call):
        return NONE
    owner, name, value = args
    for option in options_of(owner):
        if not isinstance(option, Ref) or option.obj.kind != "instance":
            continue
        if isinstance(name, Const):
            machine.write((option.obj.id, f".{name.value}"), value)
        elif not _shrinks(machine) and isinstance(node.args[1].value, cst.FormattedString):
            box, _, given = (a.value for a in node.args)
            key = (option.obj.id, CONTENT)
            machine.put(option.obj, value)
            record_store(machine, "store", node, key, machine.code(box), value, given, obj=option.obj)
    return NONE


def _shrinks(machine: Machine) -> bool:
    return any(dotted(c.func).rpartition(".")[2] in _SHRINKS for c in machine.names.calls)


STORES: dict[str, Callable[[Machine, Args, Keywords, cst.CSTNode], Value]] = {
    "heapq.heappush": _heap_push,
    "builtins.setattr": _set_attribute,
}
