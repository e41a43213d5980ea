"""Forward passes under autocast that go on with copies of parameters which have changed since."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from memlint.analysis.dataflow.execution_order import exclusive, in_one_step, program_point
from memlint.analysis.facts import Event, Forward, Region, Step
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.untrained_networks import inside, network, optimized
from memlint.analysis.values import Params
from memlint.detect.precision.written_parameters import written_networks
from memlint.records import dataclass


@dataclass(frozen=True, slots=True)
class Stale:
    """Parameters change in `change`, and `forward` in the same region still uses the casts of before.

    `swapped` says that something else than an optimizer changed them.
    """

    region: Region
    change: Event
    forward: Forward
    swapped: bool


def stale(model: ScriptModel) -> Iterator[Stale]:
    """Every change of parameters inside a region whose later forwards do not see it."""
    for step in model.trace.steps.values():
        forward = _after(model, step, partial(_may_train, model, step))
        if forward is not None:
            yield Stale(step.regions[0], step, forward, swapped=False)
    trained = inside(model, optimized(model)[0])
    for event in model.trace.calls.values():
        runs = written_networks(model, event) if event.regions else None
        if runs is None:
            continue

        def is_trained(forward: Forward, runs: Callable[[Forward], bool] = runs) -> bool:
            run = network(forward)
            return run is not None and run.id in trained and runs(forward)

        forward = _after(model, event, is_trained)
        if forward is not None and (_before(model, event, is_trained) or _repeats(event, forward)):
            yield Stale(event.regions[0], event, forward, swapped=True)


def _after(model: ScriptModel, change: Event, concerns: Callable[[Forward], bool]) -> Forward | None:
    """A forward that still finds the casts of the parameters from before a change."""
    if not change.regions:
        return None
    outer = change.regions[0]
    for forward in model.trace.forwards.values():
        if not _caches(forward) or forward.regions[0] != outer or not concerns(forward):
            continue
        later = in_one_step(change, forward) and program_point(model, change) < program_point(model, forward)
        if not (later or _repeats(change, forward)) or exclusive(model, change, forward):
            continue
        if forward.ids.isdisjoint(model.trace.half_outputs):
            return forward
    return None


def _repeats(change: Event, forward: Forward) -> bool:
    """Whether a loop inside of the region runs both again."""
    return any(loop in change.loops for loop in forward.loops if loop not in change.regions[0].loops)


def _before(model: ScriptModel, change: Event, concerns: Callable[[Forward], bool]) -> bool:
    """Whether a forward in the region has filled the cache when the parameters change."""
    return any(
        _caches(f) and f.regions[0] == change.regions[0] and concerns(f)
        and in_one_step(change, f) and program_point(model, f) < program_point(model, change)
        for f in model.trace.forwards.values()
    )  # fmt: skip


def _caches(forward: Forward) -> bool:
    """Whether a forward takes the casts of its parameters from autocast's cache, and leaves them there."""
    if not forward.regions or not (forward.recorded or forward.grad == "off"):
        return False
    cast = forward.regions[-1].cast
    return cast.enabled is not False and cast.cache is True and cast.dtype != "float32"


def _may_train(model: ScriptModel, step: Step, forward: Forward) -> bool:
    """Whether the step may change the network of a forward that is trained; in doubt it does."""
    if forward.grad == "off":
        return False
    owned, run = step.optimizer.args.get("#owners"), network(forward)
    if not isinstance(owned, Params) or not owned.owners or run is None or run.by_name:
        return True
    return bool(inside(model, owned.owners) & inside(model, [run.id]))
