"""MEM118: the losses of several forward passes are summed, and one backward runs through all of them."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.fixes.plans import with_method
from memlint.analysis.match import Change, Label, Match, Plan, Remove, Replace
from memlint.analysis.model import ScriptModel
from memlint.catalogue import Rule
from memlint.detect.retention.microbatches import Summed, summed
from memlint.finding import Applicability
from memlint.syntax.expressions import place
from memlint.syntax.tree import statements

_CAUTION = "gradients are then added in another order, which rounds differently"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Sums over micro-batches whose graphs all wait for one backward."""
    for found in summed(model):
        labels = (Label("only here the graphs of all iterations are freed", found.backward.node),)
        node = found.store.node
        values = {
            "target": model.short(node) if isinstance(node, cst.BaseComp) else found.store.target,
            "forward": model.short(found.forward.node),
            "backward": model.short(found.backward.node),
        }
        plan = _plan(model, found)
        yield Match(node, values, labels=labels, plans=(plan,) if plan else ())


def _plan(model: ScriptModel, found: Summed) -> Plan | None:
    """`total += term` becomes `term.backward()`, where nothing else reads the total."""
    statement, total, loop = found.store.node, found.store.target, found.loop.node
    term = _term(model, statement, total)
    last = model.statement_of(found.backward.node)
    block = model.parent(loop)
    if term is None or last is None or block is None or model.parent(last) is not block:
        return None
    if found.backward.scaled or not _runs_back_from(found.backward.node, total):
        return None
    rank = model.positions
    zeros = [z for z in model.trace.zeros.values() if rank[loop] < rank[z.node] < rank[found.backward.node]]
    first = _start(model, block, total)
    scope = model.function_of(loop) or model.module
    reads = [n for n in model.walk(scope) if isinstance(n, cst.Name) and n.value == total]
    expected = 3 if isinstance(statement, cst.AugAssign) else 4
    if zeros or first is None or len(reads) != expected or _stands_under_with(model, statement, loop):
        return None
    changes: tuple[Change, ...] = (
        Remove(first),
        Replace(statement, with_method(model, term, "backward()")),
        Remove(model.own_statement_of(found.backward.node) or last),
    )
    return Plan(Applicability.UNSAFE, "run backward for each part", changes, _CAUTION)


def _stands_under_with(model: ScriptModel, statement: cst.CSTNode, loop: cst.CSTNode) -> bool:
    """Whether a statement runs in a region of the loop, such as autocast, where backward does not belong."""
    outside = set(model.ancestors(loop))
    return any(isinstance(a, cst.With) for a in model.ancestors(statement) if a not in outside)


def _term(model: ScriptModel, statement: cst.CSTNode, total: str) -> cst.BaseExpression | None:
    """What the statement adds to the total, unless a condition makes it a number at times."""
    term: cst.BaseExpression | None = None
    if isinstance(statement, cst.AugAssign) and isinstance(statement.operator, cst.AddAssign):
        term = statement.value
    elif isinstance(statement, cst.Assign) and isinstance(statement.value, cst.BinaryOperation):
        value = statement.value
        if isinstance(value.operator, cst.Add) and place(value.left) == total:
            term = value.right
    return None if isinstance(term, cst.IfExp) else term


def _start(model: ScriptModel, block: cst.CSTNode, total: str) -> cst.SimpleStatementLine | None:
    """The line `total = 0` of a block."""
    for line in statements(block):
        if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1:
            small = line.body[0]
            if not isinstance(small, cst.Assign) or not isinstance(small.value, (cst.Integer, cst.Float)):
                continue
            if [place(t.target) for t in small.targets] == [total]:
                return line
    return None


def _runs_back_from(node: cst.CSTNode, total: str) -> bool:
    """Whether a node is `total.backward()`."""
    func = node.func if isinstance(node, cst.Call) and not node.args else None
    return isinstance(func, cst.Attribute) and func.attr.value == "backward" and place(func.value) == total
