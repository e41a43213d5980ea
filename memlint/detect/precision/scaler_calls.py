"""Calls of GradScalers that are missing, or stand beside plain backwards and steps."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_order import exclusive, in_one_step
from memlint.analysis.facts import Event, Step
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.optimization.loss_scaling import GradScaling, may_scale, scaling_of
from memlint.detect.precision.gradient_scales import (
    BY_HAND,
    Misuse,
    scaled_uses,
    unscaled,
    updates_outside_window,
)
from memlint.detect.precision.scaler_sequence import second_steps, updates_left_out
from memlint.detect.precision.scaler_updates import never_updated


def misuses(model: ScriptModel) -> Iterator[Misuse]:
    """Everything wrong around autocast and GradScalers, at most one finding for each event."""
    found = scaling_of(model)
    if found.calls:
        yield from _plain_steps(found)
        yield from second_steps(found)
        yield from _steps_before_update(found)
        yield from _plain_backwards(found)
        yield from never_updated(found)
        yield from scaled_uses(found)
        yield from updates_outside_window(found)
        yield from updates_left_out(found)
    else:
        yield from unscaled(found)


def _plain_steps(found: GradScaling) -> Iterator[Misuse]:
    """`optimizer.step()` after the backward of a scaled loss."""
    scaled = [s for s in found.steps if s.through_scaler]
    for step in found.steps:
        if step.through_scaler or any(_is_the_same(found.model, s, step) for s in scaled):
            continue
        backward = next((b for b in found.latest(step) if b.scaled), None)
        if backward is not None and not any(found.pairs(u, step) for u in found.named("unscale_")):
            yield Misuse("default", step, step, backward, found.name_near(step))


def _is_the_same(model: ScriptModel, one: Step, other: Step) -> bool:
    """Whether two steps are those of one optimizer; in two classes, `self.optimizer` are two."""
    alike = one.code == other.code and model.class_of(one.node) is model.class_of(other.node)
    return one.optimizer is other.optimizer or alike


def _steps_before_update(found: GradScaling) -> Iterator[Misuse]:
    """`optimizer.step()` beside `scaler.update()`, where another method scales and no scaler steps."""
    by_hand = BY_HAND & found.model.identifiers or found.named("unscale_")
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
    if BY_HAND & found.model.identifiers or any(c.scaler.id in given for c in found.calls):
        return
    for step in found.steps:
        feeding = found.latest(step) if step.through_scaler else []
        if not feeding or any(b.scaled or may_scale(b) for b in feeding):
            continue
        near = [b for b in found.backwards if in_one_step(b, step)]
        scaled = [c for c in found.named("scale") if in_one_step(c, step)]
        untraced = [c for c in scaled if not _thrown_away(found.model, c)]
        if any(b.scaled for b in near) or not untraced:
            yield Misuse("unscaled-backward", feeding[0], step, feeding[0], found.name_near(step))


def _thrown_away(model: ScriptModel, event: Event) -> bool:
    return isinstance(model.parent(event.node), cst.Expr)
