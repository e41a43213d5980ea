"""How a class of Lightning reads a list where the epoch ends, and clearing it there."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.control_flow import leaves
from memlint.analysis.dataflow.functions import definitions_meant
from memlint.analysis.knowledge import code_words, libraries
from memlint.analysis.match import InsertAfter, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.lightning import ancestors
from memlint.finding import Applicability
from memlint.syntax.expressions import calls_one, reads_place, speaks_of
from memlint.syntax.tree import dotted, methods, statements


def is_only_read_at_the_end(model: ScriptModel, owner: cst.ClassDef, name: str) -> bool:
    """Whether a list is only put together for the logger, at the end of an epoch."""
    inside = set(model.walk(owner))
    for node in model.walk(model.module):
        if type(node) is cst.Attribute and node.attr.value == name and node not in inside:
            return False
    for method in methods(owner):
        ends = libraries.EPOCH_END_HOOK.match(method.name.value) and not _may_show_graph(model, method)
        uses = (n for n in model.every(cst.Attribute, method.body) if n.attr.value == name)
        if not ends and any(_is_read(model, node) for node in uses):
            return False
    return True


def _may_show_graph(model: ScriptModel, method: cst.FunctionDef) -> bool:
    """Whether a hook, or what it calls, differentiates, writes a text, or keeps what it computes."""
    called = [d for c in model.every(cst.Call, method.body) for d in definitions_meant(model, c.func)]
    bodies = [d.body for d in (method, *called) if isinstance(d, cst.FunctionDef)]
    if any(speaks_of(b, code_words.BACKWARD) or calls_one(b, "grad", *libraries.WRITES_TEXT) for b in bodies):
        return True
    body = method.body
    keeps = any(isinstance(t.target, cst.Attribute) for t in model.every(cst.AssignTarget, body))
    returns = any(r.value is not None for r in model.every(cst.Return, body))
    return keeps or returns or bool(model.every(cst.FormattedString, body))


def _is_read(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a list is used where its name stands, not only bound, filled or cleared."""
    above = model.parent(node)
    if isinstance(above, (cst.AssignTarget, cst.AnnAssign)):
        return False
    while isinstance(above, cst.Subscript):
        above = model.parent(above)
    if not isinstance(above, cst.Attribute) or above.attr.value not in ("append", "extend", "clear"):
        return True
    return not isinstance(model.parent(above), cst.Call)


def cleared_at_the_end(model: ScriptModel, owner: cst.ClassDef, name: str) -> tuple[Plan, ...]:
    """The plan that empties a list where the epoch ends; none where no hook of the class reads it."""
    kept = [f"self.{name}"]
    hooks = (m for m in methods(owner) if libraries.EPOCH_END_HOOK.match(m.name.value))
    ends = [hook for hook in hooks if reads_place(hook.body, kept)]
    body = statements(ends[0].body) if len(ends) == 1 else ()
    last = body[-1] if body else None
    if not isinstance(last, cst.SimpleStatementLine) or leaves(last):
        return ()
    if _is_read_elsewhere(model, owner, name, ends[0]):
        return ()
    caution = "later epochs then see only their own values"
    title = f"clear `self.{name}` at the end of the epoch"
    return (Plan(Applicability.UNSAFE, title, (InsertAfter(last, f"self.{name}.clear()"),), caution),)


def _is_read_elsewhere(model: ScriptModel, owner: cst.ClassDef, name: str, hook: cst.FunctionDef) -> bool:
    """Whether something else than a hook reads a list, and may do so after the end of the epoch: a callback,
    a property, the script that has trained the module."""
    for node in model.names.every(cst.Attribute):
        if node.attr.value != name or model.function_of(node) is hook or not _is_read(model, node):
            continue
        around = model.class_of(node)
        own = around is None or around is owner or dotted(node.value) != "self"
        if own or (
            around is not None and {owner, around} & {*ancestors(model, around), *ancestors(model, owner)}
        ):
            return True
    return False
