"""Arguments of traced functions that are a new function in each pass of a loop."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.program_points import LoopNode
from memlint.analysis.match import Label, Match
from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.repeats import is_short
from memlint.analysis.tensorflow.traced_functions import inside_traced, traced_target
from memlint.syntax.arguments import argument_for, parameters
from memlint.syntax.tree import dotted


def new_callables(flow: Flow) -> Iterator[Match]:
    """Methods and lambdas that a loop gives to a traced function: `net.step` is another object each time that
    it is written, and a traced function tells objects apart by their identity."""
    for call in flow.model.names.calls:
        function = traced_target(flow, call)
        loop = _loop_around(flow, call) if function is not None else None
        if function is None or loop is None or inside_traced(flow, call):
            continue
        for name in parameters(function):
            given = argument_for(call, function, name)
            if given is None or not (isinstance(given, cst.Lambda) or _is_bound_method(flow, given)):
                continue
            values = {"function": function.name.value, "argument": flow.model.short(given, 30)}
            header = loop.test if isinstance(loop, cst.While) else loop.iter
            yield Match(given, values, "callable", (Label("made again in each pass", header),))


def _loop_around(flow: Flow, call: cst.Call) -> LoopNode | None:
    """The loop that runs a call again and again: around it, or around calls of its function."""
    for run in flow.runs(call):
        for loop in reversed(run):
            if not is_short(flow, loop):
                return loop
    return None


def _is_bound_method(flow: Flow, given: cst.BaseExpression) -> bool:
    """Whether an attribute is a method of an object whose class is in view."""
    if not isinstance(given, cst.Attribute) or not dotted(given) or flow.api(given):
        return False
    methods = [flow.graph.methods(owner).get(given.attr.value) for owner in flow.graph.classes(given.value)]
    kinds = {dotted(d.decorator) for m in methods if m is not None for d in m.decorators}
    return any(methods) and not any(kind.endswith(_NO_METHODS) for kind in kinds)


_NO_METHODS = ("staticmethod", "property", ".setter")
