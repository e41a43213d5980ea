"""What a GradScaler scales: the backwards, steps and calls of scalers of a file, and which go together."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.execution_order import exclusive, in_one_step, program_point
from memlint.analysis.facts import Backward, Event, Forward, ScalerCall, Step
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Cast, Const
from memlint.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class GradScaling:
    """The events of one file around its GradScalers."""

    model: ScriptModel
    backwards: list[Backward]
    steps: list[Step]
    calls: list[ScalerCall]

    def pairs(self, a: Event, b: Event) -> bool:
        """Whether one training step runs `a` and then `b`."""
        model = self.model
        later = program_point(model, a) < program_point(model, b)
        return later and in_one_step(a, b) and not exclusive(model, a, b)

    def named(self, name: str) -> list[ScalerCall]:
        """The calls of one method of a scaler."""
        return [c for c in self.calls if c.name == name]

    def latest(self, event: Event) -> list[Backward]:
        """The backward that ran last before an event, with those on other paths that take its place."""
        before = [b for b in self.backwards if self.pairs(b, event)]
        if not before:
            return []
        last = max(before, key=lambda b: program_point(self.model, b))
        return [b for b in before if b is last or exclusive(self.model, b, last)]

    def name_near(self, event: Event) -> str:
        """How the scaler is written in the function of an event; "" when it is not used there."""
        near = [c for c in self.calls if c.frame is event.frame and in_one_step(c, event)]
        return near[0].code if near else ""


def scaling_of(model: ScriptModel) -> GradScaling:
    """The backwards, the steps and the calls of scalers that are not switched off for good."""
    trace = model.trace
    return GradScaling(
        model,
        [b for b in trace.backwards.values() if b.fills],
        list(trace.steps.values()),
        [c for c in trace.scalers.values() if c.scaler.args.get("enabled") != Const(False)],
    )


def may_scale(backward: Backward) -> bool:
    """Whether a backward is not a tensor's own: `optimizer.backward(loss)` may scale what it is given."""
    return backward.unseen or (
        isinstance(backward.node, cst.Call)
        and bool(backward.node.args[:1])
        and backward.node.args[0].keyword is None
    )


def runs_half(model: ScriptModel, forward: Forward) -> bool:
    """Whether a forward pass runs in float16 by autocast."""
    around = forward.regions[-1:]
    if around and around[0].cast.enabled is False:
        return False
    return any(_is_half(model, cast) for cast in (*(r.cast for r in around), *forward.inner))


def _is_half(model: ScriptModel, cast: Cast) -> bool:
    """Whether an autocast context casts to float16, on a GPU at least."""
    if cast.enabled is False:
        return False
    return cast.dtype == "float16" or (cast.dtype == "default" and "cuda" in model.text)
