"""How a class of Lightning reads a list where the epoch ends, and clearing it there."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.control_flow import leaves
from memlint.analysis.knowledge import code_words, libraries
from memlint.analysis.match import InsertAfter, Plan
from memlint.analysis.model import ScriptModel
from memlint.finding import Applicability
from memlint.syntax.expressions import calls_one, reads_place, speaks_of
from memlint.syntax.tree import methods, statements


def is_only_read_at_the_end(model: ScriptModel, owner: cst.ClassDef, name: str) -> bool:
    """Whether a list is only put together for the logger, at the end of an epoch."""
    inside = set(model.walk(owner))
    for node in model.walk(model.module):
        if type(node) is cst.Attribute and node.attr.value == name and node not in inside:
            return False
    for method in methods(owner):
        shows = speaks_of(method.body, code_words.BACKWARD) or calls_one(method.body, "print")
        ends = libraries.EPOCH_END_HOOK.match(method.name.value) and not shows
        uses = (n for n in model.every(cst.Attribute, method.body) if n.attr.value == name)
        if not ends and any(_is_read(model, node) for node in uses):
            return False
    return True


def _is_read(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a list is used where its name stands, not only bound, filled or cleared."""
    above = model.parent(node)
    if isinstance(above, (cst.AssignTarget, cst.AnnAssign)):
        return False
    while isinstance(above, cst.Subscript):
        above = model.parent(above)
    if not isinstance(above, cst.Attribute) or above.attr.value not in ("append", "clear"):
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
    caution = "later epochs then see only their own values"
    title = f"clear `self.{name}` at the end of the epoch"
    return (Plan(Applicability.UNSAFE, title, (InsertAfter(last, f"self.{name}.clear()"),), caution),)
