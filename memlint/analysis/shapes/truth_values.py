"""Whether a tensor holds truth values, which take one byte each: masks."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.reaching_definitions import reaching_values
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.syntax.expressions import place
from memlint.syntax.tree import last_name

_ASKING = frozenset(
    "bool eq ne lt le gt ge isnan isinf isfinite isin logical_not logical_and logical_or logical_xor".split()
)
_ORDERING = frozenset(
    "unsqueeze squeeze view reshape transpose permute t flatten expand expand_as repeat contiguous detach "
    "clone cuda cpu to triu tril".split()
)
_BITS = (cst.BitAnd, cst.BitOr, cst.BitXor)


def holds_truth(model: ScriptModel, node: cst.BaseExpression, depth: int = 8) -> bool:
    """Whether the elements of an expression's value are the results of comparisons, or named a mask.

    A mask by its name alone counts where nothing says what made it.
    """
    if depth == 0:
        return False
    match node:
        case cst.Comparison() | cst.UnaryOperation(operator=cst.Not()):
            return True
        case cst.UnaryOperation(operator=cst.BitInvert()):
            return True
        case cst.BinaryOperation() if isinstance(node.operator, _BITS):
            return True
        case cst.Subscript():
            return holds_truth(model, node.value, depth - 1)
        case cst.Call():
            return _called(model, node, depth)
    known = reaching_values(model, node) if place(node) else []
    if known:
        return all(holds_truth(model, value, depth - 1) for value in known)
    return bool(hints.MASK.search(last_name(node)))


def _called(model: ScriptModel, call: cst.Call, depth: int) -> bool:
    name = last_name(call.func)
    if name in _ASKING:
        return True
    of_torch = model.path_of(call.func).startswith("torch.")
    owner = call.func.value if isinstance(call.func, cst.Attribute) and not of_torch else None
    inner = call.args[0].value if of_torch and call.args else owner
    if inner is None or name not in _ORDERING:
        return bool(not of_torch and hints.MASK.search(name))
    return holds_truth(model, inner, depth - 1)
