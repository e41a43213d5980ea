"""Whole data sets in pinned memory."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.knowledge import data_hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.shapes.shapes import shape_of
from memlint.analysis.uses.value_uses import Use, uses_of
from memlint.syntax.tree import last_name

_LOOPS = (cst.For, cst.While, cst.BaseComp, cst.Lambda)
_OF_BATCHES = frozenset({"pin_memory", "__getitem__", "collate_fn", "__call__"})
_SMALL = 16 << 20
"""Elements (64 MiB in float32) that may well be pinned."""


def pinned_data(model: ScriptModel) -> Iterator[tuple[cst.Call, int]]:
    """The calls of `pin_memory()` on a tensor that batches are taken from, with its elements (0: unknown)."""
    for call in model.names.calls:
        func = call.func
        if not isinstance(func, cst.Attribute) or func.attr.value != "pin_memory" or model.path_of(func):
            continue
        if any(isinstance(above, _LOOPS) for above in model.ancestors(call)) or _is_of_batch(model, call):
            continue
        if any(_is_source(model, use) for use in uses_of(model, call)):
            elements = _elements(model, func.value)
            if not 0 < elements < _SMALL:
                yield call, elements


def _is_of_batch(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a batch pins itself, as DataLoader asks it to, or a function gets it."""
    function = model.function_of(call)
    return function is not None and function.name.value in _OF_BATCHES


def _is_source(model: ScriptModel, use: Use) -> bool:
    """Whether batches are taken from a tensor: it is a data set's, or cut into pieces in a loop."""
    if use.how == "argument" and isinstance(use.node, cst.Call):
        return last_name(use.node.func) == "TensorDataset"
    if use.how == "part":
        return any(isinstance(above, (cst.For, cst.While)) for above in model.ancestors(use.node))
    return use.how == "stored" and data_hints.WHOLE_DATASET.search(last_name(use.node)) is not None


def _elements(model: ScriptModel, node: cst.BaseExpression) -> int:
    shape = shape_of(model, node) or (None,)
    count = 1
    for size in shape:
        count *= size if isinstance(size, int) else 0
    return count
