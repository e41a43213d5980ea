"""What is written around a loader: what only counts it, what only passes it on."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.model import ScriptModel
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
