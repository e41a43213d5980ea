"""Clearing the session at the start of each pass of a loop."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.program_points import LoopNode
from memlint.analysis.match import InsertBefore, Plan
from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.keras import is_keras, last, makes_model
from memlint.analysis.tensorflow.pipelines import tf_name
from memlint.detect.tensorflow.sessions import mixed_policy, sets_policy
from memlint.finding import Applicability
from memlint.syntax.tree import dotted, statements


def cleared_first(flow: Flow, loop: LoopNode) -> Plan | None:
    """Clear the session first in each pass, where nothing that was made before the loop would suffer."""
    if not isinstance(loop, (cst.For, cst.While)) or not isinstance(loop.body, cst.IndentedBlock):
        return None
    calls = flow.model.names.calls
    if any(sets_policy(flow, c) and mixed_policy(flow, c) for c in calls):
        return None
    made = [c for c in calls if makes_model(flow, c)]
    if not all(any(loop in run for run in flow.runs(c)) for c in made):
        return None
    if any(last(flow.api(c.func)) == "clone_model" or _taps(flow, c, loop) for c in calls):
        return None  # the model that is cloned, or whose layers are shared, comes from before the loop
    # Names begin again: a layer from before would share its name with a new one of the same model.
    layers = [c for c in calls if _makes_layer(flow, c) and flow.runs(c)]
    if not all(any(loop in run for run in flow.runs(c)) for c in layers):
        return None
    name = tf_name(flow.model, loop.body)
    code = f"{name}.keras.backend.clear_session()" if name else _spelled(flow)
    if not code:
        return None
    caution = "models that were made before and are still in use lose their place in Keras' state"
    first = statements(loop.body)[0]
    return Plan(Applicability.UNSAFE, f"add `{code}`", (InsertBefore(first, code),), caution)


def _taps(flow: Flow, call: cst.Call, loop: LoopNode) -> bool:
    """Whether a model is made of parts of one from before: `Model(inputs=net.inputs, outputs=net.output)`."""
    if not makes_model(flow, call):
        return False
    parts = [n for arg in call.args for n in flow.model.every(cst.Attribute, arg.value)]
    owners = [n.value for n in parts if n.attr.value in ("input", "inputs", "output", "outputs")]
    made = ((owner, d.node) for owner in owners for d in flow.definitions(owner))
    inside = {owner for owner, node in made if loop in flow.loops(node)}
    return any(owner not in inside for owner in owners)


def _makes_layer(flow: Flow, call: cst.Call) -> bool:
    api = flow.api(call.func)
    return is_keras(api) and (".layers." in api or last(api) == "Input")


def hands_out(flow: Flow, made: cst.CSTNode) -> bool:
    """Whether a model, or a tuple or dictionary with it, is returned, stored or kept under another name."""
    bound = flow.model.parent(made)
    names = {dotted(t.target) for t in bound.targets} if isinstance(bound, cst.Assign) else set()
    scope = flow.model.function_of(made) or flow.model.module
    keeping = (cst.Return, cst.Element, cst.DictElement, cst.Assign)
    reads = (n for n in flow.model.walk(scope) if isinstance(n, (cst.Name, cst.Attribute)) and n is not made)
    if any(dotted(n) in names and isinstance(flow.model.parent(n), keeping) for n in reads):
        return True
    return isinstance(bound, (cst.Return, cst.Element, cst.DictElement))


def _spelled(flow: Flow) -> str:
    scope = flow.model.names.module_scope
    for name, paths in scope.imports.items():
        if paths <= {"keras", "tensorflow.keras"} and name not in scope.others:
            return f"{name}.backend.clear_session()"
    return ""
