"""The two products of attention as a fused kernel takes them: a position in each row of the factors."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.model import ScriptModel
from memlint.detect.opportunities.attention_scores import factors_of
from memlint.syntax.expressions import literal
from memlint.syntax.tree import last_name

_EINSUM = "torch.einsum"
_THREE = frozenset({"bmm", "baddbmm"})
"""Products of three dimensions: no fused kernel takes those, they have no heads."""

_TURNING = frozenset({"transpose", "swapaxes"})
_LAST_TWO = ({-1, -2}, {2, 3})
_SIMPLE = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.Integer, cst.Float)


def bare(model: ScriptModel, node: cst.BaseExpression) -> str:
    """The source of an expression, in parentheses where something is to be done with it."""
    code = model.code(node)
    return code if isinstance(node, _SIMPLE) or node.lpar else f"({code})"


def turned(model: ScriptModel, node: cst.BaseExpression) -> str:
    """An expression with its last two dimensions in the other order."""
    back = _turned_back(node)
    return model.code(back) if back is not None else f"{bare(model, node)}.transpose(-2, -1)"


def query_and_key(model: ScriptModel, scores: cst.BaseExpression) -> tuple[str, str] | None:
    """What is multiplied for the scores, both with a position in each row; None where no kernel takes it."""
    if isinstance(scores, cst.Call) and last_name(scores.func) in _THREE:
        return None
    query, key = factors_of(model, scores)
    letters = _letters(model, scores)
    if letters is None:
        return model.code(query), turned(model, key)
    lead, out = _split(letters[2])
    first, second = out[0], out[1]
    one, other = _split(letters[0]), _split(letters[1])
    if not lead == one[0] == other[0]:
        return None
    width = set(one[1]) - {first}
    if set(one[1]) != {first, *width} or set(other[1]) != {second, *width} or len(width) != 1:
        return None
    return _rows(model, query, one[1], first), _rows(model, key, other[1], second)


def values_of(model: ScriptModel, product: cst.BaseExpression) -> tuple[cst.BaseExpression, str, bool] | None:
    """The map and the values of a product of both, and whether its result has a position in each column."""
    factors = factors_of(model, product)
    if len(factors) != 2:
        return None
    letters = _letters(model, product)
    if letters is None:
        return factors[0], model.code(factors[1]), False
    lead, of_map = _split(letters[0])
    first, second = of_map[0], of_map[1]
    values, out = _split(letters[1]), _split(letters[2])
    width = set(values[1]) - {second}
    if not lead == values[0] == out[0] or len(width) != 1 or set(out[1]) != {first, *width}:
        return None
    return factors[0], _rows(model, factors[1], values[1], second), out[1][1] == first


def _turned_back(node: cst.BaseExpression) -> cst.BaseExpression | None:
    if isinstance(node, cst.Attribute) and node.attr.value == "mT":
        return node.value
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return None
    dims = {literal(arg.value) for arg in node.args}
    return node.func.value if node.func.attr.value in _TURNING and dims in _LAST_TWO else None


def _letters(model: ScriptModel, product: cst.BaseExpression) -> tuple[str, str, str] | None:
    """The letters of both factors and of the result of an einsum; None for other products."""
    if not isinstance(product, cst.Call) or model.path_of(product.func) != _EINSUM:
        return None
    equation = literal(product.args[0].value)
    left, _, out = (equation if isinstance(equation, str) else "").replace(" ", "").partition("->")
    first, _, second = left.partition(",")
    return first, second, out


def _split(letters: str) -> tuple[str, str]:
    """The letters before the last two, and these; "??" where there are not two different ones."""
    last = letters[-2:]
    return letters[:-2], last if len(set(last)) == 2 and letters.isalpha() else "??"


def _rows(model: ScriptModel, node: cst.BaseExpression, letters: str, position: str) -> str:
    return model.code(node) if letters[0] == position else turned(model, node)
