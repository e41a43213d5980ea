"""In which order a file makes calls, its own functions entered where they are called."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import libcst as cst

from memlint.analysis.dataflow.control_flow import leaves
from memlint.analysis.tensorflow.cross_module import Definition
from memlint.analysis.tensorflow.flow import Flow
from memlint.syntax.arguments import parameters
from memlint.syntax.tree import children, is_main_guard, statements

Arm = tuple[cst.CSTNode, str]

_DEPTH = 6
_FUEL = 300


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """A call, and the branches, loops and handlers under which it is made, outermost first."""

    node: cst.Call
    path: tuple[Arm, ...]

    def surely_before(self, other: Event) -> bool:
        """Whether this call, which comes first in the order, is made whenever the other is."""
        return self.path == other.path[: len(self.path)]

    def excludes(self, other: Event, flow: Flow) -> bool:
        """Whether no single run of the code makes this call and then the other."""
        arms = dict(other.path)
        for node, arm in self.path:
            there = arms.get(node)
            if there is not None and there != arm:
                return True
            if there is None and _arm_leaves(node, arm):
                return flow.model.function_of(other.node) is flow.model.function_of(node)
        return False


def orders(flow: Flow, wanted: Callable[[cst.Call], bool], *, imported: bool = False) -> list[list[Event]]:
    """The wanted calls in the order in which they are made: of the module, then of each entry function.

    With `imported`, what the module does on import comes before what a function does that only others call.
    """
    walker = _Walker(flow, wanted)
    found = [walker.run(flow.model.module)]
    before = [e for e in found[0] if imported and not any(is_main_guard(node) for node, _ in e.path)]
    for function in flow.model.names.every(cst.FunctionDef):
        if function not in walker.visited and not flow.sites(function):
            first = _constructor(flow, function)
            own = walker.run(*(f.body for f in (first, function) if f is not None))
            found.append([*before, *own])
    return found


def _constructor(flow: Flow, method: cst.FunctionDef) -> cst.FunctionDef | None:
    """The constructor that ran before a method of an object does."""
    owner = flow.model.class_of(method)
    if owner is None or method.name.value == "__init__" or parameters(method)[:1] != ["self"]:
        return None
    return flow.methods(owner).get("__init__")


def _arm_leaves(node: cst.CSTNode, arm: str) -> bool:
    """Whether a branch ends by leaving its function or loop."""
    if not isinstance(node, cst.If):
        return False
    branch = node.body if arm == "then" else node.orelse
    return branch is not None and leaves(branch)


@dataclass(eq=False)
class _Walker:
    flow: Flow
    wanted: Callable[[cst.Call], bool]
    visited: set[cst.CSTNode] = field(default_factory=set)
    events: list[Event] = field(default_factory=list)
    stack: list[cst.CSTNode] = field(default_factory=list)
    fuel: int = _FUEL

    def run(self, *bodies: cst.CSTNode) -> list[Event]:
        """The events of one entry, and of what ran before it."""
        self.events = []
        for body in bodies:
            self.block(statements(body), ())
        return self.events

    def block(self, body: Iterable[cst.CSTNode], path: tuple[Arm, ...]) -> None:
        for statement in body:
            self.statement(statement, path)

    def suite(self, body: cst.CSTNode, path: tuple[Arm, ...], node: cst.CSTNode, arm: str) -> None:
        self.block(statements(body), (*path, (node, arm)))

    def statement(self, node: cst.CSTNode, path: tuple[Arm, ...]) -> None:
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            return
        if isinstance(node, cst.If):
            self.expression(node.test, path)
            self.suite(node.body, path, node, "then")
            if isinstance(node.orelse, cst.If):
                self.statement(node.orelse, (*path, (node, "else")))
            elif node.orelse is not None:
                self.suite(node.orelse.body, path, node, "else")
        elif isinstance(node, (cst.For, cst.While)):
            self.expression(node.iter if isinstance(node, cst.For) else node.test, path)
            self.suite(node.body, path, node, "loop")
            if node.orelse is not None:
                self.block(statements(node.orelse.body), path)
        elif isinstance(node, cst.With):
            for item in node.items:
                self.expression(item.item, path)
            self.block(statements(node.body), path)
        elif isinstance(node, cst.Try):
            self.attempt(node, path)
        else:
            self.expression(node, path)

    def attempt(self, node: cst.Try, path: tuple[Arm, ...]) -> None:
        self.suite(node.body, path, node, "body")
        if node.orelse is not None:
            self.suite(node.orelse.body, path, node, "body")
        for number, handler in enumerate(node.handlers):
            self.suite(handler.body, path, node, f"handler {number}")
        if node.finalbody is not None:
            self.block(statements(node.finalbody.body), path)

    def expression(self, node: cst.CSTNode, path: tuple[Arm, ...]) -> None:
        if type(node) is cst.Lambda:
            return
        for child in children(node):
            self.expression(child, path)
        if type(node) is cst.Call:
            if self.wanted(node):
                self.events.append(Event(node, path))
            self.enter((*self.flow.callees(node), *self.handed(node)), path)

    def handed(self, call: cst.Call) -> list[Definition]:
        """The functions of the file that a call is given to call: `study.optimize(objective)`."""
        names = [arg.value for arg in call.args if type(arg.value) is cst.Name]
        found = [d.node for name in names for d in self.flow.definitions(name) if d.kind == "function"]
        return [f for f in found if isinstance(f, cst.FunctionDef)]

    def enter(self, callees: Iterable[Definition], path: tuple[Arm, ...]) -> None:
        if len(self.stack) >= _DEPTH:
            return
        for callee in callees:
            if isinstance(callee, cst.ClassDef):
                init = self.flow.methods(callee).get("__init__")
                if init is None:
                    continue
                callee = init
            if callee not in self.stack and self.fuel > 0:
                self.fuel -= 1
                self.visited.add(callee)
                self.stack.append(callee)
                self.block(statements(callee.body), path)
                self.stack.pop()
