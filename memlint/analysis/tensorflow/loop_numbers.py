"""Python numbers that change from pass to pass of a loop: its counter, or what is computed from it."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.program_points import LoopNode
from memlint.analysis.knowledge import hints
from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.repeats import is_short
from memlint.syntax.tree import dotted

_NUMBERS = frozenset({"int", "float", "str", "bool", "round"})
_CONVERTERS = frozenset({"int", "float", "str"})
_ARITHMETIC = frozenset({"min", "max", "abs", "pow"})
_COUNTERS = frozenset({"range", "trange"})
_BOUNDS = frozenset({"max", "min", "float", "int", "round"})


def loop_of_number(flow: Flow, given: cst.BaseExpression, call: cst.Call) -> LoopNode | None:
    """The loop that gives a Python number which an argument is, or is made from."""
    loops = [loop for run in flow.runs(call) for loop in run]
    return _number_of(flow, given, loops, 6)


def _number_of(flow: Flow, node: cst.CSTNode, loops: list[LoopNode], depth: int) -> LoopNode | None:
    if not depth:
        return None
    if isinstance(node, cst.BinaryOperation):
        return _number_of(flow, node.left, loops, depth - 1) or _number_of(flow, node.right, loops, depth - 1)
    if isinstance(node, cst.FormattedString):
        parts = (p.expression for p in node.parts if isinstance(p, cst.FormattedStringExpression))
        return next((f for p in parts if (f := _number_of(flow, p, loops, depth - 1))), None)
    if isinstance(node, cst.Call):
        name, given = dotted(node.func), [a.value for a in node.args]
        if name in _NUMBERS and len(given) == 1:
            found = _number_of(flow, given[0], loops, depth - 1)
            return found or (_loop_that_gives(flow, given[0]) if name in _CONVERTERS else None)
        if name in _ARITHMETIC or name.startswith("math."):
            return next((f for g in given if (f := _number_of(flow, g, loops, depth - 1))), None)
        return None
    if isinstance(node, (cst.Name, cst.Attribute)) and not flow.api(node):
        return _counter(flow, node, loops, depth)
    return None


def _loop_that_gives(flow: Flow, node: cst.CSTNode) -> LoopNode | None:
    """The loop whose variable is turned into a Python number: `float(s)` of `for s in rates`."""
    for d in flow.definitions(node):
        loop = flow.model.parent(d.node) if d.kind in ("each", "each item") else None
        if isinstance(loop, (cst.For, cst.CompFor)) and not is_short(flow, loop):
            return loop
    return None


def _counter(flow: Flow, node: cst.BaseExpression, loops: list[LoopNode], depth: int) -> LoopNode | None:
    """The loop whose counter a name is, by its header or by `step += 1`."""
    for d in flow.definitions(node):
        if d.kind in ("each", "each item"):
            loop = flow.model.parent(d.node)
            if (
                isinstance(loop, (cst.For, cst.CompFor))
                and counts(flow, d.node, d.index)
                and not is_short(flow, loop)
            ):
                return loop
        elif d.kind == "updated" and isinstance(d.node, cst.AugAssign):
            around = [x for x in flow.loops(d.node) if x in loops]
            if around and (isinstance(d.node.value, cst.Integer) or _is_updated_number(flow, d.node)):
                return around[-1]
        elif d.kind == "value" and d.node is not node:
            found = _recurrence(flow, node, d.node, loops) or _number_of(flow, d.node, loops, depth - 1)
            if found is not None:
                return found
        elif isinstance(d.node, cst.Param):
            for given in flow.graph.passed(d.node):
                found = _number_of(flow, given, loops, depth - 1)
                if found is not None:
                    return found
    return None


def _recurrence(
    flow: Flow, name: cst.BaseExpression, value: cst.CSTNode, loops: list[LoopNode]
) -> LoopNode | None:
    """The loop in which `eps = max(low, eps * decay)` or `beta = beta + rate` changes a Python number."""
    if isinstance(value, cst.Call) and dotted(value.func) not in _BOUNDS:
        return None
    if not isinstance(value, (cst.Call, cst.BinaryOperation)):
        return None
    around = [x for x in flow.loops(value) if x in loops]
    parts = flow.model.walk(value)
    words = [n for n in parts if dotted(n) and type(flow.model.parent(n)) is not cst.Attribute]
    reads = [n for n in words if dotted(n) == dotted(name)]
    if not around or not reads or not _starts_as_number(flow, reads[0]):
        return None
    others = [w for w in words if dotted(w) not in (dotted(name), *_BOUNDS)]
    rates = (hints.CHANGING_RATE.search(dotted(w)) or _starts_as_number(flow, w) for w in others)
    return around[-1] if all(rates) else None


def _is_updated_number(flow: Flow, update: cst.AugAssign) -> bool:
    """Whether `eps *= decay` multiplies a number by one: by its literal, or by its name."""
    rates = flow.sources(update.value)
    plain = all(
        isinstance(r, (cst.Integer, cst.Float)) or hints.CHANGING_RATE.search(dotted(r)) for r in rates
    )
    return plain and _starts_as_number(flow, update.target)


def _starts_as_number(flow: Flow, node: cst.CSTNode) -> bool:
    """Whether what a name may hold before its update is a number that the file writes."""
    values = [d.node for d in flow.definitions(node) if d.kind == "value"]
    return any(isinstance(s, (cst.Integer, cst.Float)) for v in values for s in flow.sources(v))


def counts(flow: Flow, iterated: cst.CSTNode, index: int) -> bool:
    """Whether a loop's variable is a Python number: of `range`, or the first of `enumerate`."""
    if not isinstance(iterated, cst.Call):
        return False
    name = dotted(iterated.func).rpartition(".")[2]
    if flow.api(iterated.func).startswith("tf."):
        return False
    if name in _COUNTERS:
        return index < 0
    if name == "enumerate":
        return index == 0
    if name in ("tqdm", "reversed", "track", "list") and iterated.args:
        return counts(flow, iterated.args[0].value, index)
    return False
