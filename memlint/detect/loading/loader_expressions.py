"""What is written around a loader: what only counts it, what only passes it on."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.match import Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.finding import Applicability
from memlint.syntax.tree import dotted


def is_counted(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether batches are gathered to be counted: `len(list(loader))`, `len([batch for batch in loader])`"""
    above = model.parent(model.parent(node) or node)
    return isinstance(above, cst.Call) and dotted(above.func) == "len"


def wrapped_loader(model: ScriptModel, node: cst.BaseExpression) -> cst.BaseExpression:
    """The loader inside `iter(loader)`, `tqdm(loader)` and the like."""
    while isinstance(node, cst.Call) and node.args and dotted(node.func) in ("iter", "tqdm", "enumerate"):
        node = node.args[0].value
    return node


def its_length(model: ScriptModel, node: cst.Call) -> Plan | None:
    """`len(loader)` for `len(list(loader))`; None where another call stands around the list."""
    if not is_counted(model, node) or len(node.args) != 1:
        return None
    change = Replace(node, model.code(node.args[0].value))
    caution = "a loader over an iterable data set may have no length"
    return Plan(Applicability.UNSAFE, "ask the loader for its length", (change,), caution)
