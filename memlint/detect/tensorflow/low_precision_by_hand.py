"""MTF114: float16 set up by hand, or mixed precision without what keeps it stable."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.bindings import head_of
from memlint.analysis.dataflow.guards import never_runs
from memlint.analysis.match import Label, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.flow import Flow, concerns, flow_of
from memlint.analysis.tensorflow.keras import (
    is_keras,
    last,
    led_to,
    method_calls,
    method_calls_abroad,
    model_kind,
    trained,
)
from memlint.analysis.tensorflow.order import orders
from memlint.catalogue import Rule
from memlint.detect.tensorflow.sessions import POLICY, mixed_policy, sets_policy
from memlint.finding import Applicability
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
    gradients = (*method_calls(flow, "gradient"), *method_calls_abroad(flow, "gradient"))
    tapes = [c for c, owner in gradients if _is_tape(flow, owner)]
    compiled = any(model_kind(flow, owner) == "yes" for _, owner in method_calls(flow, "compile"))
    if not trained(flow) and not tapes and not compiled:
        return
    found = [*_floatx(flow), *_layers(flow)]
    low = (c for c in led_to(flow, *POLICY) if sets_policy(flow, c))
    policies = [c for c in low if mixed_policy(flow, c) == "mixed_float16"]
    if policies:
        first = policies[0]
        found += [*_tpu(flow, first), *_outputs(flow, first), *_unscaled(flow, first, tapes)]
    yield from (m for m in found if not never_runs(model, m.node))


def _is_tape(flow: Flow, node: cst.BaseExpression) -> bool:
    made = (flow.api(s.func) for s in flow.sources(node) if isinstance(s, cst.Call))
    return "tape" in dotted(node).lower() or "tf.GradientTape" in made


def _floatx(flow: Flow) -> Iterator[Match]:
    for call in led_to(flow, "set_floatx"):
        given = argument(call, 0, "value") or argument(call, 0, "floatx")
        if given is None or not is_keras(flow.api(call.func)) or _text(flow, given) != "float16":
            continue
        plan = _policy_plan(flow, call)
        yield Match(call, {"call": flow.model.short(call)}, plans=(plan,) if plan else ())


def _text(flow: Flow, node: cst.BaseExpression) -> str:
    """The one string that an expression stands for, tf.float16 counted as its name."""
    if flow.api(node) in ("tf.float16", "tf.half", "numpy.float16"):
        return "float16"
    sources = flow.sources(node)
    if len(sources) == 1 and isinstance(sources[0], cst.SimpleString):
        return str(sources[0].evaluated_value)
    return ""


def _policy_plan(flow: Flow, call: cst.Call) -> Plan | None:
    """`set_floatx("float16")` becomes the mixed precision policy, where Keras can be named."""
    head = head_of(call.func)
    path = flow.model.names.one(head)
    names = {
        "tensorflow": f"{head.value}.keras.mixed_precision.set_global_policy",
        "tensorflow.keras": f"{head.value}.mixed_precision.set_global_policy",
        "keras": f"{head.value}.mixed_precision.set_global_policy",
    }
    if path not in names:
        return None
    code = f'{names[path]}("mixed_float16")'
    caution = 'variables are then float32; give the last layer dtype="float32"'
    return Plan(Applicability.UNSAFE, f"use `{code}`", (Replace(call, code),), caution)


def _layers(flow: Flow) -> Iterator[Match]:
    """Layers that are given float16 one by one, all that have a dtype."""
    given = []
    for call in flow.calls(*_LAYERS):
        api = flow.api(call.func)
        dtype = argument(call, -1, "dtype")
        if is_keras(api) and last(api) in _LAYERS - {"Input", "InputLayer"} and dtype is not None:
            given.append((call, _text(flow, dtype)))
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


def _outputs(flow: Flow, policy: cst.Call) -> Iterator[Match]:
    """Softmax layers, and last layers of a Sequential, that compute in float16."""
    for call, source in _under(flow, policy).items():
        if argument(call, -1, "dtype") is None and not any(a.star for a in call.args):
            label = Label("the policy is set here", source)
            yield Match(call, {"layer": flow.model.short(call, 40)}, "output", (label,))


def _under(flow: Flow, policy: cst.Call) -> dict[cst.Call, cst.Call]:
    """The output layers that are made while mixed_float16 is in force, with what has set it.

    What nothing in the file calls runs after its top level, or after the first policy that a function sets.
    """

    def wanted(call: cst.Call) -> bool:
        return sets_policy(flow, call) or (is_keras(flow.api(call.func)) and _is_output(flow, call))

    found: dict[cst.Call, cst.Call] = {}
    after: cst.Call | None = policy
    for number, events in enumerate(orders(flow, wanted)):
        current = after if number else None
        for event in events:
            if not sets_policy(flow, event.node):
                if current is not None:
                    found.setdefault(event.node, current)
            elif mixed_policy(flow, event.node) == "mixed_float16":
                current = event.node
            elif not event.path or current is None:
                current = None
        if not number and any(sets_policy(flow, e.node) for e in events):
            after = current
    return found


def _is_output(flow: Flow, call: cst.Call) -> bool:
    name = last(flow.api(call.func))
    if name == "Softmax":
        return not call.args
    if name == "Activation" and call.args:
        return _text(flow, call.args[0].value) == "softmax"
    if name != "Dense":
        return False
    given = argument(call, 1, "activation")
    if given is not None:
        return _text(flow, given) == "softmax" or flow.api(given).endswith(".softmax")
    element = flow.model.parent(call)
    listed = flow.model.parent(element) if isinstance(element, cst.Element) else None
    return isinstance(listed, cst.List) and listed.elements[-1] is element and _is_whole(flow, listed)


def _is_whole(flow: Flow, listed: cst.List) -> bool:
    """Whether a list of layers is that of a Sequential that is trained: it is compiled by its name."""
    arg = flow.model.parent(listed)
    call = flow.model.parent(arg) if isinstance(arg, cst.Arg) else None
    if not isinstance(call, cst.Call) or last(flow.api(call.func)) != "Sequential":
        return False
    fits = [o for c in trained(flow) if isinstance(c.func, cst.Attribute) and (o := c.func.value) is not None]
    return any(call in flow.sources(owner) for owner in fits)


def _unscaled(flow: Flow, policy: cst.Call, tapes: list[cst.Call]) -> Iterator[Match]:
    """Gradients of a custom loop with no loss scale anywhere."""
    applied = (
        *method_calls(flow, "apply_gradients", "apply"),
        *method_calls_abroad(flow, "apply_gradients", "apply"),
    )
    words = flow.model.identifiers | flow.model.words_around
    if tapes and applied and words.isdisjoint(_SCALED):
        first = min(tapes, key=lambda c: flow.model.positions[c])
        yield Match(first, {}, "unscaled", (Label("the policy is set here", policy),))
