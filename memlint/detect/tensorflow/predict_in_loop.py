"""MTF111: `predict` is called for one input after the other."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.guards import never_runs
from memlint.analysis.fixes.rewrites import indented
from memlint.analysis.match import Label, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.flow import Flow, concerns, flow_of
from memlint.analysis.tensorflow.keras import (
    batch_hook,
    cross_module_method_calls,
    gives_one,
    method_calls,
    model_kind,
    no_array,
    takes_as_keras_does,
)
from memlint.analysis.tensorflow.repeats import bound_by
from memlint.analysis.tensorflow.traced_functions import inside_traced
from memlint.catalogue import Rule
from memlint.detect.tensorflow.inputs_one_by_one import per_item
from memlint.finding import Applicability
from memlint.project.gate import TENSORFLOW
from memlint.syntax.arguments import argument

_UNKNOWN = "nothing here shows that the model has one output, or the input is no single array"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Calls of `predict` in loops whose passes each bring one input or batch."""
    if not concerns(model):
        return
    flow = flow_of(model)
    for call, owner in (*method_calls(flow, "predict"), *cross_module_method_calls(flow, "predict")):
        given = argument(call, 0, "x")
        kind = model_kind(flow, owner)
        if given is None or kind == "no" or never_runs(model, call):
            continue
        if kind == "maybe" and not model.imports(*TENSORFLOW):
            continue  # other libraries have a `model.predict` as well
        if argument(call, 3, "steps") is not None or not takes_as_keras_does(flow, call):
            continue
        if isinstance(argument(call, 1, "batch_size"), (cst.Name, cst.Attribute)):
            continue  # whoever chooses a batch size gives more than one batch
        loop = per_item(flow, call, owner, given)
        hook = batch_hook(flow, call) if loop is None else None
        if loop is not None:
            header = loop.test if isinstance(loop, cst.While) else loop.iter
            label = Label("once in each pass of this loop", header)
        elif hook is not None:
            label = Label("called for every batch", hook.name)
        else:
            continue
        values = {"model": model.short(owner), "input": model.short(given, 30)}
        refused = no_array(flow, call, owner)
        same = loop in flow.loops(call) and loop is not None and not bound_by(flow, given, loop)
        # What each pass predicts again may be a data set or a generator.
        plan = None if refused or same or inside_traced(flow, call) else _plan(flow, call, owner, given)
        plans = (plan,) if plan else ()
        yield Match(call, values, labels=(label,), plans=plans, no_fix=refused or _UNKNOWN)


def _plan(flow: Flow, call: cst.Call, owner: cst.BaseExpression, given: cst.BaseExpression) -> Plan | None:
    """Call the model itself, where nothing but the input and `verbose` is given."""
    extra = [a for a in call.args if a.value is not given]
    if any(a.star or a.keyword is None or a.keyword.value != "verbose" for a in extra):
        return None
    if model_kind(flow, owner) != "yes" or not gives_one(flow, call, owner):
        return None
    if isinstance(given, (cst.List, cst.Dict)):
        return None
    network, value = (indented(flow.model, call, part) for part in (owner, given))
    code = f"{network}({value}, training=False).numpy()"
    caution = "right for one input array; the input must be an array or a tensor"
    return Plan(Applicability.UNSAFE, "call the model itself", (Replace(call, code),), caution)
