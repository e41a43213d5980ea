"""Mixed precision as the run met it: what is scaled, and what a GradScaler is asked in which order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from memlint.analysis.dataflow.execution_order import conditions, exclusive, in_one_step, program_point
from memlint.analysis.facts import Backward, Event, Forward, ScalerCall, Step
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Cast, Const, Obj
from memlint.syntax.tree import dotted

_BY_HAND = frozenset({"get_scale", "_scale"})
_SETS_DTYPE = frozenset({"set_autocast_gpu_dtype", "set_autocast_dtype"})


@dataclass(frozen=True, slots=True)
class Misuse:
    """Something that a script does wrong with autocast or a GradScaler.

    `how` is the variant of MEM303, `event` what is reported; `step` and `backward` belong to it, `scaler` is
    how the scaler is written there.
    """

    how: str
    event: Event
    step: Step | None = None
    backward: Backward | None = None
    scaler: str = ""


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


def _scaling_of(model: ScriptModel) -> GradScaling:
    """The backwards, the steps and the calls of scalers that are not switched off for good."""
    trace = model.trace
    return GradScaling(
        model,
        [b for b in trace.backwards.values() if b.fills],
        list(trace.steps.values()),
        [c for c in trace.scalers.values() if c.scaler.args.get("enabled") != Const(False)],
    )


def misuses(model: ScriptModel) -> Iterator[Misuse]:
    """Everything wrong around autocast and GradScalers, at most one finding for each event."""
    found = _scaling_of(model)
    if found.calls:
        yield from _plain_steps(found)
        yield from _steps_before_update(found)
        yield from _plain_backwards(found)
        yield from _never_updated(found)
        yield from _scaled_uses(found)
        yield from _updates_outside_window(found)
    else:
        yield from _unscaled(found)


def _plain_steps(found: GradScaling) -> Iterator[Misuse]:
    """`optimizer.step()` after the backward of a scaled loss."""
    scaled = [s for s in found.steps if s.through_scaler]
    for step in found.steps:
        if step.through_scaler or any(s.optimizer is step.optimizer or s.code == step.code for s in scaled):
            continue
        backward = next((b for b in found.latest(step) if b.scaled), None)
        if backward is not None and not any(found.pairs(u, step) for u in found.named("unscale_")):
            yield Misuse("default", step, step, backward, found.name_near(step))


def _steps_before_update(found: GradScaling) -> Iterator[Misuse]:
    """`optimizer.step()` beside `scaler.update()`, where another method scales and no scaler steps."""
    by_hand = _BY_HAND & found.model.identifiers or found.named("unscale_")
    if by_hand or found.named("step") or not all(b.scaled for b in found.backwards):
        return
    for update in [c for c in found.named("update") if not c.scaler.by_name]:
        for step in found.steps:
            beside = step.frame is update.frame and not step.through_scaler and in_one_step(step, update)
            if found.backwards and beside and not exclusive(found.model, step, update):
                yield Misuse("default", step, step, None, update.code)


def _plain_backwards(found: GradScaling) -> Iterator[Misuse]:
    """`loss.backward()` before `scaler.step(optimizer)`."""
    given = frozenset().union(*(o.objects for o in found.model.trace.opaque_calls.values()))
    if _BY_HAND & found.model.identifiers or any(c.scaler.id in given for c in found.calls):
        return
    for step in found.steps:
        feeding = found.latest(step) if step.through_scaler else []
        if not feeding or any(b.scaled or _may_scale(b) for b in feeding):
            continue
        near = [b for b in found.backwards if in_one_step(b, step)]
        scaled = [c for c in found.named("scale") if in_one_step(c, step)]
        untraced = [c for c in scaled if not _thrown_away(found.model, c)]
        if any(b.scaled for b in near) or not untraced:
            yield Misuse("unscaled-backward", feeding[0], step, feeding[0], found.name_near(step))


def _may_scale(backward: Backward) -> bool:
    """Whether a backward is not a tensor's own: `optimizer.backward(loss)` may scale what it is given."""
    return backward.unseen or (
        isinstance(backward.node, cst.Call)
        and bool(backward.node.args[:1])
        and backward.node.args[0].keyword is None
    )


