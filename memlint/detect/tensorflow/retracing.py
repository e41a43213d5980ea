"""MTF110: a tf.function is traced or made again, or a graph grows, in each pass of a loop."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.guards import never_runs
from memlint.analysis.fixes.rewrites import indented
from memlint.analysis.match import Label, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.flow import Flow, concerns, flow_of
from memlint.analysis.tensorflow.loop_numbers import loop_of_number
from memlint.analysis.tensorflow.pipelines import tf_name
from memlint.analysis.tensorflow.traced_functions import inside_traced, traced_target
from memlint.catalogue import Rule
from memlint.detect.tensorflow.functions_made_in_loops import functions_made_in_loops
from memlint.detect.tensorflow.new_callables import new_callables
from memlint.detect.tensorflow.number_parameters import takes_tensor
from memlint.detect.tensorflow.operations_in_session_loops import operations_in_session_loops
from memlint.finding import Applicability
from memlint.syntax.arguments import argument_for, parameters

_HEADER = "each pass of this loop brings another value"
_AS_NUMBER = "the function uses it in a way that may fail for a tensor, whose type is not converted"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Calls of traced functions with numbers of a loop, and traced functions that are made in a loop."""
    if not concerns(model):
        return
    flow = flow_of(model)
    seen: set[cst.CSTNode] = set()
    made = (*functions_made_in_loops(flow), *operations_in_session_loops(flow))
    for match in (*_varying(flow), *made, *new_callables(flow)):
        if match.node not in seen and not never_runs(model, match.node):
            seen.add(match.node)
            yield match


# --- values of a loop -----------------------------------------------------------------------------------


def _varying(flow: Flow) -> Iterator[Match]:
    """Arguments of a traced function that are another Python number in each pass of a loop."""
    for call in flow.model.names.calls:
        function = traced_target(flow, call)
        if function is None or inside_traced(flow, call):
            continue
        for name in parameters(function):
            given = argument_for(call, function, name)
            loop = loop_of_number(flow, given, call) if given is not None else None
            if given is None or loop is None:
                continue
            values = {
                "function": function.name.value,
                "argument": flow.model.short(given, 30),
                "parameter": name,
            }
            header = loop.test if isinstance(loop, cst.While) else loop.iter
            works = takes_tensor(flow, function, name, given)
            plan = _plan(flow, given) if works else None
            plans, reason = (plan,) if plan else (), "" if works else _AS_NUMBER
            yield Match(given, values, labels=(Label(_HEADER, header),), plans=plans, no_fix=reason)


def _plan(flow: Flow, given: cst.BaseExpression) -> Plan | None:
    name = tf_name(flow.model, given)
    if not name or isinstance(given, cst.FormattedString):
        return None
    code = f"{name}.constant({indented(flow.model, given, given)})"
    caution = (
        "in the function the argument is then a tensor: Python's `if` and `range` on it change their meaning"
    )
    return Plan(Applicability.UNSAFE, f"pass `{code}`", (Replace(given, code),), caution)
