"""The ways through one function or module: which statement may run after which.

Every simple statement and every header (`if` test, loop target, `with` item) is a point. Ways are rather
too many than too few: an exception may leave any statement of a `try`, a `finally` may go on anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import libcst as cst

from memlint.analysis.model import ScriptModel
from memlint.syntax.tree import dotted, statements

# A context manager of this name may swallow an exception and go on after its block.
_SUPPRESSES = ("suppress", "raises", "assertRaises", "assertRaisesRegex", "catch", "ignored", "handle")


@dataclass(eq=False, slots=True)
class Point:
    """One step of execution. `after` may follow when it is done, `fails` when it raises on the way."""

    node: cst.CSTNode | None
    after: tuple[Point, ...] = ()
    fails: tuple[Point, ...] = ()


@dataclass(eq=False, slots=True)
class Flow:
    """The points of one scope: `at` has those of statements and headers, `follow` the ends of statements."""

    at: dict[cst.CSTNode, Point] = field(default_factory=dict)
    follow: dict[cst.CSTNode, Point] = field(default_factory=dict)
    entry: Point = field(default_factory=lambda: Point(None))
    exit: Point = field(default_factory=lambda: Point(None))


def flow_of(model: ScriptModel, scope: cst.CSTNode) -> Flow:
    """The flow of a function or of the module, made on first use."""
    flows: dict[cst.CSTNode, Flow] = model.memo.setdefault("flows", {})
    if scope not in flows:
        flows[scope] = _built(model, scope)
    return flows[scope]


def _built(model: ScriptModel, scope: cst.CSTNode) -> Flow:
    body = scope.body if isinstance(scope, cst.FunctionDef) else scope
    builder = _Builder(model, Flow())
    flow = builder.flow
    builder.leaves = flow.exit
    flow.entry = builder.block(statements(body), flow.exit)
    return flow


@dataclass(slots=True)
class _Builder:
    """Builds from the last statement to the first. The points are where control goes on each way out."""

    model: ScriptModel
    flow: Flow
    fails: tuple[Point, ...] = ()
    leaves: Point | None = None
    breaks: Point | None = None
    continues: Point | None = None

    def block(self, body: Sequence[cst.CSTNode], after: Point) -> Point:
        for statement in reversed(body):
            # A point of its own tells the end of a statement from what other ways lead to as well.
            end = self.flow.follow[statement] = Point(None, (after,))
            after = self.statement(statement, end)
        return after

    def point(self, node: cst.CSTNode | None, *after: Point | None) -> Point:
        made = Point(node, tuple(p for p in after if p is not None), self.fails)
        if node is not None:
            self.flow.at[node] = made
        return made

    def statement(self, node: cst.CSTNode, after: Point) -> Point:
        match node:
            case cst.SimpleStatementLine():
                return self.block(node.body, after)
            case cst.If():
                other = self.orelse(node.orelse, after)
                return self.point(node.test, self.block(statements(node.body), after), other)
            case cst.For():
                return self.for_loop(node, after)
            case cst.While():
                return self.while_loop(node, after)
            case cst.With():
                return self.with_block(node, after)
            case cst.Try() | cst.TryStar():
                return self.try_block(node, after)
            case cst.Match():
                cases = [
                    self.point(case, self.block(statements(case.body), after), after) for case in node.cases
                ]
                return self.point(node.subject, *cases, after)
            case cst.Return():
                return self.point(node, self.leaves)
            case cst.Raise():
                return self.point(node, *(self.fails or (self.leaves,)))
            case cst.Break():
                return self.point(node, self.breaks)
            case cst.Continue():
                return self.point(node, self.continues)
        return self.point(node, after)

    def orelse(self, node: cst.If | cst.Else | None, after: Point) -> Point:
        if isinstance(node, cst.If):
            return self.statement(node, after)
        return self.block(statements(node.body), after) if node is not None else after

    def for_loop(self, node: cst.For, after: Point) -> Point:
        head = self.point(None, self.orelse(node.orelse, after))
        body = self.body(node, head, after)
        head.after = (self.point(node.target, body), *head.after)
        return self.point(node.iter, head)

    def while_loop(self, node: cst.While, after: Point) -> Point:
        head = self.point(node.test)
        ends = None if self.model.code(node.test) in ("True", "1") else self.orelse(node.orelse, after)
        body = self.body(node, head, after)
        head.after = (body, ends) if ends is not None else (body,)
        return head

    def body(self, node: cst.For | cst.While, head: Point, after: Point) -> Point:
        outer, self.breaks, self.continues = (self.breaks, self.continues), after, head
        entry = self.block(statements(node.body), head)
        self.breaks, self.continues = outer
        return entry

    def with_block(self, node: cst.With, after: Point) -> Point:
        outer = self.fails
        if any(_suppresses(self.model, item.item) for item in node.items):
            self.fails = (*outer, after)
        entry = self.block(statements(node.body), after)
        for item in reversed(node.items):
            entry = self.point(item, entry)
        self.fails = outer
        return entry

    def try_block(self, node: cst.Try | cst.TryStar, after: Point) -> Point:
        outer = (self.fails, self.leaves, self.breaks, self.continues)
        if node.finalbody is not None:
            goes_on = self.point(None, after, self.leaves, self.breaks, self.continues, *self.fails)
            after = self.block(statements(node.finalbody.body), goes_on)
            self.fails, self.leaves = (after,), after
            self.breaks, self.continues = self.breaks and after, self.continues and after
        handlers = tuple(
            self.point(handler, self.block(statements(handler.body), after)) for handler in node.handlers
        )
        done = self.orelse(node.orelse, after)
        self.fails = (*handlers, *self.fails)
        entry = self.block(statements(node.body), done)
        self.fails, self.leaves, self.breaks, self.continues = outer
        return entry


def _suppresses(model: ScriptModel, manager: cst.BaseExpression) -> bool:
    """Whether a context manager may swallow exceptions: by its name, or by its own `__exit__`."""
    func = manager.func if isinstance(manager, cst.Call) else manager
    name = dotted(func).rpartition(".")[2]
    if name in _SUPPRESSES:
        return True
    return any(
        type(node) is cst.Return
        and node.value is not None
        and model.code(node.value) not in ("None", "False")
        for info in model.machine.classes.values()
        if info.info.node.name.value == name
        for leave in (info.info.methods.get("__exit__"),)
        if leave is not None
        for node in model.walk(leave)
    )