def _thrown_away(model: ScriptModel, event: Event) -> bool:
    return isinstance(model.parent(event.node), cst.Expr)


def _never_updated(found: GradScaling) -> Iterator[Misuse]:
    """`scaler.step(optimizer)` in a loop without any `scaler.update()` in the file."""
    model = found.model
    called = [dotted(c.func) for c in model.names.calls]
    owners = [path.removesuffix(".update") for path in called if path.endswith(".update")]
    if any("scaler" in owner.lower() for owner in owners):
        return
    known = {c.scaler for c in found.named("update")}
    given = frozenset().union(*(o.objects for o in model.trace.opaque_calls.values()))
    for step in found.steps:
        call = next((c for c in found.named("step") if c.node is step.node), None)
        if call is None or call.scaler in known or call.scaler.id in given or call.code in owners:
            continue
        if step.loops or not call.scaler.by_name:
            yield Misuse("no-update", step, step, None, call.code)
            return


def _scaled_uses(found: GradScaling) -> Iterator[Misuse]:
    """Gradients that are clipped or measured while they are still multiplied by the scale."""
    if _BY_HAND & found.model.identifiers:
        return
    for use in found.model.trace.grad_uses.values():
        backward = next((b for b in found.latest(use) if b.scaled), None)
        after = [s for s in found.steps if s.through_scaler and found.pairs(use, s)]
        if backward is None or not after:
            continue
        between = [*found.named("unscale_"), *(s for s in found.steps if s.through_scaler)]
        if any(found.pairs(backward, e) and found.pairs(e, use) for e in between):
            continue
        step = min(after, key=lambda s: program_point(found.model, s))
        yield Misuse("clip" if use.how == "clip" else "norm", use, step, backward, found.name_near(step))


def _updates_outside_window(found: GradScaling) -> Iterator[Misuse]:
    """`scaler.update()` in every micro-batch, where the step is taken only in some."""
    for update in found.named("update"):
        tests = {test for test, _ in conditions(found.model, update)}
        own = (s for s in found.steps if s.through_scaler and s.frame.node is update.frame.node)
        if any({test for test, _ in conditions(found.model, s)} <= tests for s in own):
            continue
        for step in found.steps:
            if not step.through_scaler or not in_one_step(step, update) or not step.loops:
                continue
            led = conditions(found.model, step)
            window = {test for test, _ in led if hints.WINDOW_CONDITION.search(test)} - tests
            every = [b for b in found.latest(step) if b.scaled]
            if window and any(
                not window & {t for t, _ in conditions(found.model, b)} and b.loops == update.loops
                for b in every
            ):
                yield Misuse("window", update, step, every[0], update.code)
                break


def _unscaled(found: GradScaling) -> Iterator[Misuse]:
    """Backward through a float16 autocast region, with no loss scaling of any kind in the file."""
    model = found.model
    words = model.identifiers - {"GradScaler", "ShardedGradScaler"}
    if words & _SETS_DTYPE or any(hints.OTHER_LOSS_SCALING.search(word) for word in words):
        return
    halves = [f for f in model.trace.forwards.values() if f.recorded and _runs_half(model, f)]
    for backward in found.backwards if halves else []:
        if _may_scale(backward) or not found.steps:
            continue
        reached = model.trace.ancestors(backward.ids)
        if any(f.ids & reached for f in halves):
            step = next((s for s in found.steps if found.pairs(backward, s)), None)
            yield Misuse("unscaled", backward, step, backward)


def _runs_half(model: ScriptModel, forward: Forward) -> bool:
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


def useless_scalers(model: ScriptModel) -> Iterator[Obj]:
    """GradScalers for sure enabled in a file whose autocast contexts are all bfloat16."""
    casts = [cast for cast in model.machine.met_casts if cast.enabled is not False]
    if not casts or any(cast.dtype != "bfloat16" for cast in casts) or model.identifiers & _SETS_DTYPE:
        return
    used = {c.scaler for c in model.trace.scalers.values() if c.name == "scale"}
    for scaler in used:
        if (
            scaler.node is not None
            and not scaler.by_name
            and scaler.args.get("enabled", Const(True)) == Const(True)
        ):
            yield scaler
