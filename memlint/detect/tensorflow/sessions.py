"""Calls of `clear_session` and what stands around them: policies, models, training."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.knowledge import hints
from memlint.analysis.knowledge.patterns import pattern
from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.keras import is_keras, last, makes_model
from memlint.syntax.arguments import argument
from memlint.syntax.tree import dotted

POLICY = frozenset({"set_global_policy", "set_dtype_policy", "set_policy"})
_MIXED = frozenset({"mixed_float16", "mixed_bfloat16", "float16", "bfloat16"})
_KEEPS_OWN = frozenset(
    {"load_model", "clone_model", "model_from_json", "model_from_yaml", "model_from_config"}
)


_FILES = pattern(r"(?i)(file|path|url|weights|checkpoint)(_?name)?s?$")


def clears(flow: Flow, call: cst.Call) -> bool:
    """Whether a call resets the global state of Keras."""
    api = flow.api(call.func)
    return is_keras(api) and last(api) == "clear_session"


def sets_policy(flow: Flow, call: cst.Call) -> bool:
    """Whether a call sets the global dtype policy."""
    api = flow.api(call.func)
    return is_keras(api) and last(api) in POLICY


def mixed_policy(flow: Flow, call: cst.Call) -> str:
    """The low precision policy that a call sets globally; "" for any other, or an unknown one."""
    given = argument(call, 0, "policy") or argument(call, 0, "dtype_policy")
    for source in flow.sources(given) if given is not None else ():
        if isinstance(source, cst.Call) and last(flow.api(source.func)) in ("Policy", "DTypePolicy"):
            name = argument(source, 0, "name")
            source = flow.sources(name)[0] if name is not None else source
        if isinstance(source, cst.SimpleString) and source.evaluated_value in _MIXED:
            return str(source.evaluated_value)
    return ""


def builds(flow: Flow, call: cst.Call) -> bool:
    """Whether a call makes a new model whose layers take the global policy."""
    if makes_model(flow, call):
        return last(flow.api(call.func)) not in _KEEPS_OWN
    name = last(dotted(call.func))
    if not hints.MODEL_BUILDER.match(name) or flow.graph.callees(call) or _is_handed_model(call):
        return False
    if _gives_a_file(flow, call):
        return False
    return bool(flow.api(call.func)) and not flow.api(call.func).startswith(("tf.", "keras."))


def _gives_a_file(flow: Flow, call: cst.Call) -> bool:
    """Whether the name for what a call gives is that of a file: `weights_file = get_network(...)`."""
    line = flow.model.parent(call)
    named = [last(dotted(t.target)) for t in line.targets] if isinstance(line, cst.Assign) else []
    return any(_FILES.search(name) for name in named)


def _is_handed_model(call: cst.Call) -> bool:
    """Whether a call gets a model: it wraps that, or tells something of it, `get_model_config(model)`."""
    given = (last(dotted(a.value)) for a in call.args if a.keyword is None)
    named = (a.keyword.value for a in call.args if a.keyword is not None)
    return "model" in {*given, *named}


def gives_model(flow: Flow, call: cst.Call) -> bool:
    """Whether a function of another file of the project gives back a new model, not one that it is given."""
    if not flow.graph.callees(call) or any(flow.model.owns(callee) for callee in flow.graph.callees(call)):
        return False
    given = {source for arg in call.args for source in flow.sources(arg.value)}
    made = [s for s in flow.sources(call) if s is not call and s not in given and isinstance(s, cst.Call)]
    return any(makes_model(flow, s) and last(flow.api(s.func)) not in _KEEPS_OWN for s in made)
