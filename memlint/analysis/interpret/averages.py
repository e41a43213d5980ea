"""Running averages: a new value that is computed from the old one and from something with a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import libcst as cst

from memlint.analysis.facts import Average
from memlint.analysis.interpret.accumulate import is_entry, zipped_with
from memlint.analysis.interpret.contents import assigned_values, deep_ids
from memlint.analysis.interpret.layer_statistics import are_statistics
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.state import CONTENT
from memlint.analysis.values import NO_IDS, Const, Kind, Params, Ref, Tensor, Value, options_of, truth
from memlint.syntax.expressions import calls_one, same
from memlint.syntax.tree import dotted, last_name, statements

_COPIES = frozenset("clone contiguous to cpu float".split())
_WRITTEN_OUTSIDE = ("data", "grad")
"""Attributes of a tensor that are written past its graph."""
_WEIGHTED = (cst.BinaryOperation, cst.Call, cst.ListComp, cst.DictComp, cst.GeneratorExp)

_IsOld = Callable[[cst.BaseExpression], bool]
"""Whether an expression is the value that an average has before its update."""


def note_average(machine: Machine, node: cst.Assign, target: cst.BaseExpression) -> None:
    """Note `t = a * t + b * v`, also element by element, where `v` has a graph."""
    expression, target = _meant(machine, node.value), _whole(target)
    if type(expression) not in _WEIGHTED or last_name(target) in _WRITTEN_OUTSIDE:
        return
    is_old = _same_as(target)
    if isinstance(expression, (cst.ListComp, cst.DictComp, cst.GeneratorExp)):
        old = _old_element(expression.for_in, target)
        expression = expression.value if isinstance(expression, cst.DictComp) else expression.elt
        is_old = _same_as(old) if old is not None else lambda e: is_entry(e, target)
    operands = list(_operands(expression, is_old))
    if not operands and (alias := _name_of_entry(machine, target)) is not None:
        operands = list(_operands(expression, _same_as(alias)))
    made = deep_ids(machine, machine.evaluate(target)) if operands else NO_IDS
    _note(machine, node, target, operands, made)


def note_in_place(machine: Machine, node: cst.BaseExpression) -> None:
    """Note `t.mul_(a).add_(v, alpha=b)`, `t.lerp_(v, b)` and `t.copy_(a * t + b * v)`."""
    if type(node) is not cst.Call or type(node.func) is not cst.Attribute or not node.args:
        return
    name, owner = node.func.attr.value, node.func.value
    if name not in ("lerp_", "add_", "copy_"):
        return
    if type(owner) is cst.Call and type(owner.func) is cst.Attribute and owner.func.attr.value == "mul_":
        owner = owner.func.value
    elif name == "add_" and not _scaled_before(machine, node, owner):
        return
    if last_name(owner) in _WRITTEN_OUTSIDE or calls_one(owner, "detach"):
        return
    given = [a.value for a in node.args if a.keyword is None]
    operands = list(_operands(given[0], _same_as(owner))) if name == "copy_" and given else given[:1]
    _note(machine, node, owner, operands, NO_IDS)


def note_augmented(machine: Machine, node: cst.AugAssign) -> None:
    """Note `t *= a` followed by `t += b * v`, and `t += b * (v - t)`."""
    target = node.target
    if not isinstance(node.operator, (cst.AddAssign, cst.SubtractAssign)):
        return
    if type(node.operator) is cst.AddAssign and _scaled_before(machine, node, target):
        _note(machine, node, target, [node.value], NO_IDS)
    elif (new := _difference(node.value, _same_as(target))) is not None:
        _note(machine, node, target, [new], NO_IDS)


def _whole(target: cst.BaseExpression) -> cst.BaseExpression:
    """The tensor of which `t[:] = ...` and `t[...] = ...` write all elements."""
    if type(target) is not cst.Subscript or len(target.slice) != 1:
        return target
    part = target.slice[0].slice
    if isinstance(part, cst.Slice):
        return target.value if part.lower is None and part.upper is None and part.step is None else target
    return target.value if isinstance(part, cst.Index) and type(part.value) is cst.Ellipsis else target


def _same_as(wanted: cst.BaseExpression) -> _IsOld:
    return lambda node: same(node, wanted)


def _scaled_before(machine: Machine, node: cst.CSTNode, target: cst.BaseExpression) -> bool:
    """Whether the statement before this one scales the same tensor in place."""
    line: cst.CSTNode | None = node
    while line is not None and type(line) is not cst.SimpleStatementLine:
        line = machine.names.parents.get(line)
    block = machine.names.parents.get(line) if line is not None else None
    body = statements(block) if block is not None else ()
    position = body.index(line) if line in body else 0
    earlier = body[position - 1] if position else None
    return isinstance(earlier, cst.SimpleStatementLine) and _scales(earlier.body[0], target)


def _scales(statement: cst.BaseSmallStatement, target: cst.BaseExpression) -> bool:
    """Whether a statement is `t *= a`, or a chain of calls that begins with `t.mul_(a)`."""
    if isinstance(statement, cst.AugAssign):
        return isinstance(statement.operator, cst.MultiplyAssign) and same(statement.target, target)
    link: cst.CSTNode | None = statement.value if isinstance(statement, cst.Expr) else None
    while isinstance(link, cst.Call) and isinstance(link.func, cst.Attribute):
        if link.func.attr.value == "mul_" and same(link.func.value, target):
            return True
        link = link.func.value
    return False


def _meant(machine: Machine, node: cst.BaseExpression) -> cst.BaseExpression:
    """The expression behind `new.clone()` or `new`, where one assignment of the function made `new`."""
    while type(node) is cst.Call and type(node.func) is cst.Attribute and node.func.attr.value in _COPIES:
        node = node.func.value
    if type(node) is not cst.Name:
        return node
    made = assigned_values(machine, machine.names, machine.frame.node).get(node.value, ())
    return made[0] if len(made) == 1 else node


def _operands(node: cst.BaseExpression, is_old: _IsOld) -> Iterator[cst.BaseExpression]:
    """What is mixed into the old value by a weighted sum; nothing where it is no such sum."""
    if type(node) is cst.Call:
        mixes = dotted(node.func) == "torch.lerp" and len(node.args) > 1
        if mixes and is_old(node.args[0].value):
            yield node.args[1].value
        return
    if type(node) is not cst.BinaryOperation or not isinstance(node.operator, (cst.Add, cst.Subtract)):
        return
    for mine, other in ((node.left, node.right), (node.right, node.left)):
        if _is_weighted(mine, is_old):
            if is_old(other):
                return  # `t - w * t` takes a part of the old value away, and mixes nothing in
            yield other
            return
        if is_old(mine) and (new := _difference(other, is_old)) is not None:
            yield new
            return


def _difference(node: cst.BaseExpression, is_old: _IsOld) -> cst.BaseExpression | None:
    """The new value `v` in a weighted `v - old` or `old - v`: a step of the old value towards it."""
    if type(node) is not cst.BinaryOperation:
        return None
    if isinstance(node.operator, (cst.Multiply, cst.Divide)):
        return _difference(node.left, is_old) or _difference(node.right, is_old)
    if isinstance(node.operator, cst.Subtract):
        if is_old(node.right):
            return node.left
        if is_old(node.left):
            return node.right
    return None


def _is_weighted(node: cst.BaseExpression, is_old: _IsOld) -> bool:
    """Whether an expression is the old value times a weight."""
    if type(node) is not cst.BinaryOperation or not isinstance(node.operator, cst.Multiply):
        return False
    return is_old(node.left) or is_old(node.right)


def _old_element(clause: cst.CompFor, box: cst.BaseExpression) -> cst.BaseExpression | None:
    """The variable for an old element in a comprehension over `zip(box, ...)` or `box.items()`."""
    source, target = clause.iter, clause.target
    if type(source) is not cst.Call or type(target) is not cst.Tuple:
        return None
    if dotted(source.func) == "zip":
        return zipped_with(source, target, box)
    owner = _items_of(source)
    is_box = owner is not None and same(owner, box) and len(target.elements) == 2
    return target.elements[1].value if is_box else None


def _name_of_entry(machine: Machine, target: cst.BaseExpression) -> cst.BaseExpression | None:
    """The variable for `box[key]` inside of `for key, name in box.items()`."""
    if type(target) is not cst.Subscript or len(target.slice) != 1:
        return None
    index = target.slice[0].slice
    if type(index) is not cst.Index:
        return None
    for loop in machine.loops:
        walked = loop.node
        if type(walked) is cst.For and type(walked.target) is cst.Tuple and len(walked.target.elements) == 2:
            key, name = (e.value for e in walked.target.elements)
            box = _items_of(walked.iter)
            if box is not None and same(box, target.value) and same(index.value, key):
                return name
    return None


def _items_of(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """`box` of `box.items()`."""
    call = node if isinstance(node, cst.Call) and not node.args else None
    func = call.func if call is not None else None
    return func.value if isinstance(func, cst.Attribute) and func.attr.value == "items" else None


def _note(
    machine: Machine,
    node: cst.CSTNode,
    target: cst.BaseExpression,
    operands: list[cst.BaseExpression],
    made: frozenset[int],
) -> None:
    state = machine.state
    if state is None or state.grad != "on" or not operands:
        return
    values = [machine.evaluate(operand) for operand in operands]
    known = any(_has_graph(v) or _has_weights(machine, v) for v in values)
    if not known and not are_statistics(machine, operands):
        return
    names = (n for operand in operands for n in machine.names.walk(operand) if type(n) is cst.Name)
    weights = any(_has_weights(machine, machine.evaluate(n)) for n in names)
    event = Average(
        node=node, frame=machine.frame, loops=machine.loops, target=machine.code(target),
        operand=operands[0], weights=weights, made=made,
    )  # fmt: skip
    machine.trace.averages.setdefault((id(node), machine.frame.id), event)


def _has_graph(value: Value) -> bool:
    return any(isinstance(v, Tensor) and v.kind is Kind.GRAPH for v in options_of(value))


def _has_weights(machine: Machine, value: Value) -> bool:
    """Whether a value is a trained parameter, or arithmetic on one."""
    for option in options_of(value):
        if isinstance(option, Params):
            frozen = [truth(machine.read((n, "#frozen")) or Const(False)) is True for n in option.owners]
            return not frozen or not all(frozen)
        if isinstance(option, Ref) and option.obj.kind in ("list", "dict"):
            return _has_weights(machine, machine.read((option.obj.id, CONTENT)) or Const(None))
    return False
