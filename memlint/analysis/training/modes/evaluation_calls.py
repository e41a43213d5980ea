"""The calls of `eval()` and `train()` around a forward pass, and what trains there."""

from __future__ import annotations

from bisect import bisect_left

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.execution_order import exclusive
from memlint.analysis.facts import Forward, Loop
from memlint.analysis.knowledge import libraries as lib
from memlint.analysis.knowledge import naming
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.graphs import (
    is_differentiated,
)
from memlint.analysis.training.untrained_networks import inside
from memlint.analysis.values import Frame, Ref, options_of
from memlint.syntax.expressions import UNKNOWN, calls_in, literal
from memlint.syntax.tree import last_name


def calls_eval(model: ScriptModel, frame: Frame) -> bool:
    """Whether the code of a function or script itself, not of those defined in it, calls `.eval()`."""
    return _calls(model, frame.node, "eval")


def only_evaluates(model: ScriptModel, frame: Frame) -> bool:
    """Whether it calls `.eval()` and never `.train()`: it evaluates, and may differentiate for attacks."""
    return calls_eval(model, frame) and not _calls(model, frame.node, "train")


@cached
def _calls(model: ScriptModel, body: cst.CSTNode, mode: str) -> bool:
    own = body if isinstance(body, cst.FunctionDef) else None
    return any(
        isinstance(n.func, cst.Attribute)
        and n.func.attr.value == mode
        and not n.args
        and model.function_of(n) is own
        for n in model.every(cst.Call, body)
    )


def frames_inside(frames: list[Frame], loop: Loop | None) -> list[Frame]:
    """The frames from the forward out to the one that runs the loop, which give the evaluation a name."""
    if loop is None:
        return frames[:1]
    inside: list[Frame] = []
    for frame in frames:
        inside.append(frame)
        if frame is loop.frame:
            break
    return inside


def beside_training(model: ScriptModel, forward: Forward) -> tuple[cst.CSTNode, Frame] | None:
    """Where a step goes on to evaluate the module that it has just trained, after `.eval()` on it: the pass
    or the call that leads to it, and the function with that. None where no step does."""
    if not (forward.own_eval and forward.evaluating):
        return None
    evaluating = (frame for frame in forward.frame.chain() if calls_eval(model, frame))
    frame = next(evaluating, None)
    here = _site_in(forward, frame) if frame is not None else None
    if frame is None or here is None:
        return None
    known = inside(model, [o.obj.id for o in options_of(forward.module) if isinstance(o, Ref)])
    others = (f for f in model.trace.forwards.values() if _is_one_of(f, known) or f.module == forward.module)
    limit = model.positions[here]
    trained = any(
        is_differentiated(model, f.ids)
        and (site := _site_in(f, frame)) is not None
        and model.positions[site] < limit
        for f in others
    )
    return (here, frame) if trained else None


def _is_one_of(forward: Forward, modules: frozenset[int]) -> bool:
    """Whether a forward pass is that of one of some modules: a network trains by a method of its own, too."""
    return any(isinstance(o, Ref) and o.obj.id in modules for o in options_of(forward.module))


def _site_in(forward: Forward, frame: Frame) -> cst.CSTNode | None:
    """The expression of a function that makes a forward pass: the pass, or the call that leads to it."""
    node: cst.CSTNode | None = forward.node
    for active in forward.frame.chain():
        if active is frame:
            return node
        node = active.call
    return None


def steps_elsewhere(model: ScriptModel, forward: Forward, loop: Loop) -> bool:
    """Whether the loop trains in another function, beside one that calls `.eval()` and this forward."""
    steps = [s for s in model.trace.steps.values() if loop in s.loops]
    apart = all(forward.frame not in s.frame.chain() for s in steps)
    return bool(steps) and apart and (calls_eval(model, forward.frame) or naming.infers(forward.frame.name))


def calls_eval_before(model: ScriptModel, loop: Loop | None) -> bool:
    """Whether the function that runs the loop calls `.eval()` above it."""
    if loop is None or not isinstance(loop.frame.node, cst.FunctionDef):
        return False
    modes = _modes(model, loop.frame.node)
    before = bisect_left(modes, (model.positions[loop.node], ""))
    return before > 0 and modes[before - 1][1] == "eval"


@cached
def _modes(model: ScriptModel, function: cst.CSTNode) -> list[tuple[int, str]]:
    """The calls of `eval` and `train` in a function, by where they stand."""
    return sorted(
        (model.positions[n], n.func.attr.value)
        for n in model.walk(function)
        if isinstance(n, cst.Call)
        and isinstance(n.func, cst.Attribute)
        and n.func.attr.value in ("eval", "train")
    )


def _fits_inside(model: ScriptModel, forward: Forward, loop: Loop) -> bool:
    """Whether code between a loop and its forward pass tells something to train: `self.score.train(data)`."""
    entered = (f.node for f in frames_inside(forward.frame.chain(), loop) if f is not loop.frame)
    return any(_fits_in(model, scope) for scope in (loop.node, *entered) if scope is not None)


@cached
def _differentiates_all(model: ScriptModel, loop: cst.CSTNode) -> bool:
    """Whether a function of a package runs backward through what it knows of itself: `storch.backward()`."""
    calls = (call.func for call in calls_in(loop, "backward") if not call.args)
    return any(isinstance(func, cst.Attribute) and model.path_of(func.value) for func in calls)


@cached
def _fits_in(model: ScriptModel, scope: cst.CSTNode) -> bool:
    """Whether a method that trains is called in a loop or a function, with something to train on."""
    return any(
        call.args and literal(call.args[0].value) is UNKNOWN and naming.fits(last_name(call.func))
        for call in model.every(cst.Call, scope)
        if isinstance(call.func, cst.Attribute)
    )


def trains(model: ScriptModel, forward: Forward, loop: Loop | None, evaluates: bool) -> bool:
    """Whether the same iteration trains. An evaluation may differentiate for an attack, but never steps.

    What runs in another branch than the forward pass, `if phase == "train": ...`, does not count.
    """
    backwards = [b for b in model.trace.backwards.values() if not exclusive(model, b, forward)]
    if loop is not None:
        steps = (s for s in model.trace.steps.values() if loop in s.loops)
        if any(not exclusive(model, s, forward) for s in steps):
            return True
        if any(loop in b.loops and b.unseen for b in backwards) or _fits_inside(model, forward, loop):
            return True
        if _differentiates_all(model, loop.node):
            return True
        if not evaluates and any(map(model.names.references, lib.OWN_TRAINING)):
            return True
        return not evaluates and any(loop in b.loops for b in backwards)
    own = calls_eval(model, forward.frame)
    return any(
        b.frame is forward.frame
        or forward.frame in b.frame.chain()
        or (not own and bool(b.loops) and b.loops[-1] in forward.loops)
        for b in backwards
    )
