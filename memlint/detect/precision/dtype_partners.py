"""Operations that raise unless all their tensors have one dtype, so that none can be cast alone."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.model import ScriptModel
from memlint.analysis.uses.value_uses import Use, uses_of
from memlint.syntax.tree import last_name

_PRODUCTS = frozenset(
    "matmul mm bmm mv dot vdot inner einsum tensordot addmm addmv addbmm baddbmm linear bilinear conv1d "
    "conv2d conv3d cdist".split()
)
_WRITES = frozenset(
    "index_add_ index_add index_copy_ index_copy index_put_ index_put scatter_ scatter scatter_add_ "
    "scatter_add masked_scatter_ masked_scatter".split()
)
_LIMIT = 60


def needs_one_dtype(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a value, or what is computed from it, goes into a product or is written into another tensor."""
    seen: set[cst.CSTNode] = set()
    pending = [node]
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        if len(seen) > _LIMIT:
            return True
        for use in uses_of(model, value):
            if _is_strict(model, value, use):
                return True
            if use.how in ("computed", "method", "part", "argument"):
                pending.append(use.node)
    return False


def _is_strict(model: ScriptModel, value: cst.CSTNode, use: Use) -> bool:
    node = use.node
    if isinstance(node, cst.BinaryOperation):
        return isinstance(node.operator, cst.MatrixMultiply)
    if isinstance(node, cst.Call):
        return last_name(node.func) in _PRODUCTS | _WRITES
    return use.how == "stored" and isinstance(node, cst.Subscript)
