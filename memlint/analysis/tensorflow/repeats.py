"""Loops that do something with Keras models over and over: what they iterate, and how often at most."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import libcst as cst

from memlint.analysis.dataflow.functions import targets_in
from memlint.analysis.dataflow.program_points import LoopNode
from memlint.analysis.tensorflow.flow import Flow
from memlint.syntax.expressions import same
from memlint.syntax.tree import dotted, last_name

_FEW = 3
_DEVICES = re.compile(r"(^|_)n?(gpus|devices|replicas|towers)$", re.IGNORECASE)


def code_of(flow: Flow, loop: LoopNode) -> str:
    """The source of what a loop runs in each pass."""
    return flow.model.code(loop.body) if isinstance(loop, (cst.For, cst.While)) else ""


def is_short(flow: Flow, loop: LoopNode) -> bool:
    """Whether a loop makes three passes or fewer, by a literal."""
    return passes(flow, loop) <= _FEW


def repeating(flow: Flow, loops: Sequence[LoopNode]) -> LoopNode | None:
    """The innermost of nested loops that, with those inside of it, makes more than three passes."""
    number = 1.0
    for loop in reversed(loops):
        number *= passes(flow, loop)
        if number > _FEW:
            return loop
    return None


def passes(flow: Flow, loop: LoopNode) -> float:
    """How many passes a loop makes, by a literal; few over the GPUs of a machine, else infinitely many."""
    if isinstance(loop, cst.While):
        return math.inf
    if _wraps_one(loop.iter):
        return 1
    found = 0.0
    for source in flow.sources(loop.iter):
        if isinstance(source, (cst.List, cst.Tuple)):
            found = max(found, len(source.elements))
        elif isinstance(source, cst.Call) and dotted(source.func) == "range" and len(source.args) == 1:
            bound = source.args[0].value
            if not isinstance(bound, cst.Integer) and not _DEVICES.search(last_name(bound)):
                return math.inf
            found = max(found, int(bound.evaluated_value) if isinstance(bound, cst.Integer) else _FEW)
        else:
            return math.inf
    return found


def _wraps_one(node: cst.BaseExpression) -> bool:
    """`x if isinstance(x, list) else [x]`: several are possible, but one is what is mostly given."""
    if not isinstance(node, cst.IfExp):
        return False
    ways = (node.body, node.orelse)
    rows = [way for way in ways if isinstance(way, (cst.List, cst.Tuple)) and len(way.elements) == 1]
    return any(same(row.elements[0].value, way) for row in rows for way in ways if way is not row)


def bound_by(flow: Flow, node: cst.CSTNode, loop: LoopNode) -> bool:
    """Whether an expression reads what a loop changes: its variable, or a name that its body assigns."""
    names = flow.model.names_in(node)
    return bool(names & changed_in(flow, loop))


def changed_in(flow: Flow, loop: LoopNode) -> set[str]:
    """The names that a loop binds in each pass."""
    found: set[str] = set()
    if isinstance(loop, (cst.For, cst.CompFor)):
        found |= flow.model.names_in(loop.target)
    if isinstance(loop, (cst.For, cst.While)):
        found |= words_assigned(flow, loop.body)
    return found - {"self"}


def words_assigned(flow: Flow, body: cst.CSTNode) -> set[str]:
    """The names, and the last names of attributes, that statements bind."""
    targets = targets_in(flow.model, body)
    return set().union(*(flow.model.names_in(target) for target in targets))


def stores(flow: Flow, loop: LoopNode, name: str) -> bool:
    """Whether a loop puts the value of a name away, so that all of them are wanted at once."""
    text, word = code_of(flow, loop), re.escape(name)
    kept = rf"(append|add|put|extend)\([^\n]*(?<![\w.]){word}(?![\w.(\[])|(\]\s*=|yield)\s*{word}\s*$"
    return bool(name) and re.search(kept, text, re.MULTILINE) is not None


def runs_in_each_pass(flow: Flow, call: cst.Call, loop: LoopNode) -> bool:
    """Whether a loop calls the function around a call without a condition: `if step % 100 == 0: show()`."""
    function = flow.model.function_of(call)
    sites = flow.graph.sites(function) if function is not None else ()
    return any(loop in flow.loops(site) and not _is_conditional(flow, site, loop) for site in sites)


def _is_conditional(flow: Flow, node: cst.CSTNode, loop: LoopNode) -> bool:
    for above in flow.model.ancestors(node):
        if above is loop:
            break
        if isinstance(above, (cst.If, cst.IfExp)):
            return True
    return False
