"""Running averages: a new value that is computed from the old one and from something with a graph."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Average
from memlint.analysis.interpret.contents import assigned_in, deep_ids
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.state import CONTENT
from memlint.analysis.values import NO_IDS, Const, Kind, Params, Ref, Tensor, Value, options_of, truth
from memlint.syntax.tree import dotted, statements

_COPIES = frozenset("clone contiguous to cpu float".split())
_WEIGHTED = (cst.BinaryOperation, cst.Call, cst.ListComp, cst.DictComp, cst.GeneratorExp)


def note_average(machine: Machine, node: cst.Assign, target: cst.BaseExpression) -> None:
    """Note `t = a * t + b * v`, also element by element, where `v` has a graph."""
    expression = _meant(machine, node.value)
    if type(expression) not in _WEIGHTED:
        return
    wanted = machine.code(target)
    if wanted.endswith((".data", ".grad")):
        return
    if isinstance(expression, (cst.ListComp, cst.DictComp, cst.GeneratorExp)):
        old = _old_element(machine, expression.for_in, wanted)
        expression = expression.value if isinstance(expression, cst.DictComp) else expression.elt
        wanted = old or wanted + "["
    operands = list(_operands(machine, expression, wanted))
    if not operands and (alias := _name_of_entry(machine, target)):
        operands = list(_operands(machine, expression, alias))
    made = deep_ids(machine, machine.evaluate(target)) if operands else NO_IDS
    _note(machine, node, machine.code(target), operands, made)


def note_in_place(machine: Machine, node: cst.BaseExpression) -> None:
    """Note `t.mul_(a).add_(v, alpha=b)`, `t.lerp_(v, b)` and `t.copy_(a * t + b * v)`."""
    if type(node) is not cst.Call or type(node.func) is not cst.Attribute or not node.args:
        return
    name, owner = node.func.attr.value, node.func.value
    if name not in ("lerp_", "add_", "copy_"):
        return
    if type(owner) is cst.Call and type(owner.func) is cst.Attribute and owner.func.attr.value == "mul_":
        owner = owner.func.value
    elif name == "add_" and not _scaled_before(machine, node, machine.code(owner)):
        return
    target = machine.code(owner)
    if target.endswith((".data", ".grad")) or "detach()" in target:
        return
    given = [a.value for a in node.args if a.keyword is None]
    operands = list(_operands(machine, given[0], target)) if name == "copy_" and given else given[:1]
    _note(machine, node, target, operands, NO_IDS)


def note_augmented(machine: Machine, node: cst.AugAssign) -> None:
    """Note `t *= a` followed by `t += b * v`, and `t += b * (v - t)`."""
    target = machine.code(node.target)
    if not isinstance(node.operator, (cst.AddAssign, cst.SubtractAssign)):
        return
    if type(node.operator) is cst.AddAssign and _scaled_before(machine, node, target):
        _note(machine, node, target, [node.value], NO_IDS)
    elif (new := _difference(machine, node.value, target)) is not None:
        _note(machine, node, target, [new], NO_IDS)


def _scaled_before(machine: Machine, node: cst.CSTNode, target: str) -> bool:
    """Whether the statement before this one scales the same tensor in place."""
    line: cst.CSTNode | None = node
    while line is not None and type(line) is not cst.SimpleStatementLine:
        line = machine.names.parents.get(line)
    block = machine.names.parents.get(line) if line is not None else None
    body = statements(block) if block is not None else ()
    position = body.index(line) if line in body else 0
    earlier = machine.code(body[position - 1]).strip() if position else ""
    return earlier.startswith((f"{target}.mul_(", f"{target} *="))


def _meant(machine: Machine, node: cst.BaseExpression) -> cst.BaseExpression:
    """The expression behind `new.clone()` or `new`, where one assignment of the function made `new`."""
    while type(node) is cst.Call and type(node.func) is cst.Attribute and node.func.attr.value in _COPIES:
        node = node.func.value
    if type(node) is not cst.Name:
        return node
    made = assigned_in(machine, machine.names, machine.frame.node).get(node.value, ())
    return made[0] if len(made) == 1 else node


def _operands(machine: Machine, node: cst.BaseExpression, wanted: str) -> Iterator[cst.BaseExpression]:
    """What is mixed into the old value `wanted` by a weighted sum; nothing where it is no such sum."""
    if type(node) is cst.Call:
        mixes = dotted(node.func) == "torch.lerp" and len(node.args) > 1
        if mixes and _is(machine, node.args[0].value, wanted):
            yield node.args[1].value
        return
    if type(node) is not cst.BinaryOperation or not isinstance(node.operator, (cst.Add, cst.Subtract)):
        return
    for mine, other in ((node.left, node.right), (node.right, node.left)):
        if _is_weighted(machine, mine, wanted):
            yield other
            return
        if _is(machine, mine, wanted) and (new := _difference(machine, other, wanted)) is not None:
            yield new
            return


def _difference(machine: Machine, node: cst.BaseExpression, wanted: str) -> cst.BaseExpression | None:
    """The new value `v` in a weighted `v - old` or `old - v`: a step of the old value towards it."""
    if type(node) is not cst.BinaryOperation:
        return None
    if isinstance(node.operator, (cst.Multiply, cst.Divide)):
        return _difference(machine, node.left, wanted) or _difference(machine, node.right, wanted)
    if isinstance(node.operator, cst.Subtract):
        if _is(machine, node.right, wanted):
            return node.left
        if _is(machine, node.left, wanted):
            return node.right
    return None


def _is_weighted(machine: Machine, node: cst.BaseExpression, wanted: str) -> bool:
    """Whether an expression is the old value times a weight."""
    if type(node) is not cst.BinaryOperation or not isinstance(node.operator, cst.Multiply):
        return False
    return _is(machine, node.left, wanted) or _is(machine, node.right, wanted)


def _is(machine: Machine, node: cst.BaseExpression, wanted: str) -> bool:
    code = node.value if type(node) is cst.Name else machine.code(node)
    return code == wanted or (wanted.endswith("[") and code.startswith(wanted))


def _old_element(machine: Machine, clause: cst.CompFor, wanted: str) -> str:
    """The name for an old element in a comprehension over `zip(wanted, ...)` or `wanted.items()`."""
    source, target = clause.iter, clause.target
    if type(source) is not cst.Call or type(target) is not cst.Tuple:
        return ""
    if dotted(source.func) == "zip":
        codes = [machine.code(a.value) for a in source.args]
        if wanted in codes and len(codes) == len(target.elements):
            return machine.code(target.elements[codes.index(wanted)].value)
    if machine.code(source.func) == f"{wanted}.items" and len(target.elements) == 2:
        return machine.code(target.elements[1].value)
    return ""


def _name_of_entry(machine: Machine, target: cst.BaseExpression) -> str:
    """The name for `box[key]` inside of `for key, name in box.items()`."""
    if type(target) is not cst.Subscript:
        return ""
    entry = machine.code(target)
    for loop in machine.loops:
        walked = loop.node
        if type(walked) is cst.For and type(walked.target) is cst.Tuple and len(walked.target.elements) == 2:
            key, name = (machine.code(e.value) for e in walked.target.elements)
            box = machine.code(walked.iter).removesuffix(".items()")
            if entry == f"{box}[{key}]" and loop.source.endswith(".items()"):
                return name
    return ""


def _note(
    machine: Machine,
    node: cst.CSTNode,
    target: str,
    operands: list[cst.BaseExpression],
    made: frozenset[int],
) -> None:
    state = machine.state
    if state is None or state.grad != "on" or not operands:
        return
    values = [machine.evaluate(operand) for operand in operands]
    if not any(_has_graph(v) or _has_weights(machine, v) for v in values):
        return
    names = (n for operand in operands for n in machine.names.walk(operand) if type(n) is cst.Name)
    weights = any(_has_weights(machine, machine.evaluate(n)) for n in names)
    event = Average(
        node=node, frame=machine.frame, loops=machine.loops, target=target, operand=operands[0],
        weights=weights, made=made,
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
