"""Forward passes under autocast that go on with copies of parameters which have changed since."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import libcst as cst

from memlint.analysis.dataflow.execution_order import exclusive, in_one_step, program_point
from memlint.analysis.facts import Called, Event, Forward, Region, Step
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.untrained_networks import inside, network, optimized
from memlint.analysis.values import Params, Ref, options_of
from memlint.syntax.expressions import place
from memlint.syntax.tree import dotted

_WRITES = frozenset({".copy_", ".lerp_", ".mul_", ".add_", ".sub_", ".set_"})


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
        runs = _written(model, event) if event.regions else None
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


def _written(model: ScriptModel, event: Called) -> Callable[[Forward], bool] | None:
    """Which forwards run a network whose parameters a call writes: `net.load_state_dict(...)`, or
    `p.data.copy_(...)` in a loop over `net.parameters()`."""
    if event.path == ".load_state_dict" and event.owner is not None:
        loaded = [o.obj.id for o in options_of(event.owner) if isinstance(o, Ref) and o.obj.kind == "module"]
        return lambda forward: any(getattr(network(forward), "id", None) == number for number in loaded)
    if event.path not in _WRITES or not isinstance(event.node, cst.Call):
        return None
    walked = [code for loop in event.loops if (code := _parameters_of(model, loop.node, event.node))]
    return (lambda forward: forward.code in walked and forward.frame is event.frame) if walked else None


def _parameters_of(model: ScriptModel, loop: cst.CSTNode, write: cst.Call) -> str:
    """`net` where a call writes to the name that a loop gives to the parameters of `net`."""
    if not isinstance(loop, cst.For):
        return ""
    sources: list[cst.BaseExpression] = [loop.iter]
    targets: list[cst.CSTNode] = [loop.target]
    if isinstance(loop.iter, cst.Call) and dotted(loop.iter.func) == "zip":
        sources = [a.value for a in loop.iter.args]
        targets = [e.value for e in loop.target.elements] if isinstance(loop.target, cst.Tuple) else []
    owner = place(write.func.value) if isinstance(write.func, cst.Attribute) else ""
    for source, target in zip(sources, targets, strict=False):
        if owner and owner.removesuffix(".data") == place(target):
            return _owner_of_parameters(model, source)
    return ""


def _owner_of_parameters(model: ScriptModel, node: cst.BaseExpression) -> str:
    """`net` for `net.parameters()`."""
    func = node.func if isinstance(node, cst.Call) and not node.args else None
    asks = isinstance(func, cst.Attribute) and func.attr.value == "parameters"
    return model.code(func.value) if isinstance(func, cst.Attribute) and asks else ""
