"""Assignments that keep their past: sums, concatenations, rebuilt containers."""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from memlint.analysis.interpret.containers import elements, record_store
from memlint.analysis.interpret.contents import deep_ids, graph_members
from memlint.analysis.interpret.first_turns import branches_of
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.state import CONTENT
from memlint.analysis.values import (
    NO_IDS,
    NONE,
    Choice,
    Const,
    Frame,
    Items,
    Kind,
    Ref,
    Tensor,
    Unknown,
    Value,
    ids_of,
    kind_of,
    options_of,
)
from memlint.syntax.expressions import same
from memlint.syntax.tree import dotted

_CONCATENATIONS = frozenset("cat concat concatenate vstack hstack stack".split())
_REBUILDING = frozenset({cst.ListComp, cst.DictComp, cst.Call})
_DISPLAYS = frozenset({cst.List, cst.Tuple})
_FILLING = frozenset("index_copy_ index_add_ scatter_ scatter_add_ masked_scatter_".split())
_PLACES = frozenset({cst.Name, cst.Attribute, cst.Subscript})


def accumulates(
    machine: Machine,
    node: cst.CSTNode,
    target: cst.BaseExpression,
    expression: cst.BaseExpression,
    value: Value,
) -> bool:
    """`acc = acc + v`, `acc = acc * c + v`, `acc = v + acc`: a sum that keeps its past."""
    if type(expression) in _REBUILDING:
        return _rebuilds(machine, node, target, expression, value)
    if type(expression) in _DISPLAYS:
        return _takes_over(machine, node, target, expression, value)
    if type(expression) is cst.IfExp:
        branches = [b for b in branches_of(machine, expression) if type(b) is cst.BinaryOperation]
        expression = branches[0] if branches else expression
    if type(expression) is not cst.BinaryOperation or type(target) not in _PLACES:
        return False
    if not isinstance(expression.operator, (cst.Add, cst.Subtract, cst.Multiply, cst.Divide)):
        return False
    wanted = machine.code(target)
    operands = _other_operands(expression, target)
    key = slot_of(machine, target) if operands else None
    if key is None:
        return False
    values = [(operand, machine.evaluate(operand)) for operand in operands]
    others, added = _summand(machine, values)
    old = machine.read(key)
    if isinstance(old, Ref) and old.obj.kind == "list":
        inner = elements(machine, added, node)
        record_store(machine, "store", node, (old.obj.id, CONTENT), wanted, inner, others)
        machine.put(old.obj, inner)
        return True
    if isinstance(added, Ref) and added.obj.kind == "list":
        # A list that is not in view, such as one of the class.
        record_store(machine, "store", node, key, wanted, elements(machine, added, node), others)
        machine.write(key, value, keep_birth=True)
        return True
    if isinstance(added, Items) and isinstance(expression.operator, cst.Add):
        extends_tuple(machine, node, key, wanted, added, others, value)
        return True
    accumulate(machine, node, key, wanted, added, others, value)
    return True


def extends_tuple(
    machine: Machine,
    node: cst.CSTNode,
    key: tuple[int, str],
    target: str,
    added: Value,
    value_node: cst.BaseExpression,
    result: Value,
) -> None:
    """`seen += (v,)`: a container like a list, though each turn makes another one."""
    inner = elements(machine, added, node)
    record_store(machine, "store", node, key, target, inner, sole_element(value_node))
    machine.write(key, result, keep_birth=True)


def sole_element(node: cst.BaseExpression) -> cst.BaseExpression:
    """The one element of `[v]` and `(v,)`, else the whole."""
    if isinstance(node, (cst.List, cst.Tuple)) and len(node.elements) == 1:
        return node.elements[0].value
    return node


