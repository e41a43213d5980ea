"""Persistent gradient tapes that nothing deletes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from memlint.analysis.dataflow.control_flow import leaves
from memlint.analysis.dataflow.liveness import Deletion, delete_after
from memlint.analysis.match import Match
from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.traced_functions import inside_traced
from memlint.analysis.training.containers import let_go
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
        plans, reason = _deletion(flow, name, block)
        yield Match(call, {"tape": name}, "tape", plans=plans, no_fix=reason)


def is_tape(flow: Flow, node: cst.BaseExpression) -> bool:
    """Whether an expression makes a gradient tape."""
    return isinstance(node, cst.Call) and flow.api(node.func) in _TAPE


def _tape_name(flow: Flow, item: cst.CSTNode | None) -> tuple[str, cst.With | None]:
    if isinstance(item, cst.WithItem) and item.asname is not None:
        block = flow.model.parent(item)
        return dotted(item.asname.name), block if isinstance(block, cst.With) else None
    return (dotted(item.targets[0].target), None) if isinstance(item, cst.Assign) else ("", None)


def _deletion(flow: Flow, name: str, block: cst.With | None) -> Deletion:
    """Delete the tape behind the last statement of the block that uses it."""
    if block is None or "." in name:
        return (), f"`{name}` is no local name of a `with` statement"
    suite = flow.model.parent(block)
    siblings = statements(suite) if suite is not None else ()
    uses = [s for s in siblings if any(type(n) is cst.Name and n.value == name for n in flow.model.walk(s))]
    elsewhere = [n for n in flow.model.names.every(cst.Name) if n.value == name]
    inside = [n for s in uses for n in flow.model.walk(s) if type(n) is cst.Name and n.value == name]
    if not uses or uses[-1] is block or len(inside) != len(elsewhere):
        return (), f"`{name}` is used in several places, of which some may run later"
    last = uses[-1]
    if _is_kept(flow, inside):
        return (), f"`{name}` is kept under another name as well"
    if not isinstance(last, cst.SimpleStatementLine) or leaves(last):
        return (), f"`{name}` is last used in a statement behind which nothing can be put"
    return delete_after(flow.model, (name,), last)


def _is_kept(flow: Flow, names: Iterable[cst.CSTNode]) -> bool:
    """Whether a tape gets another name, an attribute or a place in a container: `del` would not free it."""
    holders = (cst.Assign, cst.Element, cst.DictElement, cst.Return)
    return any(isinstance(flow.model.parent(node), holders) for node in names)
