"""Attention written by hand: a product of queries and keys, a softmax, and a product with values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from memlint.analysis.dataflow.definitions import Definition
from memlint.analysis.dataflow.liveness import variable
from memlint.analysis.dataflow.reaching_definitions import reaching_definitions
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.syntax.expressions import literal, place, speaks_of
from memlint.syntax.tree import last_name

_SOFTMAX = frozenset({"torch.softmax", "torch.nn.functional.softmax", "torch.special.softmax"})
_PRODUCTS = frozenset({"torch.matmul", "torch.bmm", "torch.einsum", "torch.baddbmm"})
_METHODS = frozenset({"matmul", "bmm"})
_SCALES = (cst.Multiply, cst.Divide)
_SHIFTS = (cst.Add, cst.Subtract)
_SCALED = (cst.MultiplyAssign, cst.DivideAssign)
_FILLS = frozenset({"masked_fill", "masked_fill_"})
_KEEPS = frozenset(
    "float half bfloat16 to type type_as contiguous view reshape div div_ mul mul_ clone unsqueeze".split()
)
_TURNS = frozenset({"transpose", "permute", "swapaxes", "t", *_KEEPS})
_SIZES = frozenset({"shape", "size", "dtype", "device", "dim", "ndim"})
_DEPTH = 12


@dataclass(frozen=True, slots=True, eq=False)
class Attention:
    """A map of attention: the product that makes its scores, and the softmax over them."""

    scores: cst.BaseExpression
    softmax: cst.Call


def attentions(model: ScriptModel) -> Iterator[Attention]:
    """The maps of attention that nothing but the product with the values reads."""
    for call in model.names.calls:
        given = _softened(model, call)
        scores = _product_behind(model, given, _DEPTH) if given is not None else None
        if scores is not None and _only_weighs(model, call, _DEPTH):
            yield Attention(scores, call)


def _softened(model: ScriptModel, call: cst.Call) -> cst.BaseExpression | None:
    """What a call takes the softmax of, over the last dimension."""
    func = call.func
    path = model.path_of(func)
    if path in _SOFTMAX:
        given, rest = (call.args[0].value if call.args else None), call.args[1:]
    elif isinstance(func, cst.Attribute) and func.attr.value == "softmax" and not path:
        given, rest = func.value, call.args
    else:
        made = [o.node for o in value_sources(model, func) if isinstance(o.node, cst.Call)]
        if not made or any(model.path_of(m.func) != "torch.nn.Softmax" for m in made) or not call.args:
            return None
        given, rest = call.args[0].value, made[0].args
    dims = [a.value for a in rest if a.keyword is None or a.keyword.value == "dim"]
    return given if dims and literal(dims[0]) in (-1, 2, 3) else None


def _product_behind(model: ScriptModel, node: cst.BaseExpression, depth: int) -> cst.BaseExpression | None:
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
    if _factors(model, node):
        return node if _is_of_activations(model, node) else None
    if path == "torch.where" and len(node.args) == 3:
        sides = [_product_behind(model, a.value, depth - 1) for a in node.args[1:]]
        return sides[0] or sides[1]
    if isinstance(node.func, cst.Attribute) and not path and name in _KEEPS | _FILLS | {"add", "add_"}:
        masks = name not in ("add", "add_") or all(_is_mask(a.value) for a in node.args)
        return _product_behind(model, node.func.value, depth - 1) if masks else None
    return None


def _behind_definition(model: ScriptModel, found: Definition, depth: int) -> cst.BaseExpression | None:
    if found.kind == "value" and isinstance(found.node, cst.BaseExpression):
        return _product_behind(model, found.node, depth - 1)
    if found.kind == "updated" and isinstance(found.node, cst.AugAssign):
        change = found.node
        if isinstance(change.operator, _SCALED) or _is_mask(change.value):
            return _product_behind(model, change.target, depth - 1)
    return None


def _behind_operation(model: ScriptModel, node: cst.BinaryOperation, depth: int) -> cst.BaseExpression | None:
    if isinstance(node.operator, cst.MatrixMultiply):
        return node if _is_of_activations(model, node) else None
    left, right = (_product_behind(model, side, depth - 1) for side in (node.left, node.right))
    if isinstance(node.operator, _SCALES):
        return left or right
    if isinstance(node.operator, _SHIFTS):
        return left if left is not None and _is_mask(node.right) else right if _is_mask(node.left) else None
    return None


def _is_mask(node: cst.BaseExpression) -> bool:
    return speaks_of(node, hints.ATTENTION_MASK)


def _factors(model: ScriptModel, node: cst.CSTNode) -> list[cst.BaseExpression]:
    """The factors of a product of matrices."""
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.MatrixMultiply):
        return [node.left, node.right]
    if not isinstance(node, cst.Call):
        return []
    given = [a.value for a in node.args if a.keyword is None and a.star == ""]
    if model.path_of(node.func) in _PRODUCTS:
        return [g for g in given if not isinstance(g, (cst.SimpleString, cst.ConcatenatedString))][-2:]
    if isinstance(node.func, cst.Attribute) and node.func.attr.value in _METHODS:
        return [node.func.value, *given[:1]]
    return []


def _is_of_activations(model: ScriptModel, node: cst.BaseExpression) -> bool:
    """Whether neither factor is a weight of the module: `x @ self.gate` scores experts, not positions.

    Nor a plain matrix, which alone has `.t()`: the rows of a batch against a few centres.
    """
    factors = _factors(model, node)
    if len(factors) != 2 or any(isinstance(f, cst.Call) and last_name(f.func) == "t" for f in factors):
        return False
    return not any(place(_turned(f)).startswith("self.") for f in factors)


def _turned(node: cst.BaseExpression) -> cst.BaseExpression:
    """What `.transpose(-2, -1)` and the like were called on."""
    while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        if node.func.attr.value not in _TURNS:
            break
        node = node.func.value
    return node.value if isinstance(node, cst.Attribute) and node.attr.value in ("T", "mT") else node


# --- what becomes of the map --------------------------------------------------------------------------


def _only_weighs(model: ScriptModel, node: cst.CSTNode, depth: int) -> bool:
    """Whether the value of an expression goes into a product of matrices, or dropout before it, and no
    further."""
    above = model.parent(node)
    if isinstance(above, cst.Arg):
        call = model.parent(above)
        if isinstance(call, cst.Call) and above.keyword is None:
            if _factors(model, call):
                return True
            dropped = call.args[0] is above and speaks_of(call.func, hints.DROPOUT)
            return dropped and _only_weighs(model, call, depth)
        return False
    if isinstance(above, cst.BinaryOperation):
        return isinstance(above.operator, cst.MatrixMultiply)
    if isinstance(above, cst.Attribute):
        call = model.parent(above)
        if above.attr.value in _METHODS:
            return isinstance(call, cst.Call)
        return above.attr.value in _TURNS and isinstance(call, cst.Call) and _only_weighs(model, call, depth)
    if isinstance(above, cst.Assign) and len(above.targets) == 1 and depth > 0:
        target = above.targets[0].target
        return isinstance(target, cst.Name) and _reads_only_weigh(model, above, target, depth)
    return False


def _reads_only_weigh(model: ScriptModel, line: cst.Assign, target: cst.Name, depth: int) -> bool:
    found = variable(model, target, target.value)
    statement = model.statement_of(line)
    if found is None or found.captured or statement is None:
        return False
    reads = [r for r in found.reads_after(statement) if not _is_size(model, r)]
    return bool(reads) and all(_only_weighs(model, read, depth - 1) for read in reads)


def _is_size(model: ScriptModel, read: cst.CSTNode) -> bool:
    above = model.parent(read)
    return isinstance(above, cst.Attribute) and above.attr.value in _SIZES
