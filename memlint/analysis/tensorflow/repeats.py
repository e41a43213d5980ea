"""Loops that do something with Keras models over and over: what they iterate, and how often at most."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import libcst as cst

from memlint.analysis.dataflow.functions import targets_in
from memlint.analysis.dataflow.program_points import LoopNode
from memlint.analysis.tensorflow.flow import Flow
from memlint.syntax.arguments import parameter_for
from memlint.syntax.expressions import place, same
from memlint.syntax.tree import dotted, last_name

_FEW = 3
_DEPTH = 2
_STORING = frozenset({"append", "add", "put", "extend"})
_KINDS = re.compile(r"(^|_)(backbone|arch(itecture)?)s$", re.IGNORECASE)
"""Kinds of networks: a script that goes through them builds one of each."""

_DEVICES = re.compile(r"(^|_)n?(gpus|devices|replicas|towers)$", re.IGNORECASE)


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
    """How many passes a loop makes, by a literal; few over the GPUs of a machine or over kinds of networks,
    else infinitely many."""
    if isinstance(loop, cst.While):
        return math.inf
    if _wraps_one(loop.iter):
        return 1
    chosen = loop.iter.right if isinstance(loop.iter, cst.BooleanOperation) else loop.iter
    if _KINDS.search(last_name(chosen)):
        return _FEW
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
    """Whether a loop, or a function that it hands the value to, puts the value of a name away, so that all of
    them are wanted at once."""
    return bool(name) and _puts_away(flow, loop, name, _DEPTH)


def _puts_away(flow: Flow, block: cst.CSTNode, name: str, depth: int) -> bool:
    for node in flow.model.walk(block):
        if isinstance(node, (cst.Assign, cst.Yield)) and node.value is not None and place(node.value) == name:
            targets = node.targets if isinstance(node, cst.Assign) else ()
            if isinstance(node, cst.Yield) or any(isinstance(t.target, cst.Subscript) for t in targets):
                return True
        if isinstance(node, cst.Call):
            given = [arg for arg in node.args if _is_within(flow, arg, name)]
            if given and last_name(node.func) in _STORING:
                return True
            if any(_keeps(flow, node, arg, depth) for arg in given if place(arg.value) == name):
                return True
    return False


def puts_on_object(flow: Flow, function: cst.FunctionDef, name: str) -> bool:
    """Whether a method puts the value of a name into a container of its object, `self.models.append(model)`,
    so that the object has all of them."""
    lines = (n for n in flow.model.every(cst.Assign, function) if place(n.value) == name)
    targets = (t.target for line in lines for t in line.targets)
    if any(isinstance(t, cst.Subscript) and dotted(t.value).startswith("self.") for t in targets):
        return True
    calls = flow.model.every(cst.Call, function)
    own = (c for c in calls if last_name(c.func) in _STORING and dotted(c.func).startswith("self."))
    return any(_is_within(flow, arg, name) for call in own for arg in call.args)


def _is_within(flow: Flow, arg: cst.Arg, name: str) -> bool:
    """Whether the value of a name is an argument, or a part of one: no attribute, item or call of it."""
    read = (n for n in flow.model.walk(arg) if isinstance(n, (cst.Name, cst.Attribute)) and place(n) == name)
    return any(not isinstance(flow.model.parent(n), (cst.Attribute, cst.Call, cst.Subscript)) for n in read)


def _keeps(flow: Flow, call: cst.Call, arg: cst.Arg, depth: int) -> bool:
    """Whether a function of the file puts an argument away."""
    called = flow.graph.callees(call) if depth else ()
    functions = (f for f in called if isinstance(f, cst.FunctionDef))
    return any(
        bool(name := parameter_for(call, function, arg)) and _puts_away(flow, function.body, name, depth - 1)
        for function in functions
    )


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
