"""What is done with the scores of attention on the way to the map, as arguments of a fused kernel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import libcst as cst

from memlint.analysis.model import ScriptModel
from memlint.detect.opportunities.attention_arguments import rate_of, seen
from memlint.detect.opportunities.attention_maps import Attention
from memlint.detect.opportunities.attention_products import bare, query_and_key
from memlint.detect.opportunities.plain_numbers import is_infinite, is_number
from memlint.records import dataclass
from memlint.syntax.arguments import keyword
from memlint.syntax.expressions import place

_FILLS = frozenset({"masked_fill", "masked_fill_"})
_SCALING = {"mul": "*", "mul_": "*", "div": "/", "div_": "/"}
_FLOAT32 = frozenset({"torch.float32", "torch.float"})


@dataclass(frozen=True, slots=True)
class Recipe:
    """Scores, or a map once they are `weighed`: the source of each argument of a fused kernel.

    `raised` are numbers of float32 that are to be converted back.
    """

    query: str
    key: str
    scale: str = ""
    mask: str = ""
    dropout: str = ""
    weighed: bool = False
    raised: bool = False


Known = Mapping[str, Recipe]
"""What names of variables hold."""


def recipe(model: ScriptModel, node: cst.BaseExpression, found: Attention, known: Known) -> Recipe | None:
    """What an expression makes of scores; None where it is something else or has no such argument."""
    if node is found.scores:
        factors = query_and_key(model, node)
        return Recipe(*factors) if factors is not None else None
    if isinstance(node, cst.Name):
        return known.get(node.value)
    if isinstance(node, cst.BinaryOperation):
        left, right = (recipe(model, side, found, known) for side in (node.left, node.right))
        if left is not None:
            return combined(model, left, node.operator, node.right)
        commutes = isinstance(node.operator, (cst.Multiply, cst.Add))
        return combined(model, right, node.operator, node.left) if right is not None and commutes else None
    if not isinstance(node, cst.Call):
        return None
    if node is found.softmax:
        return _weighed(model, recipe(model, found.given, found, known), found)
    if isinstance(node.func, cst.Attribute) and not model.path_of(node.func):
        before = recipe(model, node.func.value, found, known)
        if before is not None:
            return _method(model, before, node.func.attr.value, node)
    before = recipe(model, node.args[0].value, found, known) if node.args else None
    if before is None or not before.weighed or before.dropout:
        return None
    dropout = rate_of(model, node)
    return replace(before, dropout=dropout) if dropout else None


def combined(
    model: ScriptModel, before: Recipe, operator: cst.CSTNode, other: cst.BaseExpression
) -> Recipe | None:
    """Scores that are scaled by a number, or that a mask is added to."""
    if before.weighed:
        return None
    if isinstance(operator, (cst.Add, cst.AddAssign)):
        return _biased(model, before, other)
    if before.mask or not is_number(model, other):
        return None
    if isinstance(operator, (cst.Multiply, cst.MultiplyAssign)):
        return replace(before, scale=f"{before.scale} * {bare(model, other)}".removeprefix(" * "))
    if isinstance(operator, (cst.Divide, cst.DivideAssign)):
        return replace(before, scale=f"{before.scale or '1'} / {bare(model, other)}")
    return None


def _biased(model: ScriptModel, before: Recipe, mask: cst.BaseExpression) -> Recipe | None:
    """Scores that a mask of any type is added to: a kernel refuses integers, and takes what is True or False
    for a choice of positions."""
    typed = next((code for code in (before.query, before.key) if code.replace(".", "").isidentifier()), "")
    if before.mask or before.raised or not typed:
        return None
    return replace(before, mask=f"{bare(model, mask)}.to({typed}.dtype)")


def _weighed(model: ScriptModel, before: Recipe | None, found: Attention) -> Recipe | None:
    dtype = keyword(found.softmax, "dtype")
    if before is None or before.weighed or found.dimension not in (-1, 3):
        return None
    if dtype is not None and model.path_of(dtype) not in _FLOAT32:
        return None
    return replace(before, weighed=True, raised=before.raised or dtype is not None)


def _method(model: ScriptModel, before: Recipe, name: str, call: cst.Call) -> Recipe | None:
    given = [arg.value for arg in call.args if arg.keyword is None]
    if name in _FILLS and len(given) == 2 and not before.weighed and not before.mask:
        return replace(before, mask=seen(model, given[0])) if is_infinite(model, given[1]) else None
    if name in _SCALING and len(given) == 1:
        operator = cst.Multiply() if _SCALING[name] == "*" else cst.Divide()
        return combined(model, before, operator, given[0])
    if name == "contiguous":
        return before
    if name == "float" or (name == "to" and given and model.path_of(given[0]) in _FLOAT32):
        return replace(before, raised=True)
    of_other = name == "to" and len(given) == 1 and place(given[0]).endswith(".dtype")
    return replace(before, raised=False) if of_other or name == "type_as" else None