def _takes_over(
    machine: Machine,
    node: cst.CSTNode,
    target: cst.BaseExpression,
    expression: cst.BaseExpression,
    value: Value,
) -> bool:
    """`seen = [*seen, v]`: a list made again from its elements and one more."""
    assert isinstance(expression, (cst.List, cst.Tuple))
    old = [e for e in expression.elements if type(e) is cst.StarredElement and same(e.value, target)]
    new = [e.value for e in expression.elements if type(e) is cst.Element]
    key = slot_of(machine, target) if old and len(old) + len(new) == len(expression.elements) == 2 else None
    if key is None:
        return False
    added = machine.evaluate(new[0])
    record_store(machine, "store", node, key, machine.code(target), added, new[0])
    machine.write(key, value, keep_birth=True)
    return True


def _summand(
    machine: Machine, values: list[tuple[cst.BaseExpression, Value]]
) -> tuple[cst.BaseExpression, Value]:
    """Which operand is the new term: a tensor with a graph before what may be a weight of the old value."""
    for known in (True, False):
        for operand, value in values:
            found = any(isinstance(o, Tensor) and o.kind >= Kind.MAYBE for o in options_of(value))
            if graph_members(machine, value) and (found or not known):
                return operand, value
    return values[0]


def concatenates(
    machine: Machine, node: cst.CSTNode, target: cst.BaseExpression, call: cst.BaseExpression, value: Value
) -> bool:
    """`acc = torch.cat([acc, v])`: a tensor that grows by what it takes in, if need be after a first one.

    A queue of a fixed length, `queue = torch.cat([v, queue])[:n]`, does not grow, but its graph does.
    """
    if type(call) is cst.IfExp:
        branches = branches_of(machine, call)
        return any(concatenates(machine, node, target, branch, value) for branch in branches)
    whole = _unsliced(call)
    if whole is not call and same(whole, target):
        return _shortens(machine, target, value)
    if (
        type(whole) is not cst.Call
        or not whole.args
        or not isinstance(whole.args[0].value, (cst.Tuple, cst.List))
    ):
        return False
    if dotted(whole.func).rpartition(".")[2] not in _CONCATENATIONS:
        return False
    wanted, key = machine.code(target), slot_of(machine, target)
    joined = [e.value for e in whole.args[0].value.elements]
    others = [e for e in joined if not same(_unsliced(e), target)]
    if key is None or len(others) == len(joined) or not others:
        return False
    limited = whole is not call or any(not same(e, target) for e in joined if e not in others)
    added = machine.evaluate(others[-1])
    ids = deep_ids(machine, added) | deep_ids(machine, machine.read(key) or NONE)
    product = machine.fresh(node, ids, "acc", lightweight=True)
    record_store(
        machine, "store", node, key, wanted, added, others[-1], product=product, limit=-1 if limited else None
    )
    if isinstance(value, Tensor) and value.kind >= Kind.MAYBE:
        value = Tensor(value.kind, frozenset((product,)))
    machine.write(key, value, keep_birth=True)
    return True


def _shortens(machine: Machine, target: cst.BaseExpression, value: Value) -> bool:
    """`queue = queue[-n:]`: the same queue, of a limited length; a list is given up for a new one."""
    key = slot_of(machine, target)
    if key is None or not isinstance(value, Tensor):
        return False
    for store in machine.trace.stores.values():
        if store.key == key and store.product:
            store.bounded = -1
    machine.write(key, value, keep_birth=True)
    return True


def _unsliced(node: cst.BaseExpression) -> cst.BaseExpression:
    """The tensor of which an expression takes a slice: `queue` of `queue[:, n:]`."""
    while type(node) is cst.Subscript and any(type(e.slice) is cst.Slice for e in node.slice):
        node = node.value
    return node


def fills(
    machine: Machine, node: cst.BaseExpression, box: cst.BaseExpression, owner: Value, value: Value
) -> bool:
    """`out[i] = v`, where a tensor takes in another one with its graph: it then carries the graphs of all."""
    key = slot_of(machine, box)
    state = machine.state
    if key is None or not isinstance(owner, Tensor) or owner.opaque or kind_of(value) is not Kind.GRAPH:
        return False
    if state is None or state.grad == "off" or machine.read(key) is not owner:
        return False
    product = machine.fresh(node, deep_ids(machine, value) | owner.ids, "acc", lightweight=True)
    above = machine.names.parents.get(machine.names.parents.get(node) or node)
    site, shown = (above, above.value) if type(above) is cst.Assign else (node, node)
    record_store(machine, "store", site, key, machine.code(box), value, shown, product=product, limit=-1)
    machine.write(key, replace(owner, kind=Kind.GRAPH, ids=frozenset((product,))), keep_birth=True)
    return True


