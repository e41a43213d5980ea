"""Taking back the cast of a model to half precision, where nothing else of the file counts on it."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.fixes.rewrites import indented
from memlint.analysis.match import Change, Remove, Replace
from memlint.analysis.model import ScriptModel
from memlint.syntax.expressions import literal, same

_HALVES = frozenset({"half", "float16", "HalfTensor", "bfloat16"})


def is_only_half(model: ScriptModel) -> bool:
    """Whether a file speaks of half precision once: what else is cast would not match the parameters."""
    names = sum(node.value in _HALVES for node in model.names.every(cst.Name))
    return names + sum(literal(node) in _HALVES for node in model.names.every(cst.SimpleString)) == 1


def belongs_together(model: ScriptModel, cast: cst.CSTNode, forward: cst.CSTNode) -> bool:
    """Whether the cast is unconditional, in the function of the loop, and the only half in the file."""
    conditional = any(isinstance(above, (cst.If, cst.IfExp)) for above in model.ancestors(cast))
    return not conditional and is_only_half(model) and model.function_of(cast) is model.function_of(forward)


def without_cast(model: ScriptModel, node: cst.CSTNode) -> Change | None:
    """The change that takes `.half()` back: all of `net.half()`, or the call in a longer expression."""
    if (
        not isinstance(node, cst.Call)
        or not isinstance(node.func, cst.Attribute)
        or node.func.attr.value != "half"
    ):
        return None
    parent = model.parent(node)
    line = model.statement_of(node)
    alone = isinstance(parent, cst.Expr) or (
        isinstance(parent, cst.Assign)
        and len(parent.targets) == 1
        and same(parent.targets[0].target, node.func.value)
    )
    if alone and line is not None:
        return Remove(model.own_statement_of(node) or line)
    return Replace(node, indented(model, node, node.func.value))
