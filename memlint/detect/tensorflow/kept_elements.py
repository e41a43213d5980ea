"""Whether the elements of a list may become NumPy arrays."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.functions import returned
from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.keras import no_array
from memlint.analysis.training.containers import without_entry
from memlint.syntax.expressions import calls_in
from memlint.syntax.tree import dotted

_TENSORS_ONLY = frozenset(
    {"numpy", "device", "get_shape", "set_shape", "op", "graph", "ref", "backing_device"}
)
"""Methods and attributes of a TensorFlow tensor that `numpy.ndarray` lacks."""

_READ = "what reads the list calls methods of tensors"


def reason_to_keep_tensors(flow: Flow, owner: cst.BaseExpression, value: cst.BaseExpression) -> str:
    """Why what a list gets cannot be turned into arrays, "" where nothing in the file is against it."""
    calls = [s for s in flow.sources(value) if isinstance(s, cst.Call)]
    reason = next((reason for call in calls if (reason := no_array(flow, call, call.func))), "")
    if reason:
        return reason
    container = without_entry(owner)
    made = set(flow.sources(container))
    for read in flow.model.names.every(cst.Attribute):
        if read.attr.value in _TENSORS_ONLY and _is_element(flow, read.value, dotted(container), made):
            return _READ
    return ""


def _is_element(flow: Flow, node: cst.BaseExpression, name: str, made: set[cst.CSTNode]) -> bool:
    """Whether an expression is an element of a list, by index or as the variable of a loop over it."""
    if isinstance(node, cst.Subscript):
        if _is_element(flow, node.value, name, made):
            return True  # `row[0]` of a `row` in the list
        iterated: list[cst.CSTNode] = [node.value]
    else:
        found = (d for d in flow.definitions(node) if d.kind in ("each", "each item", "item"))
        iterated = [part for d in found for part in _given(d.node)]
    return any(
        (isinstance(i, cst.Attribute) and dotted(i) == name) or made & set(flow.sources(i)) for i in iterated
    )


def _given(iterated: cst.CSTNode) -> list[cst.CSTNode]:
    """What is iterated: the list itself, or the arguments of `zip`, `enumerate` and the like."""
    if isinstance(iterated, cst.Call):
        return [iterated, *(a.value for a in iterated.args)]
    return [iterated]


def made_by(flow: Flow, call: cst.Call, value: cst.BaseExpression, output: cst.CSTNode) -> cst.CSTNode | None:
    """What tells which loop makes a value that a call puts away: the call of the model, or the value where a
    function runs the model; None where that function may give an array."""
    if flow.model.function_of(output) is flow.model.function_of(call):
        return output
    return None if _is_converted(flow, value) else value


def _is_converted(flow: Flow, value: cst.CSTNode, depth: int = 4) -> bool:
    """Whether a function on the way to a value calls `.numpy()`: what it returns may be an array."""
    made = [d.node for d in flow.definitions(value)] if isinstance(value, cst.Name) else [value]
    for call in (node for node in made if depth and isinstance(node, cst.Call)):
        for function in flow.graph.callees(call):
            given = returned(flow.model, function) if isinstance(function, cst.FunctionDef) else []
            if any(calls_in(function, "numpy")) or any(_is_converted(flow, g, depth - 1) for g in given):
                return True
    return False
