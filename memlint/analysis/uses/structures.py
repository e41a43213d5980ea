"""Names that code takes apart as no tensor can be: `out.loss`, `out["loss"]`."""

from __future__ import annotations

from collections.abc import Collection

import libcst as cst

from memlint.analysis.knowledge.libraries import SCALAR_ATTRIBUTES
from memlint.analysis.model import ScriptModel
from memlint.syntax.tree import walk

_OF_TENSORS = SCALAR_ATTRIBUTES | frozenset({"grad", "data", "T", "mT", "H", "mH", "real", "imag"})


def takes_apart(model: ScriptModel, code: cst.CSTNode, names: Collection[str]) -> bool:
    """Whether code reads a part of one of the names that a tensor does not have."""
    return any(
        isinstance(node.value, cst.Name) and node.value.value in names and _is_part(model, node)
        for node in walk(code)
        if isinstance(node, (cst.Attribute, cst.Subscript))
    )


def _is_part(model: ScriptModel, node: cst.Attribute | cst.Subscript) -> bool:
    if isinstance(node, cst.Attribute):
        parent = model.parent(node)
        is_method = isinstance(parent, cst.Call) and parent.func is node
        return not is_method and node.attr.value not in _OF_TENSORS
    index = node.slice[0].slice
    return isinstance(index, cst.Index) and isinstance(index.value, cst.SimpleString)
