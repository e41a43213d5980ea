"""Functions and classes where the file defines them."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from memlint.analysis.interpret.binding import bind
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.values import Class, ClassInfo, Function
from memlint.syntax.tree import statements


def define_function(machine: Machine, node: cst.FunctionDef) -> None:
    """`def f(...)`: bind the name to the function as its decorators leave it."""
    bind(machine, node.name, machine.decorate(Function(node, machine.frame), node))


def define_class(machine: Machine, node: cst.ClassDef) -> None:
    """`class C: ...`: bind the name, evaluate bases and class attributes."""
    bases = tuple(machine.evaluate(arg.value) for arg in node.bases)
    body = statements(node.body)
    methods = {s.name.value: s for s in body if isinstance(s, cst.FunctionDef)}
    info = ClassInfo(node, machine.frame, methods, bases, _fields(body))
    value = machine.classes.get(id(node))
    if value is None:
        value = machine.classes[id(node)] = Class(info)
        for base in bases:
            if isinstance(base, Class):
                machine.completed_by.setdefault(id(base.info), value)
    space = machine.number("class", id(value.info))
    for statement in body:
        if isinstance(statement, cst.SimpleStatementLine):
            for small in statement.body:
                if isinstance(small, cst.Assign) and isinstance(small.targets[0].target, cst.Name):
                    machine.write((space, "." + small.targets[0].target.value), machine.evaluate(small.value))
    bind(machine, node.name, value)


def _fields(body: Sequence[cst.CSTNode]) -> dict[str, cst.BaseExpression | None]:
    """The annotated fields of a NamedTuple or dataclass in order, with their defaults."""
    found: dict[str, cst.BaseExpression | None] = {}
    for statement in body:
        if isinstance(statement, cst.SimpleStatementLine):
            for small in statement.body:
                if isinstance(small, cst.AnnAssign) and isinstance(small.target, cst.Name):
                    found[small.target.value] = small.value
    return found
