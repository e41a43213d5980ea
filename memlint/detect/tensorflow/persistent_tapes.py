"""Persistent gradient tapes that nothing deletes."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.control_flow import leaves
from memlint.analysis.match import InsertAfter, Match, Plan
from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.traced_functions import inside_traced
from memlint.analysis.training.containers import let_go
from memlint.finding import Applicability
from memlint.syntax.arguments import argument
from memlint.syntax.tree import dotted, statements

_TAPE = ("tf.GradientTape",)


def tapes(flow: Flow) -> Iterator[Match]:
    """Persistent tapes in a loop, or on self, that nothing deletes."""
    for call in flow.calls_of(*_TAPE):
        item = flow.model.parent(call)
        if dotted(argument(call, 0, "persistent") or cst.Name("_")) != "True":
            continue
        name, block = _tape_name(flow, item)
        loops = flow.loops(call)
        if not name or not (loops or name.startswith("self.")):
            continue
        if let_go(flow.model, name, flow.model.module, since=call):
            continue
        if inside_traced(flow, call):
            continue
        plan = _del_plan(flow, name, block) if block is not None and "." not in name else None
        values = {"tape": name}
        yield Match(call, values, "tape", plans=(plan,) if plan else ())


def is_tape(flow: Flow, node: cst.BaseExpression) -> bool:
    """Whether an expression makes a gradient tape."""
    return isinstance(node, cst.Call) and flow.api(node.func) in _TAPE


def _tape_name(flow: Flow, item: cst.CSTNode | None) -> tuple[str, cst.With | None]:
    if isinstance(item, cst.WithItem) and item.asname is not None:
        block = flow.model.parent(item)
        return dotted(item.asname.name), block if isinstance(block, cst.With) else None
    return (dotted(item.targets[0].target), None) if isinstance(item, cst.Assign) else ("", None)


def _del_plan(flow: Flow, name: str, block: cst.With) -> Plan | None:
    """Delete the tape behind the last statement of the block that uses it."""
    suite = flow.model.parent(block)
    siblings = statements(suite) if suite is not None else ()
    uses = [s for s in siblings if any(type(n) is cst.Name and n.value == name for n in flow.model.walk(s))]
    elsewhere = [n for n in flow.model.names.every(cst.Name) if n.value == name]
    inside = [n for s in uses for n in flow.model.walk(s) if type(n) is cst.Name and n.value == name]
    if not uses or uses[-1] is block or len(inside) != len(elsewhere):
        return None
    last = uses[-1]
    if not isinstance(last, cst.SimpleStatementLine) or leaves(last):
        return None
    return Plan(Applicability.SAFE, f"add `del {name}`", (InsertAfter(last, f"del {name}"),))
