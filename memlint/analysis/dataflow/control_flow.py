"""Control flow: whether code leaves its block, and the control-flow graph of a function or module.

Every simple statement and every header (`if` test, loop target, `with` item) is a node. Edges are rather
too many than too few: an exception may leave any statement of a `try`, a `finally` may go on anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from enum import Flag, auto

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.model import ScriptModel
from memlint.records import dataclass
from memlint.syntax.expressions import literal
from memlint.syntax.tree import dotted, statements

# A context manager of this name may swallow an exception and go on after its block.
_SUPPRESSES = ("suppress", "raises", "assertRaises", "assertRaisesRegex", "catch", "ignored", "handle")

# A call of one of these as a statement never comes back: the last part of its name.
_ENDS = frozenset({"exit", "_exit", "abort", "quit", "fail", "skip"})


class Leave(Flag):
    """The ways out of a block that pass by what follows it. RAISE includes calls such as `sys.exit()`."""

    RETURN = auto()
    RAISE = auto()
    BREAK = auto()
    CONTINUE = auto()
    WITHOUT_ERROR = RETURN | BREAK | CONTINUE
    ANY = WITHOUT_ERROR | RAISE


_JUMPS: dict[type[cst.CSTNode], Leave] = {
    cst.Return: Leave.RETURN,
    cst.Raise: Leave.RAISE,
    cst.Break: Leave.BREAK,
    cst.Continue: Leave.CONTINUE,
}

JUMPS = tuple(_JUMPS)
"""The statements after which control goes on elsewhere."""


def leaves(code: cst.CSTNode, ways: Leave = Leave.ANY) -> bool:
    """Whether a statement, or the last one of a block, surely leaves the block in one of these ways.

    An `if` does when both branches do, a `with` when its body does, a `try` when its body and all of its
    handlers do, or its `finally`.
    """
    if isinstance(code, (cst.BaseSuite, cst.Module)):
        body = statements(code)
        return bool(body) and leaves(body[-1], ways)
    match code:
        case cst.SimpleStatementLine():
            return leaves(code.body[-1], ways)
        case cst.If():
            return code.orelse is not None and leaves(code.body, ways) and leaves(code.orelse, ways)
        case cst.With() | cst.Else() | cst.Finally() | cst.ExceptHandler() | cst.ExceptStarHandler():
            return leaves(code.body, ways)
        case cst.Try() | cst.TryStar():
            ends = code.orelse or code.body
            always = code.finalbody is not None and leaves(code.finalbody, ways)
            return always or (leaves(ends, ways) and all(leaves(h, ways) for h in code.handlers))
        case cst.Expr(value=cst.Call(func=func)):
            return Leave.RAISE in ways and dotted(func).rpartition(".")[2] in _ENDS
    return bool(_JUMPS.get(type(code), Leave(0)) & ways)


def early_exits(
    model: ScriptModel, block: cst.CSTNode, node: cst.CSTNode, ways: Leave = Leave.ANY
) -> list[cst.If]:
    """The `if`s above a statement of a block whose body leaves it: none was true where the statement runs."""
    exits, places = _exits(model, block, ways)
    end = places.get(node, len(places))
    return [branch for branch in exits if places[branch] < end]


@cached
def _exits(
    model: ScriptModel, block: cst.CSTNode, ways: Leave
) -> tuple[list[cst.If], dict[cst.CSTNode, int]]:
    """The `if`s of a block whose body leaves it; where there are any, also the place of each statement."""
    exits = [s for s in statements(block) if isinstance(s, cst.If) and leaves(s.body, ways)]
    return exits, {s: place for place, s in enumerate(statements(block))} if exits else {}


@dataclass(eq=False, slots=True)
class FlowNode:
    """One step of execution: `successors` may follow when it is done, `on_error` when it raises halfway."""

    node: cst.CSTNode | None
    successors: tuple[FlowNode, ...] = ()
    on_error: tuple[FlowNode, ...] = ()


@dataclass(eq=False, slots=True)
class ControlFlow:
    """The control-flow graph of one scope: `nodes` of statements and headers, `ends` of whole statements.

    `heads` are those of loops, to which a way leads back. They let go of what follows when the graph is no
    longer held: its nodes are freed at once then, and the statements with them.
    """

    nodes: dict[cst.CSTNode, FlowNode] = field(default_factory=dict)
    ends: dict[cst.CSTNode, FlowNode] = field(default_factory=dict)
    heads: list[FlowNode] = field(default_factory=list)
    entry: FlowNode = field(default_factory=lambda: FlowNode(None))
    exit: FlowNode = field(default_factory=lambda: FlowNode(None))

    def __del__(self) -> None:
        for head in self.heads:
            head.successors = ()


@cached
def control_flow_of(model: ScriptModel, scope: cst.CSTNode) -> ControlFlow:
    """The control-flow graph of a function or of the module."""
    body = scope.body if isinstance(scope, cst.FunctionDef) else scope
    builder = _Builder(model, ControlFlow())
    flow = builder.flow
    builder.on_exit = flow.exit
    flow.entry = builder.block(statements(body), flow.exit)
    return flow


@dataclass(slots=True)
class _Builder:
    """Builds from the last statement to the first. The nodes it holds are where each way out leads."""

    model: ScriptModel
    flow: ControlFlow
    on_error: tuple[FlowNode, ...] = ()
    on_exit: FlowNode | None = None
    on_break: FlowNode | None = None
    on_continue: FlowNode | None = None

    def block(self, body: Sequence[cst.CSTNode], after: FlowNode) -> FlowNode:
        for statement in reversed(body):
            # A node of its own tells the end of a statement from what other ways lead to as well.
            end = self.flow.ends[statement] = FlowNode(None, (after,))
            after = self.statement(statement, end)
        return after

    def node(self, code: cst.CSTNode | None, *after: FlowNode | None) -> FlowNode:
        made = FlowNode(code, tuple(p for p in after if p is not None), self.on_error)
        if code is not None:
            self.flow.nodes[code] = made
        return made

    def statement(self, node: cst.CSTNode, after: FlowNode) -> FlowNode:
        match node:
            case cst.SimpleStatementLine():
                return self.block(node.body, after)
            case cst.If():
                other = self.orelse(node.orelse, after)
                return self.node(node.test, self.block(statements(node.body), after), other)
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
                    self.node(case, self.block(statements(case.body), after), after) for case in node.cases
                ]
                return self.node(node.subject, *cases, after)
            case cst.Return():
                return self.node(node, self.on_exit)
            case cst.Raise():
                return self.node(node, *(self.on_error or (self.on_exit,)))
            case cst.Break():
                return self.node(node, self.on_break)
            case cst.Continue():
                return self.node(node, self.on_continue)
        return self.node(node, after)

    def orelse(self, node: cst.If | cst.Else | None, after: FlowNode) -> FlowNode:
        if isinstance(node, cst.If):
            return self.statement(node, after)
        return self.block(statements(node.body), after) if node is not None else after

    def for_loop(self, node: cst.For, after: FlowNode) -> FlowNode:
        head = self.node(None, self.orelse(node.orelse, after))
        body = self.body(node, head, after)
        head.successors = (self.node(node.target, body), *head.successors)
        return self.node(node.iter, head)

    def while_loop(self, node: cst.While, after: FlowNode) -> FlowNode:
        head = self.node(node.test)
        ends = None if literal(node.test) in (True, 1) else self.orelse(node.orelse, after)
        body = self.body(node, head, after)
        head.successors = (body, ends) if ends is not None else (body,)
        return head

    def body(self, node: cst.For | cst.While, head: FlowNode, after: FlowNode) -> FlowNode:
        self.flow.heads.append(head)
        outer, self.on_break, self.on_continue = (self.on_break, self.on_continue), after, head
        entry = self.block(statements(node.body), head)
        self.on_break, self.on_continue = outer
        return entry

    def with_block(self, node: cst.With, after: FlowNode) -> FlowNode:
        outer = self.on_error
        if any(_suppresses(self.model, item.item) for item in node.items):
            self.on_error = (*outer, after)
        entry = self.block(statements(node.body), after)
        for item in reversed(node.items):
            entry = self.node(item, entry)
        self.on_error = outer
        return entry

    def try_block(self, node: cst.Try | cst.TryStar, after: FlowNode) -> FlowNode:
        outer = (self.on_error, self.on_exit, self.on_break, self.on_continue)
        if node.finalbody is not None:
            goes_on = self.node(None, after, self.on_exit, self.on_break, self.on_continue, *self.on_error)
            after = self.block(statements(node.finalbody.body), goes_on)
            self.on_error, self.on_exit = (after,), after
            self.on_break, self.on_continue = self.on_break and after, self.on_continue and after
        handlers = tuple(
            self.node(handler, self.block(statements(handler.body), after)) for handler in node.handlers
        )
        done = self.orelse(node.orelse, after)
        self.on_error = (*handlers, *self.on_error)
        entry = self.block(statements(node.body), done)
        self.on_error, self.on_exit, self.on_break, self.on_continue = outer
        return entry


def _suppresses(model: ScriptModel, manager: cst.BaseExpression) -> bool:
    """Whether a context manager may swallow exceptions: by its name, or by its own `__exit__`."""
    func = manager.func if isinstance(manager, cst.Call) else manager
    name = dotted(func).rpartition(".")[2]
    if name in _SUPPRESSES:
        return True
    return any(
        type(node) is cst.Return and node.value is not None and literal(node.value) not in (None, False)
        for info in model.machine.classes.values()
        if info.info.node.name.value == name
        for leave in (info.info.methods.get("__exit__"),)
        if leave is not None
        for node in model.walk(leave)
    )
