"""Calls of a GradScaler in the wrong number: a step too many, an `update()` too few."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.control_flow import Leave, early_exits, leaves
from memlint.analysis.dataflow.execution_order import conditions, in_one_step
from memlint.analysis.dataflow.functions import assigned_in
from memlint.analysis.facts import ScalerCall
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.optimization.loss_scaling import GradScaling
from memlint.detect.precision.gradient_scales import Misuse
from memlint.detect.precision.scaler_conditions import is_flag
from memlint.syntax.expressions import places_in
from memlint.syntax.tree import walk


def second_steps(found: GradScaling) -> Iterator[Misuse]:
    """`optimizer.step()` after `scaler.step(optimizer)`, which has stepped already."""
    for step in found.steps:
        if step.through_scaler:
            continue
        for scaled in found.steps:
            same = scaled.optimizer is step.optimizer or scaled.code == step.code
            if (
                scaled.through_scaler
                and same
                and scaled.frame is step.frame
                and found.pairs(scaled, step)
                and conditions(found.model, scaled) == conditions(found.model, step)
                and not any(found.pairs(scaled, b) and found.pairs(b, step) for b in found.backwards)
            ):
                yield Misuse("twice", step, step, None, found.name_near(step))
                break


def updates_left_out(found: GradScaling) -> Iterator[Misuse]:
    """`scaler.unscale_(optimizer)` in every iteration, where `scaler.update()` only follows in some."""
    for unscale in found.named("unscale_"):
        updates = [u for u in found.named("update") if u.scaler is unscale.scaler]
        near = [u for u in updates if in_one_step(unscale, u)]
        if len(near) != 1 or not unscale.loops or near[0].frame is not unscale.frame:
            continue
        update = near[0]
        if found.pairs(unscale, update) and _may_be_skipped(found.model, unscale, update):
            step = next((s for s in found.steps if s.through_scaler and found.pairs(unscale, s)), None)
            yield Misuse("left-out", update, step, None, update.code)


def _may_be_skipped(model: ScriptModel, unscale: ScalerCall, update: ScalerCall) -> bool:
    """Whether an iteration may unscale and end without the update, by what it computes and by no flag."""
    around, below = set(model.ancestors(unscale.node)), update.node
    for above in model.ancestors(update.node):
        if isinstance(above, cst.If) and above not in around and _changes(model, above, unscale):
            other = above.orelse if below is above.body else above.body
            return other is None or not leaves(other, Leave.BREAK | Leave.RETURN | Leave.RAISE)
        if isinstance(above, cst.IndentedBlock):
            exits = early_exits(model, above, below, Leave.CONTINUE)
            later = [e for e in exits if _is_after(model, e, unscale)]
            if any(_changes(model, e, unscale) for e in later):
                return True
        if above in around:
            return False
        below = above
    return False


def _changes(model: ScriptModel, branch: cst.If, unscale: ScalerCall) -> bool:
    """Whether a test reads what an iteration computes or counts, so that the next may take the other way."""
    if is_flag(branch.test):
        return False
    around = model.ancestors(unscale.node)
    repeated = next((n for n in around if isinstance(n, (cst.For, cst.While, cst.FunctionDef))), unscale.node)
    made = assigned_in(model, repeated)
    return not made.isdisjoint(places_in(branch.test))


def _is_after(model: ScriptModel, branch: cst.If, unscale: ScalerCall) -> bool:
    """Whether a branch follows the unscaling in its block, and holds no call of the scaler itself."""
    held = {c.node for c in model.trace.scalers.values() if c.scaler is unscale.scaler}
    block = model.parent(branch)
    line = next((n for n in (unscale.node, *model.ancestors(unscale.node)) if model.parent(n) is block), None)
    if line is None or not isinstance(block, cst.IndentedBlock):
        return False
    after = block.body.index(line) < block.body.index(branch)
    return after and not any(n in held for n in walk(branch))
