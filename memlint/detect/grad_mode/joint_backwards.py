"""Backwards for one optimizer that run on through a network of another one."""

from __future__ import annotations

from collections.abc import Iterator

from memlint.analysis.dataflow.execution_order import exclusive, in_one_step, program_point
from memlint.analysis.facts import Backward, Event, Forward, Step
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import comes_by_method
from memlint.analysis.training.graphs import is_handed_out
from memlint.detect.grad_mode.optimizer_networks import owned_networks, runs_one_of
from memlint.detect.grad_mode.undetached_targets import Training, is_only_a_target, trains_alike
from memlint.records import dataclass


@dataclass(frozen=True, slots=True)
class Passing:
    """A backward for one optimizer that runs on through `source`, a network of another one, below `own`.

    `own` is None where the result of `source` only meets those of the trained network in the loss, as a
    target that is not detached. `others` are further passes that get the result: two discriminators judge it.
    """

    backward: Backward
    step: Step
    source: Forward
    own: Forward | None
    others: tuple[Forward, ...] = ()


def passings(model: ScriptModel) -> Iterator[Passing]:
    """The backwards that leave gradients in the parameters of an optimizer that does not step with them."""
    owned = owned_networks(model)
    if len(owned) < 2:
        return
    steps = [s for s in model.trace.steps.values() if s.optimizer in owned]
    fed = {id(s): _feeding(model, s, owned[s.optimizer]) for s in steps}
    stepped = {s.optimizer for s in steps}
    known = Training(owned, steps, fed)
    for step in steps:
        for backward in fed[id(step)]:
            if len(step.loops) > len(backward.loops) or "[" in step.code:
                # A loop over optimizers: which of them this is, and which others step, is not known.
                continue
            joint = [s.optimizer for s in steps if backward in fed[id(s)]]
            mine = frozenset().union(*(owned[o] for o in joint))
            others = frozenset().union(*(owned[o] for o in stepped if o not in joint)) - mine
            yield from _through(model, backward, step, mine, others, known)


def _feeding(model: ScriptModel, step: Step, owned: frozenset[int]) -> list[Backward]:
    """The backwards whose gradients a step uses: since they were cleared, else since another step."""
    place = program_point(model, step)

    def earlier(event: Event) -> bool:
        before = program_point(model, event) < place
        return before and in_one_step(event, step) and not exclusive(model, event, step)

    trace = model.trace
    before = [b for b in trace.backwards.values() if b.fills and earlier(b)]
    cleared = [
        program_point(model, z)
        for z in trace.zeros.values()
        if z.target is not None and (z.target is step.optimizer or z.target.id in owned) and earlier(z)
    ]
    others = (s for s in trace.steps.values() if s is not step and earlier(s))
    cleared = cleared or [program_point(model, s) for s in others]
    last = max(cleared, default=())
    return [b for b in before if program_point(model, b) > last] or before


def _through(
    model: ScriptModel,
    backward: Backward,
    step: Step,
    mine: frozenset[int],
    others: frozenset[int],
    known: Training,
) -> Iterator[Passing]:
    """Networks of other optimizers that a backward reaches below a network of this one."""
    reached = model.trace.ancestors(backward.ids)
    forwards = [f for f in model.trace.forwards.values() if f.recorded and f.ids & reached]
    ours = [f for f in forwards if runs_one_of(model, f, mine)]
    own = [f for f in ours if not _serves_another(model, backward, f)]
    for source in forwards:
        if source.grad != "on" or not runs_one_of(model, source, others):
            continue
        if comes_by_method(source) and not trains_alike(model, source, known):
            continue
        above = model.trace.ancestors(source.ids)
        if any(f.ids & above for f in ours):
            continue
        below = [f for f in own if source.ids & model.trace.ancestors(f.ids)]
        if below:
            yield Passing(backward, step, source, below[0], tuple(below[1:]))
        # Where no pass of the trained network is in view, this one may be the way to it.
        elif ours and is_only_a_target(model, backward, source, known):
            yield Passing(backward, step, source, None)


def _serves_another(model: ScriptModel, backward: Backward, forward: Forward) -> bool:
    """Whether another backward runs through the same result, or code out of view may: it needs the graph."""
    if is_handed_out(model, forward.ids) and not is_handed_out(model, backward.ids):
        return True
    made_of_it = model.trace.descendants(forward.ids)
    others = (b for b in model.trace.backwards.values() if b.node is not backward.node)
    return any(not b.ids.isdisjoint(made_of_it) for b in others)
