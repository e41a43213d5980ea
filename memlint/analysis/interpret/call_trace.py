"""Writing down, in the order of execution, what a file calls, imports and puts into the environment."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Called
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Args, Keywords
from memlint.analysis.values import Class, External, Method, Value, options_of
from memlint.syntax.tree import dotted

SET_ENVIRONMENT = "os.environ.__setitem__"


def trace_call(machine: Machine, func: Value, args: Args, keywords: Keywords, node: cst.Call) -> None:
    """A call of something that is not a function of the file."""
    for option in options_of(func):
        kind = type(option)
        if kind is External:
            _note(machine, node, option.path, args, keywords)  # type: ignore[union-attr]
        elif kind is Method:
            _note(machine, node, "." + option.name, args, keywords, option.owner)  # type: ignore[union-attr]
        elif kind is Class:
            _note(machine, node, "#" + option.info.node.name.value, args, keywords)  # type: ignore[union-attr]


def trace_environment(machine: Machine, node: cst.CSTNode, owner: Value, key: Value, value: Value) -> None:
    """`os.environ[key] = value`."""
    if isinstance(owner, External) and owner.path == "os.environ":
        _note(machine, node, SET_ENVIRONMENT, [key, value], {})


def trace_import(machine: Machine, node: cst.Import | cst.ImportFrom) -> None:
    """An absolute import, at the moment when it runs."""
    if isinstance(node, cst.Import):
        for alias in node.names:
            _note(machine, node, f"import {dotted(alias.name)}", [], {})
    elif node.module is not None and not node.relative:
        _note(machine, node, f"import {dotted(node.module)}", [], {})


def _note(
    machine: Machine,
    node: cst.CSTNode,
    path: str,
    args: Args,
    keywords: Keywords,
    owner: Value | None = None,
) -> None:
    event = Called(
        node=node,
        frame=machine.frame,
        loops=machine.loops,
        path=path,
        args=tuple(args),
        keywords=keywords,
        owner=owner,
    )
    machine.record(machine.trace.calls, event, machine.number("path", path))
