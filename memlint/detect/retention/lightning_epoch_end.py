"""How a class of Lightning reads a list where the epoch ends, and clearing it there."""

from __future__ import annotations

import re

import libcst as cst

from memlint.analysis.dataflow.control_flow import leaves
from memlint.analysis.match import InsertAfter, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.lightning import (
    methods,
)
from memlint.finding import Applicability
from memlint.syntax.tree import statements

_END = re.compile(r"^on_(train|validation)_epoch_end$")


def is_only_read_at_the_end(model: ScriptModel, owner: cst.ClassDef, name: str) -> bool:
    """Whether a list is only put together for the logger, at the end of an epoch."""
    inside = set(model.walk(owner))
    for node in model.walk(model.module):
        if type(node) is cst.Attribute and node.attr.value == name and node not in inside:
            return False
    read = re.compile(rf"\.{name}\b(?!(\[[^\]\n]*\])?\.(append|clear)\(|\s*(:[^=\n]*)?=[^=])")
    for method in methods(owner):
        text = model.code(method.body)
        ends = _END.match(method.name.value) and not re.search(r"backward|print\(", text)
        if read.search(text) and not ends:
            return False
    return True


def cleared_at_the_end(model: ScriptModel, owner: cst.ClassDef, name: str) -> tuple[Plan, ...]:
    """The plan that empties a list where the epoch ends; none where no hook of the class reads it."""
    pattern = re.compile(rf"self\.{name}\b")
    ends = [m for m in methods(owner) if _END.match(m.name.value) and pattern.search(model.code(m.body))]
    body = statements(ends[0].body) if len(ends) == 1 else ()
    last = body[-1] if body else None
    if not isinstance(last, cst.SimpleStatementLine) or leaves(last):
        return ()
    caution = "later epochs then see only their own values"
    title = f"clear `self.{name}` at the end of the epoch"
    return (Plan(Applicability.UNSAFE, title, (InsertAfter(last, f"self.{name}.clear()"),), caution),)
