"""Whether the code that makes data shows that it is small."""

from __future__ import annotations

from math import prod

import libcst as cst

from memlint.analysis.dataflow.constants import constant
from memlint.analysis.dataflow.value_sources import expressions_behind
from memlint.analysis.knowledge import data_hints, libraries
from memlint.analysis.model import ScriptModel
from memlint.syntax.expressions import calls_in, speaks_of
from memlint.syntax.tree import last_name

_GRIDS = ("linspace", "arange", "meshgrid", "eye", "tensor", "zeros_like")
_ARRAYS = frozenset({"random", "normal", "uniform", "standard_normal"})
_FEW = 16 << 20
"""Elements (64 MiB in float32) that fit beside any model."""


def is_small(model: ScriptModel, node: cst.BaseExpression, depth: int = 5) -> bool:
    """Whether data is known to be small, or of integers, by the code that makes it."""
    if speaks_of(node, data_hints.SMALL_DATA):
        return True
    for call in calls_in(node):
        name, method = last_name(call.func), isinstance(call.func, cst.Attribute)
        if (method and name in ("long", "int")) or (name in _GRIDS and model.path_of(call.func)):
            return True
        if 0 < _elements(model, call) < _FEW:
            return True
    names = [n for n in model.walk(node) if isinstance(n, cst.Name)] if depth else []
    return any(_is_given_small(model, name, depth - 1) for name in names)


def _is_given_small(model: ScriptModel, name: cst.Name, depth: int) -> bool:
    """Whether everything that a name stands for is small, also what the calls of its function pass."""
    found = [n for n in expressions_behind(model, name) if n is not name]
    return bool(found) and all(isinstance(n, cst.BaseExpression) and is_small(model, n, depth) for n in found)


def _elements(model: ScriptModel, call: cst.Call) -> int:
    """How many elements a call makes, where all sizes are numbers that the file gives; 0 for others."""
    makes = model.path_of(call.func).startswith(("torch.", "numpy."))
    if not makes or last_name(call.func) not in libraries.FACTORIES | _ARRAYS:
        return 0
    given = [arg.value for arg in call.args if arg.keyword is None or arg.keyword.value == "size"]
    if len(given) == 1 and isinstance(given[0], (cst.Tuple, cst.List)):
        given = [element.value for element in given[0].elements]
    sizes = [constant(model, value) for value in given]
    return prod(s for s in sizes if isinstance(s, int)) if all(isinstance(s, int) for s in sizes) else 0
