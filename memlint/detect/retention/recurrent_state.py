"""Recurrent state that is handed from iteration to iteration together with its graph."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.facts import Backward, Forward, Loop
from memlint.analysis.knowledge import naming
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.evaluation import recorded
from memlint.analysis.training.graphs import is_wasted
from memlint.analysis.training.loops import is_epochs, over_loader
from memlint.analysis.training.modes.managed import is_managed
from memlint.detect.retention.last_turns import runs_in_last_turn
from memlint.detect.retention.long_chains import acts_for_ever
from memlint.detect.retention.recurrent_modules import carried_argument, is_named_state, is_seen_module
from memlint.records import dataclass
from memlint.syntax.tree import last_name, words_in


@dataclass(frozen=True, slots=True)
class Carried:
    """A forward pass that takes up what it gave in the iteration before.

    how: "default" (a backward runs in the loop and fails in its second iteration), "retained" (it keeps the
    graph, so that the chain grows), "evaluation" (no backward at all). `sure` is False where a module out of
    view may detach by itself. `value` is the expression that brings the state in.
    """

    forward: Forward
    loop: Loop
    how: str
    sure: bool
    value: cst.BaseExpression | None
    backward: Backward | None


@cached
def carried(model: ScriptModel) -> list[Carried]:
    """Every such forward pass, the first of each loop."""
    return list(_carried(model))


def _carried(model: ScriptModel) -> Iterator[Carried]:
    """The first such forward of each loop."""
    found: dict[int, Carried] = {}
    for forward in model.trace.forwards.values():
        for loop in reversed(forward.loops):
            if loop not in forward.loop_carried or is_managed(model, forward.frame):
                continue
            if _is_cut(model, forward, loop) or _changes(model, forward, loop):
                continue
            one = _in_training(model, forward, loop) or _in_evaluation(model, forward, loop)
            if one is not None:
                known = found.setdefault(id(loop.node), one)
                if model.positions[one.forward.node] < model.positions[known.forward.node]:
                    found[id(loop.node)] = one
                break
    yield from found.values()


def _is_cut(model: ScriptModel, forward: Forward, loop: Loop) -> bool:
    """Whether some path of the loop detaches the state or begins it again."""
    cuts, taken = model.trace.detached_in_loops, model.trace.ancestors(forward.state, lightweight_only=True)
    return any(loop in cuts.get(number, ()) for number in taken)


def _changes(model: ScriptModel, forward: Forward, loop: Loop) -> bool:
    """Whether each iteration calls another module: `for layer in layers: x = layer(x)`."""
    if not isinstance(loop.node, (cst.For, cst.CompFor)) or forward.frame is not loop.frame:
        return False
    names = {n.value for n in model.walk(loop.node.target) if isinstance(n, cst.Name)}
    return bool(names & set(words_in(forward.code)))


def _in_training(model: ScriptModel, forward: Forward, loop: Loop) -> Carried | None:
    for backward in model.trace.backwards.values():
        if loop not in backward.loops or not backward.fills or backward.unseen or backward.create:
            continue
        if runs_in_last_turn(model, backward.node, loop):
            continue
        if forward.ids & model.trace.ancestors(backward.ids):
            return _found(model, forward, loop, "retained" if backward.retain else "default", backward)
    return None


def _in_evaluation(model: ScriptModel, forward: Forward, loop: Loop) -> Carried | None:
    """A forward that evaluates over batches, or acts without end, and takes its own output up again."""
    trace = model.trace
    if not is_wasted(model, forward) or any(loop in b.loops for b in trace.backwards.values()):
        return None
    outer = forward.loops[: forward.loops.index(loop)]
    training = {x for b in trace.backwards.values() for x in b.loops}
    batches = over_loader(loop) or all(is_epochs(x) or x in training for x in outer)
    evaluates = any(r.loop is loop and r.strong for r in recorded(model))
    if not batches or not (evaluates or acts_for_ever(model, forward, loop)):
        return None
    return _found(model, forward, loop, "evaluation", None)


def _found(
    model: ScriptModel, forward: Forward, loop: Loop, how: str, backward: Backward | None
) -> Carried | None:
    """The finding, unless the module cannot be seen and what it takes up is not named like its state."""
    value, sure = carried_argument(model, forward), is_seen_module(forward)
    if sure:
        return Carried(forward, loop, how, sure, value, backward)
    if value is None or not is_named_state(model, forward, value) or _is_said_cut(model, value):
        return None
    return Carried(forward, loop, how, sure, value, backward)


def _is_said_cut(model: ScriptModel, value: cst.BaseExpression) -> bool:
    """Whether a state comes from a function that says it detaches it, with the help of others perhaps."""
    made = (found.node for found in value_sources(model, value))
    return any(isinstance(n, cst.Call) and naming.detaching_call(last_name(n.func)) for n in made)
