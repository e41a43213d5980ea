"""The backward passes that run after a method of the object has loaded a checkpoint."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_order import active_nodes
from memlint.analysis.dataflow.functions import definitions_meant, method, with_called_methods
from memlint.analysis.dataflow.program_points import loops_around
from memlint.analysis.facts import Backward
from memlint.analysis.knowledge.patterns import pattern
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import kind_of
from memlint.analysis.training.modes.evaluation_calls import only_evaluates
from memlint.syntax.tree import dotted, last_name


def before_training(
    model: ScriptModel, owner: cst.ClassDef, function: cst.FunctionDef
) -> list[cst.FunctionDef]:
    """The method that loads, and the methods that it or the constructor calls."""
    constructor = method(model, owner, "__init__")
    return with_called_methods(model, [function, *([constructor] if constructor is not None else [])])


def backwards_after(
    model: ScriptModel, owner: cst.ClassDef, function: cst.FunctionDef, early: list[cst.FunctionDef]
) -> Iterator[Backward]:
    """The backward passes in loops of the object's methods that run after it has loaded."""
    constructor = next((f for f in early if f.name.value == "__init__"), None)
    begun = before_training(model, owner, constructor) if constructor is not None else []
    for backward in model.trace.backwards.values():
        frames = [f for f in backward.frame.chain() if model.owner_class(f) is owner]
        if not backward.loops or not frames or any(f.node in early for f in frames):
            continue
        if not trains(model, backward):
            continue
        if function in begun:
            yield backward
            continue
        for frame in frames:
            node = active_nodes(backward).get(frame)
            calls = (n for n in model.walk(frame.node) if type(n) is cst.Call)
            loading = [c for c in calls if dotted(c.func) == f"self.{function.name.value}"]
            if node is not None and any(model.positions[c] < model.positions[node] for c in loading):
                yield backward


def trained_out_of_view(model: ScriptModel, scope: cst.CSTNode) -> Iterator[cst.Call]:
    """The calls of functions out of view that train, by their name and an optimizer that they get, in loops
    of a function or of the module."""
    for call in model.names.calls:
        named = _TRAINS.search(last_name(call.func)) and (model.function_of(call) or model.module) is scope
        if not named or definitions_meant(model, call.func) or not loops_around(model, call):
            continue
        if any(kind_of(model, arg.value) == "optimizer" for arg in call.args):
            yield call


_TRAINS = pattern(r"(^|_)(train|fit)(_|$)")


def trains(model: ScriptModel, backward: Backward) -> bool:
    """Whether a backward is one of training: an optimizer steps in its loop, or none is in view and nothing
    says that it evaluates, as attacks do: neither the code around it nor the mode of all its networks."""
    steps = model.trace.steps.values()
    if any(loop in step.loops for step in steps for loop in backward.loops):
        return True
    if steps or any(only_evaluates(model, loop.frame) for loop in backward.loops):
        return False
    made = model.trace.ancestors(backward.ids)
    through = [f for f in model.trace.passes() if f.ids & made]
    return not through or not all(f.own_eval for f in through)