def adds_to_part(machine: Machine, node: cst.AugAssign, owner: Value, added: Value, whole: Value) -> None:
    """`sums[i] += v`, where a tensor takes in a term with its graph: it then is `whole`, with all of them."""
    target, state = node.target, machine.state
    if not isinstance(target, cst.Subscript) or any(type(p.slice) is not cst.Index for p in target.slice):
        return  # a block of a canvas takes in the output of a window
    key = slot_of(machine, target.value)
    if key is None or not isinstance(owner, Tensor) or owner.opaque or not deep_ids(machine, added):
        return
    if state is not None and state.grad != "off" and machine.read(key) is owner:
        accumulate(machine, node, key, machine.code(target), added, node.value, whole)


def _other_operands(expression: cst.BinaryOperation, target: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The operands of a sum beside the accumulator, nearest first; empty when it is not in the sum."""
    for mine, other in ((expression.left, expression.right), (expression.right, expression.left)):
        if same(mine, target) or _is_get(mine, target):
            return [other]
        if type(mine) is cst.BinaryOperation and (inner := _other_operands(mine, target)):
            return [*inner, other]
    return []


def _is_get(node: cst.BaseExpression, target: cst.BaseExpression) -> bool:
    """`d.get(k, 0)` as a way to read `d[k]`."""
    if type(node) is not cst.Call or type(node.func) is not cst.Attribute or not node.args:
        return False
    if node.func.attr.value != "get" or type(target) is not cst.Subscript or len(target.slice) != 1:
        return False
    index = target.slice[0].slice
    if type(index) is not cst.Index or not same(node.func.value, target.value):
        return False
    return same(node.args[0].value, index.value)


def _rebuilds(
    machine: Machine,
    node: cst.CSTNode,
    target: cst.BaseExpression,
    expression: cst.BaseExpression,
    value: Value,
) -> bool:
    """`acc = [a + v for a, v in zip(acc, new)]`, `acc = {k: acc[k] + v ...}`, `acc = torch.add(acc, v)`."""
    operand: cst.BaseExpression | None = None
    if type(expression) is cst.Call:
        operand = _call_operand(expression, target)
    elif isinstance(expression, (cst.ListComp, cst.DictComp)):
        element = expression.elt if isinstance(expression, cst.ListComp) else expression.value
        operand = _new_term(element, expression.for_in, target)
    key = slot_of(machine, target) if operand is not None else None
    if operand is None or key is None:
        return False
    accumulate(machine, node, key, machine.code(target), machine.evaluate(operand), operand, value)
    return True


def _call_operand(node: cst.Call, target: cst.BaseExpression) -> cst.BaseExpression | None:
    """The summand of `torch.add(acc, v)` or `acc.add(v)`."""
    if dotted(node.func) == "torch.add" and len(node.args) > 1 and same(node.args[0].value, target):
        return node.args[1].value
    func = node.func
    if type(func) is not cst.Attribute or func.attr.value not in ("add", "sub", "add_"):
        return None
    return node.args[0].value if node.args and same(func.value, target) else None


def _new_term(
    element: cst.BaseExpression, clause: cst.CompFor, target: cst.BaseExpression
) -> cst.BaseExpression | None:
    """What a rebuilt container adds to each of its old elements; None when it is no such sum."""
    if type(element) is not cst.BinaryOperation or type(element.operator) is not cst.Add:
        return None
    if is_entry(element.left, target):
        return element.right
    source, pair = clause.iter, clause.target
    if type(source) is not cst.Call or dotted(source.func) != "zip" or type(pair) is not cst.Tuple:
        return None
    old = zipped_with(source, pair, target)
    if old is None:
        return None
    if same(element.left, old):
        return element.right
    return element.left if same(element.right, old) else None


def is_entry(node: cst.BaseExpression, box: cst.BaseExpression) -> bool:
    """Whether an expression reads an entry of a container, or a member of one: `box[k]`, `box[k].x`."""
    while isinstance(node, (cst.Attribute, cst.Subscript, cst.Call)):
        if type(node) is cst.Subscript and same(node.value, box):
            return True
        node = node.func if isinstance(node, cst.Call) else node.value
    return False


def zipped_with(source: cst.Call, pair: cst.Tuple, box: cst.BaseExpression) -> cst.BaseExpression | None:
    """The variable `a` of `for a, b in zip(box, other)`; None where `box` is not among the arguments."""
    position = next((i for i, arg in enumerate(source.args) if same(arg.value, box)), None)
    if position is None or len(source.args) != len(pair.elements):
        return None
    return pair.elements[position].value


def slot_of(machine: Machine, target: cst.BaseExpression) -> tuple[int, str] | None:
    """The slot that an assignment target stands for; None when it is not one slot."""
    if type(target) is cst.Name:
        frame: Frame | None = machine.frame
        if machine.frame.outer.get(target.value):
            while frame is not None and machine.read((frame.id, target.value)) is None:
                frame = frame.lexical
        return (frame.id, target.value) if frame is not None else None
    if type(target) is cst.Attribute:
        owner = machine.evaluate(target.value)
        for option in options_of(owner):
            if isinstance(option, Ref):
                return (option.obj.id, "." + target.attr.value)
        return None
    if type(target) is cst.Subscript and len(target.slice) == 1 and type(target.slice[0].slice) is cst.Index:
        owner = machine.evaluate(target.value)
        index = machine.evaluate(target.slice[0].slice.value)
        for option in options_of(owner):
            if isinstance(option, Ref) and option.obj.kind in ("list", "dict"):
                return (option.obj.id, f"[{index.value!r}]" if isinstance(index, Const) else CONTENT)
    return None


def accumulate(
    machine: Machine,
    node: cst.CSTNode,
    key: tuple[int, str],
    target: str,
    added: Value,
    value_node: cst.BaseExpression,
    result: Value,
) -> None:
    """Note that `added` went into the sum at `key`, and store the sum there."""
    ids = deep_ids(machine, added)
    old = machine.read(key)
    product = machine.fresh(
        node, ids | (deep_ids(machine, old) if old is not None else NO_IDS), "acc", lightweight=True
    )
    if machine.state is not None and machine.state.grad != "off":
        record_store(machine, "sum", node, key, target, added, value_node, product=product)
    kinds = [v for v in options_of(result) if isinstance(v, Tensor)]
    if kinds and max(v.kind for v in kinds) >= Kind.MAYBE:
        result = Tensor(max(v.kind for v in kinds), frozenset((product,)))
    elif isinstance(result, Unknown) or (isinstance(result, Choice) and ids_of(result)):
        result = Unknown(frozenset((product,)), product)
    machine.write(key, result, keep_birth=True)


def changes_in_place(machine: Machine, node: cst.BaseExpression, value: Value) -> None:
    """`acc.add_(v)`, a sum whose accumulator is a tensor; `bank.index_copy_(0, i, v)`, which fills one."""
    if type(node) is not cst.Call or type(node.func) is not cst.Attribute or not node.args:
        return
    name, box = node.func.attr.value, node.func.value
    if name in ("add_", "sub_"):
        key = slot_of(machine, box)
        if key is not None and machine.state is not None:
            operand = node.args[0].value
            accumulate(machine, node, key, machine.code(box), machine.evaluate(operand), operand, value)
    elif name in _FILLING:
        fills(machine, node, box, machine.evaluate(box), machine.evaluate(node.args[-1].value))
