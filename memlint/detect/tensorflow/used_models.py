"""The models that a loop or a function uses after a call which clears the session."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.program_points import LoopNode
from memlint.analysis.match import Label, Match
from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.keras import (
    cross_module_method_calls,
    makes_model,
    method_calls,
    model_kind,
)
from memlint.analysis.tensorflow.repeats import changed_in
from memlint.detect.tensorflow.known_models import USES, calls_that_built, uses_of_models
from memlint.detect.tensorflow.sessions import builds, gives_model
from memlint.syntax.arguments import keyword
from memlint.syntax.tree import dotted, root_name

_WEIGHTS = ("trainable_variables", "trainable_weights", "variables", "weights")


def model_in_steps(flow: Flow, call: cst.Call) -> Match | None:
    """A loop that clears the session and uses a model that was built before the loop."""
    loops = {loop for run in flow.runs(call) for loop in run}
    if not loops:
        return None
    asked = (makes_model, builds, gives_model)
    made = [c for c in flow.model.names.calls if any(makes(flow, c) for makes in asked)]
    fresh = {loop for c in made for run in flow.runs(c) for loop in run}
    for use, owner in uses_of_models(flow):
        origins = calls_that_built(flow, owner)
        born = fresh.union(loop for o in origins for run in flow.runs(o) for loop in run)
        shared = [loop for run in flow.runs(use) for loop in run if loop in loops and loop not in born]
        if shared and origins:
            name = flow.model.short(owner)
            label = Label("used again in each pass", use)
            return Match(call, {"model": name, "use": _use_name(use)}, "steps", (label,))
    return _of_caller(flow, call, loops - fresh) or _with_tape(flow, call, loops - fresh)


def _of_caller(flow: Flow, call: cst.Call, loops: set[LoopNode]) -> Match | None:
    """A loop that clears the session and uses a model that it got from elsewhere, by its name."""
    used = [(c, o) for c, o in method_calls(flow, *USES) if c.args]
    used += [(c, c.func) for c in flow.model.names.calls if keyword(c, "training") is not None]
    for use, owner in used:
        around = [loop for loop in flow.loops(use) if loop in loops]
        if not around or not dotted(owner) or flow.api(owner) or model_kind(flow, owner) != "maybe":
            continue
        if root_name(owner) not in changed_in(flow, around[0]):
            values = {"model": flow.model.short(owner), "use": _use_name(use)}
            return Match(call, values, "steps", (Label("used again in each pass", use),))
    return None


def _with_tape(flow: Flow, call: cst.Call, loops: set[LoopNode]) -> Match | None:
    """A loop that clears the session in each step by which a tape trains a model, whatever made it."""
    own = method_calls(flow, "apply_gradients")
    for step, _ in (*own, *cross_module_method_calls(flow, "apply_gradients")):
        near = [run[-1] for run in flow.runs(step) if run and run[-1] in loops]
        for loop in near:
            if not any(run and run[-1] is loop for run in flow.runs(call)):
                continue
            for node in flow.model.walk(step):
                if isinstance(node, cst.Attribute) and node.attr.value in _WEIGHTS:
                    values = {"model": flow.model.short(node.value), "use": "apply_gradients"}
                    return Match(call, values, "steps", (Label("used again in each pass", step),))
    return None


def _use_name(call: cst.Call) -> str:
    return call.func.attr.value if isinstance(call.func, cst.Attribute) else dotted(call.func)


def used_later(flow: Flow, call: cst.Call) -> Match | None:
    """A model of the same function that was built before and is used after it."""
    model, position = flow.model, flow.model.positions
    scope = model.function_of(call)
    around = set(_arms(flow, call))
    for use, owner in uses_of_models(flow):
        if model.function_of(use) is not scope or position[use] < position[call] or not dotted(owner):
            continue
        origins = calls_that_built(flow, owner)
        same = [o for o in origins if model.function_of(o) is scope]
        if same and all(position[o] < position[call] for o in same) and around <= set(_arms(flow, use)):
            if any(isinstance(model.parent(o), cst.Arg) for o in same):
                continue
            label = Label("used again here", use)
            return Match(call, {"model": model.short(owner), "use": _use_name(use)}, labels=(label,))
    return None


def _arms(flow: Flow, node: cst.CSTNode) -> list[cst.CSTNode]:
    """The blocks of branches and loops that a node stands in, within its function."""
    found: list[cst.CSTNode] = []
    below = node
    for above in flow.model.ancestors(node):
        if isinstance(above, cst.FunctionDef):
            break
        if isinstance(above, (cst.If, cst.For, cst.While, cst.Try, cst.ExceptHandler)):
            found.append(below)
        below = above
    return found
