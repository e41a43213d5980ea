"""Methods of Keras models that Keras 3 no longer has: `model.fit_generator(...)`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.api import Table
from memlint.analysis.match import Match
from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.keras import method_calls, model_kind
from memlint.detect.tensorflow.api_fixes import fit_plan

_METHODS = ("fit_generator", "predict_generator", "evaluate_generator", "predict_classes")


def removed_methods(flow: Flow, table: Table) -> Iterator[Match]:
    """Calls of them on what is a Keras model, or named like one."""
    own = {n.name.value for n in flow.model.names.every(cst.FunctionDef)}
    for call, owner in method_calls(flow, *(m for m in _METHODS if m not in own)):
        assert isinstance(call.func, cst.Attribute)
        if model_kind(flow, owner) == "no" or table.spared(call, call.func.attr.value):
            continue
        old, name = call.func.attr.value, flow.model.short(owner)
        if old == "predict_classes":
            values = {"api": f"{name}.{old}", "replacement": f"np.argmax({name}.predict(...), axis=-1)"}
            yield Match(call.func, values, "classes")
            continue
        new = old.removesuffix("_generator")
        values = {"api": f"{name}.{old}", "replacement": f"{name}.{new}"}
        plan = fit_plan(flow.model, call, new)
        yield Match(call.func, values, "method", plans=(plan,) if plan else ())
