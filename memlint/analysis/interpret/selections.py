"""Subscripts of tensors: which of them cut a view of a part out of a whole, and how old the whole is."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Loop, Part
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.knowledge import hints
from memlint.analysis.values import Const, Frame, Ref, Scalar, Value
from memlint.syntax.expressions import literal
from memlint.syntax.tree import last_name, root_name


def cuts(machine: Machine, node: cst.Subscript) -> bool:
    """Whether a subscript selects less than the whole by literal indices and bounds."""
    return any(_is_literal_index(e.slice) or _is_literal_slice(machine, e.slice) for e in node.slice)


def _is_literal_index(index: cst.BaseSlice) -> bool:
    return type(index) is cst.Index and _is_number(index.value)


def _is_literal_slice(machine: Machine, index: cst.BaseSlice) -> bool:
    if type(index) is not cst.Slice:
        return False
    lower, upper = index.lower, index.upper
    if lower is not None and not (_is_number(lower) and literal(lower) == 0):
        return _is_number(lower)
    return upper is not None and _is_number(upper)


def varies(machine: Machine, index: Value, node: cst.Subscript) -> bool:
    """Whether a subscript takes one row, or a range of rows, by a counter or bounds that are no literals."""
    first = node.slice[0].slice
    if any(_is_computed_range(e.slice) or _is_computed_tail(e.slice) for e in node.slice[1:]):
        return True
    if type(first) is cst.Slice:
        return any(b is not None and literal(b) != 0 for b in (first.lower, first.upper))
    if len(node.slice) > 1 or not isinstance(index, (Scalar, Const)) or type(first) is not cst.Index:
        return False
    name = first.value.value if type(first.value) is cst.Name else ""
    return any(name in _counters(loop) for loop in machine.loops)


def _is_computed_range(index: cst.BaseSlice) -> bool:
    """Whether a slice is `[y:y + size]`: a part whose bounds are both computed."""
    bounds = (index.lower, index.upper) if type(index) is cst.Slice else ()
    return bool(bounds) and all(b is not None and not _is_number(b) for b in bounds)


def _is_computed_tail(index: cst.BaseSlice) -> bool:
    """Whether a slice is `[-steps:]`: the last few, of a number that is computed."""
    if type(index) is not cst.Slice or index.upper is not None:
        return False
    lower = index.lower
    minus = type(lower) is cst.UnaryOperation and type(lower.operator) is cst.Minus
    return minus and lower is not None and not _is_number(lower)


def _counters(loop: Loop) -> set[str]:
    """The names with which a loop over `range` or `enumerate` counts."""
    if type(loop.node) is not cst.For or not loop.source.startswith(("range(", "enumerate(", "tqdm(range")):
        return set()
    target: cst.CSTNode = loop.node.target
    if type(target) is cst.Tuple and loop.source.startswith("enumerate("):
        target = target.elements[0].value
    return {target.value} if type(target) is cst.Name else set()


def _is_number(node: cst.BaseExpression) -> bool:
    if type(node) is cst.UnaryOperation and type(node.operator) is cst.Minus:
        node = node.expression
    return type(node) is cst.Integer


def takes_one_class(node: cst.Subscript) -> bool:
    """Whether a subscript takes the column of one class, by the names: `probs[:, 1]`, `logits[:, cat_id]`."""
    first, last = node.slice[0].slice, node.slice[-1].slice
    if len(node.slice) != 2 or type(first) is not cst.Slice or type(last) is not cst.Index:
        return False
    if first.lower is not None or first.upper is not None:
        return False
    named = hints.ONE_CLASS.search(last_name(last.value)) is not None
    base = last_name(node.value)
    whole = type(last.value) is cst.Integer or named
    return whole and bool((hints.LOGITS if named else hints.PROBABILITIES).search(base))


def copies(machine: Machine, node: cst.Subscript) -> bool:
    """Whether a subscript may copy: indexing with a tensor, a list or a mask does."""
    for element in node.slice:
        index = element.slice
        if (
            type(index) is cst.Index
            and not _is_number(index.value)
            and type(index.value) is not cst.Ellipsis
            and literal(index.value) is not None
        ):
            return True
    return False


def new_part(machine: Machine, node: cst.CSTNode, base: cst.BaseExpression, *, every: bool = False) -> int:
    """Write down a selection that makes a view of a part, with how old its base is."""
    number = machine.here(node, "part")
    if not machine.quiet:
        machine.trace.parts[number] = Part(
            node=node, base=base, frame=machine.frame, loops=machine.loops, born=_age(machine, base),
            every=every,
        )  # fmt: skip
    return number


def _age(machine: Machine, base: cst.BaseExpression) -> tuple[Loop, ...]:
    """The loops in whose iteration the base was made."""
    name = root_name(base)
    if not name or machine.state is None:
        return machine.loops
    scope: Frame | None = machine.frame
    while scope is not None:
        slot = machine.state.vars.get((scope.id, name))
        if slot is not None:
            attribute = base if type(base) is cst.Attribute and name == "self" else None
            owner = slot[0]
            if attribute is not None and isinstance(owner, Ref):
                held = machine.state.vars.get((owner.obj.id, "." + attribute.attr.value))
                return held[1] if held is not None else ()
            return slot[1]
        scope = scope.lexical
    return ()
