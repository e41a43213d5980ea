"""Matrices with a one in each row, at the number of a class."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.constants import constant
from memlint.analysis.dataflow.reaching_definitions import reaching_values
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.knowledge import hints
from memlint.analysis.knowledge.size_hints import ACTIONS
from memlint.analysis.model import ScriptModel
from memlint.analysis.shapes.shapes import shape_of
from memlint.syntax.arguments import argument, keyword
from memlint.syntax.expressions import literal, words_of
from memlint.syntax.tree import last_name

CASTS = frozenset("float double half bfloat16 to type type_as cuda cpu contiguous detach".split())
TURNS = frozenset("permute transpose movedim moveaxis".split())
_ONE_HOT = frozenset({"torch.nn.functional.one_hot"})
_FEW = 100
"""Classes of which the vectors are a small matter, where the labels are one for each sample."""


Vectors = tuple[list[cst.BaseExpression], bool]


def vectors_behind(model: ScriptModel, node: cst.BaseExpression) -> Vectors | None:
    """What makes the one-hot matrix that a target is, and whether its dimensions are moved; else None."""
    turned = False
    while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and not _makes(model, node):
        if node.func.attr.value not in CASTS | TURNS:
            return None
        turned = turned or node.func.attr.value in TURNS
        node = node.func.value
    if _makes(model, node):
        return [node], turned
    if not isinstance(node, (cst.Name, cst.Attribute)):
        return None
    parts = [vectors_behind(model, value) for value in reaching_values(model, node)]
    if not parts or None in parts:
        return None
    known = [p for p in parts if p is not None]
    return [n for p in known for n in p[0]], turned or any(p[1] for p in known)


def _makes(model: ScriptModel, node: cst.BaseExpression) -> bool:
    """`F.one_hot(y, n)`, `torch.eye(n)[y]`, `torch.zeros(b, n).scatter_(1, y, 1)`"""
    if isinstance(node, cst.Subscript):
        made = [d.node for d in value_sources(model, node.value)]
        eyes = [m for m in made if isinstance(m, cst.Call) and model.path_of(m.func) == "torch.eye"]
        return len(node.slice) == 1 and bool(made) and len(eyes) == len(made)
    if not isinstance(node, cst.Call):
        return False
    if model.path_of(node.func) in _ONE_HOT:
        return bool(node.args)
    func = node.func
    if not isinstance(func, cst.Attribute) or func.attr.value not in ("scatter", "scatter_"):
        return False
    blank = func.value
    ones = argument(node, 2, "value") or keyword(node, "src")
    zeros = isinstance(blank, cst.Call) and last_name(blank.func) in ("zeros", "zeros_like", "new_zeros")
    return zeros and ones is not None and literal(ones) == 1


def labels_of(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The numbers of the classes that a matrix is made of."""
    if isinstance(node, cst.Call):
        return node.args[0].value if last_name(node.func) == "one_hot" else None
    index = node.slice[0].slice if isinstance(node, cst.Subscript) else None
    return index.value if isinstance(index, cst.Index) else None


def has_few_classes(model: ScriptModel, node: cst.BaseExpression) -> bool:
    """Whether the number of classes is in view, and small, or by their names they are an agent's actions."""
    maker: cst.BaseExpression = node.value if isinstance(node, cst.Subscript) else node
    if isinstance(maker, (cst.Name, cst.Attribute)):
        maker = next(iter(reaching_values(model, maker)), maker)
    if not isinstance(maker, cst.Call):
        return False
    if last_name(maker.func) == "eye":
        width = argument(maker, 0, "n")
    elif last_name(maker.func) == "one_hot":
        width = argument(maker, 1, "num_classes")
    else:
        blank = maker.func.value if isinstance(maker.func, cst.Attribute) else None
        shape = shape_of(model, blank) if blank is not None else None
        return bool(shape) and isinstance(size := shape[-1], int) and size < _FEW  # type: ignore[index]
    number = constant(model, width) if width is not None else None
    if isinstance(number, int):
        return 0 <= number < _FEW
    labels = labels_of(node)
    names = [word for part in (labels, width) if part is not None for word in words_of(part)]
    return any(map(ACTIONS.search, names)) and not any(map(hints.VOCABULARY.search, names))
