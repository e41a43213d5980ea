"""MTF109: a whole data set in memory is copied into a dataset or a graph."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.guards import never_runs
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.flow import Flow, concerns, flow_of
from memlint.analysis.tensorflow.keras import last, led_to
from memlint.analysis.tensorflow.traced_functions import becomes_graph
from memlint.catalogue import Rule
from memlint.detect.tensorflow.array_sizes import parts_of
from memlint.detect.tensorflow.large_arrays import large_source
from memlint.syntax.arguments import argument
from memlint.syntax.tree import dotted

_SLICES = ("tf.data.Dataset.from_tensor_slices", "tf.data.Dataset.from_tensors")
_CONSTANTS = ("tf.constant", "tf.convert_to_tensor")


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Large arrays given to from_tensor_slices, or captured by functions as constants."""
    if not concerns(model):
        return
    flow = flow_of(model)
    slices = (c for c in led_to(flow, *map(last, _SLICES)) if flow.api(c.func) in _SLICES)
    for call in slices:
        given = argument(call, 0, "tensors")
        for part in parts_of(given) if given is not None else ():
            made = large_source(flow, part, 5)
            if made is not None and not never_runs(model, call):
                values = {"array": model.short(part, 30), "function": last(flow.api(call.func))}
                yield Match(call, values, "default", _labels(made, part))
                break
    yield from _captured(flow)


def _labels(made: cst.CSTNode, part: cst.CSTNode) -> tuple[Label, ...]:
    return (Label("the whole array is made here", made),) if made is not part else ()


# --- constants ------------------------------------------------------------------------------------------


def _captured(flow: Flow) -> Iterator[Match]:
    """Large constants that a traced function or a mapped lambda reads from outside."""
    for call in flow.calls_of(*_CONSTANTS):
        given = argument(call, 0, "value")
        made = large_source(flow, given, 5) if given is not None else None
        parent = flow.model.parent(call)
        if made is None or given is None or not isinstance(parent, cst.Assign):
            continue
        name = dotted(parent.targets[0].target)
        use = next((n for n in _reads(flow, name) if _is_traced(flow, n, call)), None)
        if use is not None and not never_runs(flow.model, call):
            values = {"array": flow.model.short(given, 30), "name": name}
            yield Match(call, values, "captured", (Label("becomes part of the graph here", use),))


def _reads(flow: Flow, name: str) -> Iterator[cst.CSTNode]:
    return (node for node in flow.model.names.every(cst.Name) if node.value == name)


def _is_traced(flow: Flow, node: cst.CSTNode, call: cst.Call) -> bool:
    """Whether a node stands in a function that becomes a graph, other than the one of the constant."""
    for above in flow.model.ancestors(node):
        if isinstance(above, cst.Lambda):
            arg = flow.model.parent(above)
            mapped = flow.model.parent(arg) if arg is not None else None
            func = mapped.func if isinstance(mapped, cst.Call) else None
            return isinstance(func, cst.Attribute) and func.attr.value in ("map", "filter", "flat_map")
        if isinstance(above, cst.FunctionDef):
            return becomes_graph(flow, above) and flow.model.function_of(call) is not above
    return False
