"""Methods of lists and dictionaries."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.interpret.containers import as_old_as, elements, entry, new_container, record_store
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Args, Keywords
from memlint.analysis.interpret.state import CONTENT
from memlint.analysis.values import NONE, SCALAR, Items, Method, Obj, Ref, Value, choice, join


def container_method(
    machine: Machine, obj: Obj, func: Method, args: Args, keywords: Keywords, node: cst.CSTNode
) -> Value:
    """The result of a method of a list or dict; additions are noted as kept."""
    name = func.name
    target = func.code.rpartition(".")[0]
    value_node = _first_argument(node, 1 if name in ("insert", "setdefault") else 0)
    if name in ("append", "appendleft", "add", "insert", "put", "push"):
        value = args[-1] if args else SCALAR
        record_store(machine, "store", node, (obj.id, CONTENT), target, value, value_node, obj=obj)
        machine.put(obj, value)
        return NONE
    if name in ("extend", "update", "extendleft"):
        return _extend(machine, obj, target, args, keywords, node, value_node)
    if name == "clear":
        for key, _ in machine.entries(obj):
            if machine.state is not None and key.startswith("["):
                machine.state.drop((obj.id, key))
        machine.write((obj.id, "#born"), NONE)
        return NONE
    if name in ("items", "values", "keys", "copy", "get", "pop", "popleft", "setdefault", "popitem"):
        return _read_container(machine, obj, name, args, node)
    return SCALAR


def _first_argument(node: cst.CSTNode, position: int) -> cst.CSTNode:
    if isinstance(node, cst.Call) and len(node.args) > position:
        return node.args[position].value
    return node


def _extend(
    machine: Machine,
    obj: Obj,
    target: str,
    args: Args,
    keywords: Keywords,
    node: cst.CSTNode,
    value_node: cst.CSTNode,
) -> Value:
    for value in args:
        if obj.kind == "dict" and isinstance(value, Ref):
            for name, inner in machine.entries(value.obj):
                machine.write((obj.id, name), inner)
            continue
        inner = elements(machine, value, node)
        record_store(machine, "store", node, (obj.id, CONTENT), target, inner, value_node, obj=obj)
        machine.put(obj, inner)
    for name, value in keywords.items():
        machine.write((obj.id, f"[{name!r}]"), value)
    return NONE


def _read_container(machine: Machine, obj: Obj, name: str, args: Args, node: cst.CSTNode) -> Value:
    if name in ("keys", "popitem"):
        return SCALAR
    if name == "copy":
        return Ref(obj)
    if name in ("get", "setdefault"):
        fallback = args[1] if len(args) > 1 else NONE
        if name == "setdefault":
            if machine.content(obj) is None:
                machine.put(obj, fallback)
            if isinstance(fallback, Ref):
                as_old_as(machine, fallback.obj, obj)
        return (
            join(entry(machine, obj, args[0] if args else SCALAR, node), fallback)
            if name == "get"
            else entry(machine, obj, SCALAR, node)
        )
    if name in ("pop", "popleft"):
        return entry(machine, obj, args[0] if args else SCALAR, node)
    values = [v for key, v in machine.entries(obj) if key.startswith("[")]
    made = new_container(machine, "list", node, name)
    every = choice(values) if values else SCALAR
    machine.put(made.obj, Items((SCALAR, every)) if name == "items" else every)
    return made
