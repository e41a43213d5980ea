"""Scalers that step and are never updated."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import ScalerCall, Step
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.optimization.loss_scaling import GradScaling
from memlint.detect.precision.gradient_scales import Misuse
from memlint.syntax.tree import dotted, last_name


def never_updated(found: GradScaling) -> Iterator[Misuse]:
    """`scaler.step(optimizer)` in a loop without a `scaler.update()` for it, once a function.

    A function that only steps, with a scaler that it is given, leaves the rest to whoever scales.
    """
    model, told = found.model, set[cst.CSTNode | None]()
    updates = [c for c in model.names.calls if last_name(c.func) == "update"]
    known = {c.scaler for c in found.named("update")}
    given = frozenset().union(*(o.objects for o in model.trace.opaque_calls.values()))
    for step in found.steps:
        function = model.function_of(step.node)
        call = next((c for c in found.named("step") if c.node is step.node), None)
        if call is None or call.scaler in known or call.scaler.id in given or function in told:
            continue
        if any(_may_be_meant(found, update, step, call) for update in updates):
            continue
        if call.scaler.by_name and _is_of_a_base(model, call):
            continue
        scales = any(model.function_of(c.node) is function for c in found.named("scale"))
        if (step.loops and scales) or not call.scaler.by_name:
            told.add(function)
            yield Misuse("no-update", step, step, None, call.code)


def _may_be_meant(found: GradScaling, update: cst.Call, step: Step, call: ScalerCall) -> bool:
    """Whether an `update()` may be that of the scaler of a step, by its name. Where the function of the step
    has the loop over the batches, the update of another one that steps a scaler itself is its own."""
    owner = dotted(update.func).rpartition(".")[0]
    if owner != call.code and "scaler" not in owner.lower():
        return False
    function, other = found.model.function_of(step.node), found.model.function_of(update)
    looped = any(found.model.function_of(loop.node) is function for loop in step.loops)
    paired = any(found.model.function_of(s.node) is other for s in found.named("step"))
    return function is other or not (looped and paired)


def _is_of_a_base(model: ScriptModel, call: ScalerCall) -> bool:
    """Whether a base class of another file has the scaler, `self.scaler`, and may update it there."""
    owner = model.class_of(call.node) if call.code.startswith("self.") else None
    bases = (model.names.one(base.value) for base in owner.bases) if owner is not None else ()
    return any(base.rpartition(".")[2] not in ("object", "Module", "ABC") for base in bases)
