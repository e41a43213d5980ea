"""The product of queries and keys that the scores of attention come from."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.definitions import Definition
from memlint.analysis.dataflow.reaching_definitions import reaching_definitions
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.syntax.expressions import place, speaks_of
from memlint.syntax.tree import last_name

_PRODUCTS = frozenset({"torch.matmul", "torch.bmm", "torch.einsum", "torch.baddbmm"})
METHODS = frozenset({"matmul", "bmm"})
_SCALES = (cst.Multiply, cst.Divide)
_SHIFTS = (cst.Add, cst.Subtract)
_SCALED = (cst.MultiplyAssign, cst.DivideAssign)
_FILLS = frozenset({"masked_fill", "masked_fill_"})
_KEEPS = frozenset(
    "float half bfloat16 to type type_as contiguous view reshape div div_ mul mul_ clone unsqueeze".split()
)
TURNS = frozenset({"transpose", "permute", "swapaxes", "t", *_KEEPS})


def product_behind(model: ScriptModel, node: cst.BaseExpression, depth: int) -> cst.BaseExpression | None:
    """The product of two activations that scores come from, scaled and masked at most."""
    if depth == 0:
        return None
    if isinstance(node, (cst.Name, cst.Attribute)) and place(node):
        found = [_behind_definition(model, d, depth) for d in reaching_definitions(model, node)]
        return found[-1] if found and None not in found else None
    if isinstance(node, cst.BinaryOperation):
        return _behind_operation(model, node, depth)
    if not isinstance(node, cst.Call):
        return None
    name, path = last_name(node.func), model.path_of(node.func)
    if factors_of(model, node):
        return node if _is_of_activations(model, node) else None
    if path == "torch.where" and len(node.args) == 3:
        sides = [product_behind(model, a.value, depth - 1) for a in node.args[1:]]
        return sides[0] or sides[1]
    if isinstance(node.func, cst.Attribute) and not path and name in _KEEPS | _FILLS | {"add", "add_"}:
        masks = name not in ("add", "add_") or all(_is_mask(a.value) for a in node.args)
        return product_behind(model, node.func.value, depth - 1) if masks else None
    return None


def _behind_definition(model: ScriptModel, found: Definition, depth: int) -> cst.BaseExpression | None:
    if found.kind == "value" and isinstance(found.node, cst.BaseExpression):
        return product_behind(model, found.node, depth - 1)
    if found.kind == "updated" and isinstance(found.node, cst.AugAssign):
        change = found.node
        if isinstance(change.operator, _SCALED) or _is_mask(change.value):
            return product_behind(model, change.target, depth - 1)
    return None


def _behind_operation(model: ScriptModel, node: cst.BinaryOperation, depth: int) -> cst.BaseExpression | None:
    if isinstance(node.operator, cst.MatrixMultiply):
        return node if _is_of_activations(model, node) else None
    left, right = (product_behind(model, side, depth - 1) for side in (node.left, node.right))
    if isinstance(node.operator, _SCALES):
        return left or right
    if isinstance(node.operator, _SHIFTS):
        return left if left is not None and _is_mask(node.right) else right if _is_mask(node.left) else None
    return None


def _is_mask(node: cst.BaseExpression) -> bool:
    return speaks_of(node, hints.ATTENTION_MASK)


def factors_of(model: ScriptModel, node: cst.CSTNode) -> list[cst.BaseExpression]:
    """The factors of a product of matrices."""
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.MatrixMultiply):
        return [node.left, node.right]
    if not isinstance(node, cst.Call):
        return []
    given = [a.value for a in node.args if a.keyword is None and a.star == ""]
    if model.path_of(node.func) in _PRODUCTS:
        return [g for g in given if not isinstance(g, (cst.SimpleString, cst.ConcatenatedString))][-2:]
    if isinstance(node.func, cst.Attribute) and node.func.attr.value in METHODS:
        return [node.func.value, *given[:1]]
    return []


def _is_of_activations(model: ScriptModel, node: cst.BaseExpression) -> bool:
    """Whether neither factor is a weight of the module: `x @ self.gate` scores experts, not positions.

    Nor a plain matrix, which alone has `.t()`: the rows of a batch against a few centres.
    """
    factors = factors_of(model, node)
    if len(factors) != 2 or any(isinstance(f, cst.Call) and last_name(f.func) == "t" for f in factors):
        return False
    return not any(place(_turned(f)).startswith("self.") for f in factors)


def _turned(node: cst.BaseExpression) -> cst.BaseExpression:
    """What `.transpose(-2, -1)` and the like were called on."""
    while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        if node.func.attr.value not in TURNS:
            break
        node = node.func.value
    return node.value if isinstance(node, cst.Attribute) and node.attr.value in ("T", "mT") else node
