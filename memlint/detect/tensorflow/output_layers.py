"""Output layers that compute in float16."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.match import Label, Match
from memlint.analysis.tensorflow.call_order import calls_in_order
from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.keras import (
    is_keras,
    last,
    trained,
)
from memlint.detect.tensorflow.sessions import mixed_policy, sets_policy
from memlint.syntax.arguments import argument


def text_of(flow: Flow, node: cst.BaseExpression) -> str:
    """The one string that an expression stands for, tf.float16 counted as its name."""
    if flow.api(node) in ("tf.float16", "tf.half", "numpy.float16"):
        return "float16"
    sources = flow.sources(node)
    if len(sources) == 1 and isinstance(sources[0], cst.SimpleString):
        return str(sources[0].evaluated_value)
    return ""


def low_precision_outputs(flow: Flow, policy: cst.Call) -> Iterator[Match]:
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
    for number, events in enumerate(calls_in_order(flow, wanted)):
        current = after if number else None
        for event in events:
            if not sets_policy(flow, event.node):
                if current is not None:
                    found.setdefault(event.node, current)
            elif mixed_policy(flow, event.node) == "mixed_float16":
                current = event.node
            elif event.always or current is None:
                current = None
        if not number and any(sets_policy(flow, e.node) for e in events):
            after = current
    return found


def _is_output(flow: Flow, call: cst.Call) -> bool:
    """Whether a layer is the last one of a classifier: a softmax, or the last entry of a whole model."""
    name = last(flow.api(call.func))
    if name == "Softmax":
        return not call.args
    if name == "Activation" and call.args:
        return text_of(flow, call.args[0].value) == "softmax"
    if name != "Dense":
        return False
    given = argument(call, 1, "activation")
    if given is not None:
        return text_of(flow, given) == "softmax" or flow.api(given).endswith(".softmax")
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
