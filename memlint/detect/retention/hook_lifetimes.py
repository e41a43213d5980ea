"""How long what a hook fills lives: for one turn of a loop, or for one call of what registers the hook."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.model import ScriptModel
from memlint.analysis.training.lifetimes.locality import made_inside
from memlint.detect.retention.registrations import Registration
from memlint.syntax.expressions import calls_in
from memlint.syntax.tree import dotted, root_name


def lives_shortly(model: ScriptModel, hook: cst.FunctionDef | cst.Lambda, box: cst.BaseExpression) -> bool:
    """Whether the container belongs to an object that a loop makes again each time round."""
    owner = model.class_of(hook) if root_name(box) == "self" else None
    if owner is None:
        return False
    made = [c for c in model.names.calls if dotted(c.func).rpartition(".")[2] == owner.name.value]
    loops = (cst.For, cst.While)
    return bool(made) and all(any(isinstance(a, loops) for a in model.ancestors(c)) for c in made)


def lives_for_one_call(
    model: ScriptModel, found: Registration, box: cst.BaseExpression, *, wanted: bool
) -> bool:
    """Whether the function that registers the hook makes the container, removes the hook, and runs no loop of
    forward passes in between, or reads then what such a loop has gathered, where that is `wanted`."""
    function = model.function_of(found.call)
    if function is None or not isinstance(box, cst.Name) or not made_inside(model, function.body, box):
        return False
    inside = set(model.walk(function.body))
    removed = [model.positions[call] for call in calls_in(function.body, "remove") if call in inside]
    if not removed:
        return False
    if not any(loop.node in inside for f in model.trace.forwards.values() for loop in f.loops):
        return True
    same = (n for n in model.every(cst.Name, function.body) if n.value == box.value)
    return wanted and any(model.positions[n] > min(removed) for n in same)
