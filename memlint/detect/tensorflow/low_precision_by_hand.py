"""MTF114: float16 set up by hand, or mixed precision without what keeps it stable."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.guards import never_runs
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.flow import Flow, concerns, flow_of
from memlint.analysis.tensorflow.keras import (
    cross_module_method_calls,
    is_keras,
    last,
    led_to,
    method_calls,
    model_kind,
    trained,
)
from memlint.catalogue import Rule
from memlint.detect.tensorflow.mixed_policy_fix import policy_plan
from memlint.detect.tensorflow.output_layers import low_precision_outputs, text_of
from memlint.detect.tensorflow.sessions import POLICY, mixed_policy, sets_policy
from memlint.syntax.arguments import argument
from memlint.syntax.tree import dotted

_SCALED = ("LossScaleOptimizer", "get_scaled_loss", "scale_loss", "get_unscaled_gradients")
_TPU = ("tf.distribute.TPUStrategy", "tf.distribute.experimental.TPUStrategy",
        "tf.distribute.cluster_resolver.TPUClusterResolver")  # fmt: skip
_LAYERS = frozenset(
    {"Dense", "Conv1D", "Conv2D", "Conv3D", "LSTM", "GRU", "Embedding", "InputLayer", "Input"}
)
_FEW = 2


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Scripts that train in float16 without the policy, or with it but without its safeguards."""
    if not concerns(model):
        return
    flow = flow_of(model)
    gradients = (*method_calls(flow, "gradient"), *cross_module_method_calls(flow, "gradient"))
    tapes = [c for c, owner in gradients if _is_tape(flow, owner)]
    compiled = any(model_kind(flow, owner) == "yes" for _, owner in method_calls(flow, "compile"))
    if not trained(flow) and not tapes and not compiled:
        return
    found = [*_floatx(flow), *_layers(flow)]
    low = (c for c in led_to(flow, *POLICY) if sets_policy(flow, c))
    policies = [c for c in low if mixed_policy(flow, c) == "mixed_float16"]
    if policies:
        first = policies[0]
        found += [*_tpu(flow, first), *low_precision_outputs(flow, first), *_unscaled(flow, first, tapes)]
    yield from (m for m in found if not never_runs(model, m.node))


def _is_tape(flow: Flow, node: cst.BaseExpression) -> bool:
    made = (flow.api(s.func) for s in flow.sources(node) if isinstance(s, cst.Call))
    return "tape" in dotted(node).lower() or "tf.GradientTape" in made


def _floatx(flow: Flow) -> Iterator[Match]:
    for call in led_to(flow, "set_floatx"):
        given = argument(call, 0, "value") or argument(call, 0, "floatx")
        if given is None or not is_keras(flow.api(call.func)) or text_of(flow, given) != "float16":
            continue
        plan = policy_plan(flow, call)
        yield Match(call, {"call": flow.model.short(call)}, plans=(plan,) if plan else ())


def _layers(flow: Flow) -> Iterator[Match]:
    """Layers that are given float16 one by one, all that have a dtype."""
    given = []
    for call in flow.calls(*_LAYERS):
        api = flow.api(call.func)
        dtype = argument(call, -1, "dtype")
        if is_keras(api) and last(api) in _LAYERS - {"Input", "InputLayer"} and dtype is not None:
            given.append((call, text_of(flow, dtype)))
    low = [call for call, name in given if name == "float16"]
    if len(low) >= _FEW or (low and len(low) == len(given) and len(_all_layers(flow)) == 1):
        first = min(low, key=lambda c: flow.model.positions[c])
        yield Match(first, {"layer": flow.model.short(first, 40)}, "layers")


def _all_layers(flow: Flow) -> list[cst.Call]:
    return [c for c in flow.calls(*_LAYERS) if is_keras(flow.api(c.func))]


def _tpu(flow: Flow, policy: cst.Call) -> Iterator[Match]:
    found = flow.calls_of(*_TPU)
    if found and not _chooses(flow, policy):
        yield Match(policy, {}, "tpu", (Label("the TPU is set up here", found[0]),))


def _chooses(flow: Flow, policy: cst.Call) -> bool:
    """Whether the policy is one of several, or depends on a condition."""
    return any(isinstance(a, (cst.If, cst.IfExp)) for a in flow.model.ancestors(policy))


def _unscaled(flow: Flow, policy: cst.Call, tapes: list[cst.Call]) -> Iterator[Match]:
    """Gradients of a custom loop with no loss scale anywhere."""
    applied = (
        *method_calls(flow, "apply_gradients", "apply"),
        *cross_module_method_calls(flow, "apply_gradients", "apply"),
    )
    words = flow.model.identifiers | flow.model.words_around
    if tapes and applied and words.isdisjoint(_SCALED):
        first = min(tapes, key=lambda c: flow.model.positions[c])
        yield Match(first, {}, "unscaled", (Label("the policy is set here", policy),))
