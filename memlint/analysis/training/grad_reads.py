"""Where a file reads the gradients that backward leaves in `.grad`."""

from __future__ import annotations

import re

import libcst as cst

from memlint.analysis.model import ScriptModel
from memlint.syntax.tree import dotted

_ASKS_FOR_NONE = re.compile(r"\.grad\s+is\s+(not\s+)?None|getattr\([^)]*\bgrad\b")


def grad_reads(model: ScriptModel) -> list[cst.Attribute]:
    """Every `x.grad` that is read, other than the function `torch.autograd.grad`."""
    if "grad" not in model.identifiers:
        return []
    return [
        node
        for node in model.names.every(cst.Attribute)
        if node.attr.value == "grad"
        and not isinstance(model.parent(node), cst.AssignTarget)
        and not _is_function(model, node)
    ]


def _is_function(model: ScriptModel, node: cst.Attribute) -> bool:
    return model.names.one(node).startswith("torch.") or dotted(node).endswith("autograd.grad")


def is_checked_for_none(model: ScriptModel, node: cst.Attribute) -> bool:
    """Whether a read of `.grad` asks for None, or stands where that was asked."""
    for above in model.ancestors(node):
        if isinstance(above, (cst.If, cst.IfExp)) and _ASKS_FOR_NONE.search(model.code(above.test)):
            return True
        if isinstance(above, (cst.CompFor, cst.BaseComp)):
            clauses = above.for_in if isinstance(above, cst.BaseComp) else above
            if any(_ASKS_FOR_NONE.search(model.code(c.test)) for c in clauses.ifs):
                return True
        if isinstance(above, cst.Comparison) and _ASKS_FOR_NONE.search(model.code(above)):
            return True
        if isinstance(above, (cst.FunctionDef, cst.Lambda)):
            return False
    return False


def clears_in_place(model: ScriptModel, node: cst.Attribute) -> bool:
    """Whether a read of `.grad` is that of `p.grad.zero_()`, `p.grad.data.zero_()` or `p.grad.detach_()`."""
    above = model.parent(node)
    if isinstance(above, cst.Attribute) and above.attr.value == "data":
        above = model.parent(above)
    return isinstance(above, cst.Attribute) and above.attr.value in ("zero_", "detach_", "requires_grad_")
