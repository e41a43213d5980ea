"""The uses of Keras models that are known, and the calls that built them."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.keras import (
    cross_module_method_calls,
    makes_model,
    method_calls,
    model_kind,
)
from memlint.syntax.tree import dotted

USES = (
    "fit",
    "train_on_batch",
    "test_on_batch",
    "predict",
    "predict_on_batch",
    "evaluate",
    "save",
    "fit_generator",
)


def uses_of_models(flow: Flow) -> list[tuple[cst.Call, cst.BaseExpression]]:
    """The uses of models that are known: methods, and direct calls of a variable."""
    methods = (*method_calls(flow, *USES), *cross_module_method_calls(flow, *USES))
    found = [(c, o) for c, o in methods if model_kind(flow, o) == "yes"]
    calls = (c for c in flow.model.names.calls if dotted(c.func))
    direct = [c for c in calls if not flow.graph.callees(c) and not flow.api(c.func)]
    return found + [(c, c.func) for c in direct if model_kind(flow, c.func) == "yes"]


def calls_that_built(flow: Flow, owner: cst.BaseExpression) -> list[cst.Call]:
    """The calls that built a model."""
    return [s for s in flow.sources(owner) if isinstance(s, cst.Call) and makes_model(flow, s)]
