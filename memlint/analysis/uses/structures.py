"""Names that code takes apart as no tensor can be: `out.loss`, `out["loss"]`."""

from __future__ import annotations

from collections.abc import Collection

import libcst as cst

from memlint.analysis.knowledge.libraries import SCALAR_ATTRIBUTES
from memlint.analysis.model import ScriptModel
from memlint.syntax.tree import walk

_OF_TENSORS = SCALAR_ATTRIBUTES | frozenset({"grad", "data", "T", "mT", "H", "mH", "real", "imag"})

_OF_OTHERS = frozenset("keys items values pop get update setdefault append extend insert _asdict".split())
"""Methods of dictionaries, lists and records."""


def takes_apart(model: ScriptModel, code: cst.CSTNode, names: Collection[str]) -> bool:
    """Whether code reads a part of one of the names that a tensor does not have, or calls such a method."""
    return any(
        isinstance(node.value, cst.Name) and node.value.value in names and _is_part(model, node)
        for node in walk(code)
        if isinstance(node, (cst.Attribute, cst.Subscript, cst.Arg))
    )


def _is_part(model: ScriptModel, node: cst.Attribute | cst.Subscript | cst.Arg) -> bool:
    if isinstance(node, cst.Arg):
        return node.star == "**"
    if isinstance(node, cst.Attribute):
        parent = model.parent(node)
        is_method = isinstance(parent, cst.Call) and parent.func is node
        return node.attr.value in _OF_OTHERS if is_method else node.attr.value not in _OF_TENSORS
    index = node.slice[0].slice
    return isinstance(index, cst.Index) and isinstance(index.value, cst.SimpleString)
