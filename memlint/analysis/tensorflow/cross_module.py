"""Functions and classes of other modules of the project that a file calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import libcst as cst

from memlint.analysis.dataflow.cross_module import unit_behind
from memlint.analysis.dataflow.definitions import FunctionOrClass
from memlint.analysis.model import ScriptModel

_MOST = 60


def cross_module_definitions(model: ScriptModel, func: cst.CSTNode) -> tuple[FunctionOrClass, ...]:
    """The definition in another module that an expression means, as long as not too much has been read."""
    if not isinstance(func, (cst.Name, cst.Attribute)):
        return ()
    found = unit_behind(model, func)
    body = found.body if found is not None else ()
    return tuple(s for s in body if isinstance(s, (cst.FunctionDef, cst.ClassDef)))


def cross_module_calls(
    model: ScriptModel,
    callees: Callable[[cst.Call], tuple[FunctionOrClass, ...]],
    methods: Callable[[cst.ClassDef], dict[str, cst.FunctionDef]],
) -> Iterator[cst.Call]:
    """The calls that functions of other modules make, when the file's own calls lead to them."""
    pending = [found for call in model.names.calls for found in callees(call)]
    seen: set[cst.CSTNode] = set()
    while pending and len(seen) < _MOST:
        found = pending.pop()
        function = methods(found).get("__init__") if isinstance(found, cst.ClassDef) else found
        if function is None or function in seen or model.owns(function):
            continue
        seen.add(function)
        for call in (n for n in model.walk(function.body) if isinstance(n, cst.Call)):
            yield call
            pending += callees(call)
