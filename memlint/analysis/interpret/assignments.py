"""Assignments and deletions."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.interpret.accumulate import (
    accumulate,
    accumulates,
    adds_to_part,
    concatenates,
    extends_tuple,
    slot_of,
    sole_element,
)
from memlint.analysis.interpret.averages import note_augmented, note_average
from memlint.analysis.interpret.binding import bind
from memlint.analysis.interpret.containers import elements, record_store
from memlint.analysis.interpret.contents import deep_ids
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.operators import arithmetic
from memlint.analysis.interpret.state import CONTENT
from memlint.analysis.knowledge import naming
from memlint.analysis.values import NONE, Function, Items, Ref, Value, options_of
from memlint.syntax.arguments import parameters
from memlint.syntax.tree import dotted, root_name

_SUMS = (cst.AddAssign, cst.SubtractAssign, cst.MultiplyAssign, cst.DivideAssign)


def assign(machine: Machine, node: cst.Assign) -> None:
    """`a = b = value`."""
    value = machine.evaluate(node.value)
    for target in node.targets:
        _assign_one(machine, node, target.target, node.value, value, node)


def _assign_one(
    machine: Machine,
    node: cst.Assign,
    target: cst.BaseExpression,
    expression: cst.BaseExpression,
    value: Value,
    site: cst.CSTNode,
) -> None:
    """Give `target` its value; `site` is the assignment, or its one expression in `a, b = x, y`."""
    if (
        type(target) is cst.Tuple
        and type(expression) is cst.Tuple
        and isinstance(value, Items)
        and len(target.elements) == len(expression.elements) == len(value.items)
    ):
        for left, right, item in zip(target.elements, expression.elements, value.items, strict=True):
            _assign_one(machine, node, left.value, right.value, item, right.value)
        return
    _hand_over(machine, target, value)
    if not (
        accumulates(machine, site, target, expression, value)
        or concatenates(machine, site, target, expression, value)
    ):
        bind(machine, target, value)
    note_average(machine, node, target)


def _hand_over(machine: Machine, target: cst.BaseExpression, value: Value) -> None:
    """Note that callers out of view get a loss: `trainer.loss += penalty`, where they gave the trainer."""
    if not isinstance(target, (cst.Attribute, cst.Subscript)) or machine.quiet or not machine.frame.entry:
        return
    function, name = machine.frame.node, root_name(target)
    given = parameters(function) if isinstance(function, cst.FunctionDef) else ()
    if name not in given or name in ("self", "cls"):
        return
    if naming.loss_call(dotted(target) or name):
        machine.trace.escaped |= machine.trace.ancestors(deep_ids(machine, value))


def assign_annotated(machine: Machine, node: cst.AnnAssign) -> None:
    """`a: T = value`."""
    if node.value is not None:
        bind(machine, node.target, machine.evaluate(node.value))


def assign_augmented(machine: Machine, node: cst.AugAssign) -> None:
    """`a += value` and the like: sums keep their past."""
    added = machine.evaluate(node.value)
    _hand_over(machine, node.target, added)
    key = slot_of(machine, node.target)
    old = machine.read(key) if key is not None else None
    if old is None:
        old = machine.evaluate(node.target)
    if _adds_itself(machine, old, added, node):
        return
    lists = [o for o in options_of(old) if isinstance(o, Ref) and o.obj.kind == "list"]
    if lists and isinstance(node.operator, cst.AddAssign):
        _extend_lists(machine, node, lists, added)
        return
    result = arithmetic(machine, old, added, node)
    if key is None and isinstance(node.target, cst.Subscript) and isinstance(node.operator, _SUMS):
        owner = machine.evaluate(node.target.value)
        adds_to_part(machine, node, owner, added, arithmetic(machine, owner, added, node))
    if key is None:
        return
    if isinstance(added, Items) and isinstance(node.operator, cst.AddAssign):
        extends_tuple(machine, node, key, machine.code(node.target), added, node.value, result)
    elif isinstance(node.operator, _SUMS):
        accumulate(machine, node, key, machine.code(node.target), added, node.value, result)
        note_augmented(machine, node)
    else:
        machine.write(key, result, keep_birth=True)


def _adds_itself(machine: Machine, old: Value, added: Value, node: cst.AugAssign) -> bool:
    """Run the `__iadd__` of a class of the file, which says what becomes of the value, if there is one."""
    if type(node.operator) is not cst.AddAssign:
        return False
    for option in options_of(old):
        found = option.obj.cls.find("__iadd__") if isinstance(option, Ref) and option.obj.cls else None
        if found is not None:
            passed = (id(node), machine.frame.id)
            machine.trace.passed_arguments[passed] = [(node.value, deep_ids(machine, added))]
            result = machine.invoke(Function(found[0], found[1], option), [added], {}, node)
            bind(machine, node.target, result)
            return True
    return False


def _extend_lists(machine: Machine, node: cst.AugAssign, lists: list[Ref], added: Value) -> None:
    inner = elements(machine, added, node)
    target, value_node = machine.code(node.target), sole_element(node.value)
    for ref in lists:
        record_store(machine, "store", node, (ref.obj.id, CONTENT), target, inner, value_node, obj=ref.obj)
        machine.put(ref.obj, inner)


def delete(machine: Machine, node: cst.Del) -> None:
    """`del name`, `del box[:n]`."""
    targets = [e.value for e in node.target.elements] if isinstance(node.target, cst.Tuple) else [node.target]
    for target in targets:
        if isinstance(target, cst.Name) and machine.state is not None:
            machine.state.drop((machine.frame.id, target.value))
        elif isinstance(target, cst.Subscript) and any(isinstance(e.slice, cst.Slice) for e in target.slice):
            owner = machine.evaluate(target.value)
            for option in options_of(owner):
                if isinstance(option, Ref) and option.obj.kind == "list" and machine.state is not None:
                    machine.state.drop((option.obj.id, CONTENT))
                    machine.write((option.obj.id, "#born"), NONE)
