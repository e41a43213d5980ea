"""In which order a file makes calls, its own functions entered where they are called."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field

import libcst as cst

from memlint.analysis.dataflow.definitions import FunctionOrClass
from memlint.analysis.dataflow.program_points import (
    Arm,
    arms,
    excludes,
    is_conditional,
    surely_before,
)
from memlint.analysis.tensorflow.flow import Flow
from memlint.records import dataclass
from memlint.syntax.arguments import parameters
from memlint.syntax.tree import children, is_main_guard

_DEPTH = 6
_FUEL = 300


@dataclass(frozen=True, slots=True, eq=False)
class CallPoint:
    """A call, and the branches, loops and handlers that lead to it through the calls of functions."""

    node: cst.Call
    path: tuple[Arm, ...]

    @property
    def always(self) -> bool:
        """Whether every run of the code makes this call."""
        return not is_conditional(self.path)

    @property
    def loops(self) -> list[cst.CSTNode]:
        """The loop statements around this call, innermost first."""
        return [arm.construct for arm in self.path if arm.side == "loop"]

    def surely_before(self, other: CallPoint) -> bool:
        """Whether this call, which comes first in the order, is made whenever the other is."""
        return surely_before(self.path, other.path)

    def excludes(self, other: CallPoint) -> bool:
        """Whether no single run of the code makes this call and then the other."""
        return excludes(self.path, other.path)


def calls_in_order(
    flow: Flow, wanted: Callable[[cst.Call], bool], *, imported: bool = False
) -> list[list[CallPoint]]:
    """The wanted calls in the order in which they are made: of the module, then of each entry function.

    With `imported`, what the module does on import comes before what a function does that only others call.
    """
    walker = _Walker(flow, wanted)
    found = [walker.run(flow.model.module)]
    before = found[0] if imported else []
    before = [call for call in before if not any(map(is_main_guard, flow.model.ancestors(call.node)))]
    for function in flow.model.names.every(cst.FunctionDef):
        if function not in walker.visited and not flow.graph.sites(function):
            first = _constructor(flow, function)
            own = walker.run(*(f.body for f in (first, function) if f is not None))
            found.append([*before, *own])
    return found


def _constructor(flow: Flow, method: cst.FunctionDef) -> cst.FunctionDef | None:
    """The constructor that ran before a method of an object does; objects that are unpickled ran none."""
    owner = flow.model.class_of(method)
    makes = method.name.value in ("__init__", "__setstate__")
    if owner is None or makes or parameters(method)[:1] != ["self"]:
        return None
    return flow.graph.methods(owner).get("__init__")


@dataclass(eq=False)
class _Walker:
    """`path` leads to the calls on the `stack` of functions that are running, innermost first."""

    flow: Flow
    wanted: Callable[[cst.Call], bool]
    visited: set[cst.CSTNode] = field(default_factory=set)
    found: list[CallPoint] = field(default_factory=list)
    stack: list[cst.CSTNode] = field(default_factory=list)
    path: tuple[Arm, ...] = ()
    fuel: int = _FUEL

    def run(self, *bodies: cst.CSTNode) -> list[CallPoint]:
        """The calls of one entry, and of what ran before it."""
        self.found = []
        for body in bodies:
            self.visit(body)
        return self.found

    def visit(self, node: cst.CSTNode) -> None:
        """A node, and what is below it in the order of execution."""
        if isinstance(node, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            return
        below: Iterable[cst.CSTNode] = children(node)
        if isinstance(node, cst.Try):
            parts = (node.body, node.orelse, *node.handlers, node.finalbody)
            below = [part for part in parts if part is not None]
        for child in below:
            self.visit(child)
        if type(node) is cst.Call:
            if self.wanted(node):
                self.found.append(CallPoint(node, (*arms(self.flow.model, node), *self.path)))
            self.enter(node)

    def handed(self, call: cst.Call) -> list[FunctionOrClass]:
        """The functions of the file that a call is given to call: `study.optimize(objective)`."""
        names = [arg.value for arg in call.args if type(arg.value) is cst.Name]
        found = [d.node for name in names for d in self.flow.definitions(name) if d.kind == "function"]
        return [f for f in found if isinstance(f, cst.FunctionDef)]

    def enter(self, call: cst.Call) -> None:
        """Follow a call into the functions of the project that it runs."""
        if len(self.stack) >= _DEPTH:
            return
        for callee in (*self.flow.graph.callees(call), *self.handed(call)):
            if isinstance(callee, cst.ClassDef):
                init = self.flow.graph.methods(callee).get("__init__")
                if init is None:
                    continue
                callee = init
            if callee not in self.stack and self.fuel > 0:
                self.fuel -= 1
                self.visited.add(callee)
                outer = self.path
                self.path = (*arms(self.flow.model, call), *outer)
                self.stack.append(callee)
                self.visit(callee.body)
                self.stack.pop()
                self.path = outer
