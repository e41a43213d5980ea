"""Gradients that are clipped, measured or stepped with at the wrong scale."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_order import conditions, in_one_step, program_point
from memlint.analysis.facts import Backward, Event, Step
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.optimization.loss_scaling import GradScaling, may_scale, runs_half
from memlint.analysis.values import Const, Obj
from memlint.records import dataclass
from memlint.syntax.tree import last_name

BY_HAND = frozenset({"get_scale", "_scale"})
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


def scaled_uses(found: GradScaling) -> Iterator[Misuse]:
    """Gradients that are clipped or measured while they are still multiplied by the scale."""
    if BY_HAND & found.model.identifiers:
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


def updates_outside_window(found: GradScaling) -> Iterator[Misuse]:
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
            if any(
                in_one_step(u, update) and not window & {t for t, _ in conditions(found.model, u)}
                for u in found.named("unscale_")
            ):
                continue  # a step may be left out, and `update` forgets that the gradients were unscaled
            if window and any(
                not window & {t for t, _ in conditions(found.model, b)} and b.loops == update.loops
                for b in every
            ):
                yield Misuse("window", update, step, every[0], update.code)
                break


def unscaled(found: GradScaling) -> Iterator[Misuse]:
    """Backward through a float16 autocast region, with no loss scaling of any kind in the file."""
    model = found.model
    idle = _idle_scalers(model)
    words = model.identifiers - {"GradScaler", "ShardedGradScaler"} - idle
    if words & _SETS_DTYPE or any(hints.OTHER_LOSS_SCALING.search(word) for word in words):
        return
    halves = [f for f in model.trace.forwards.values() if f.recorded and runs_half(model, f)]
    for backward in found.backwards if halves else []:
        if may_scale(backward) or not found.steps:
            continue
        reached = model.trace.ancestors(backward.ids)
        if any(f.ids & reached for f in halves):
            step = next((s for s in found.steps if found.pairs(backward, s)), None)
            yield Misuse("unscaled", backward, step, backward, next(iter(sorted(idle)), ""))


def _idle_scalers(model: ScriptModel) -> set[str]:
    """The names that get a GradScaler and are read nowhere."""
    made = (n for n in model.names.every(cst.Assign) if isinstance(n.value, cst.Call))
    calls = (n for n in made if last_name(cst.ensure_type(n.value, cst.Call).func) == "GradScaler")
    bound = [last_name(target.target) for n in calls for target in n.targets]
    named = [n.value for n in model.names.every(cst.Name) if n.value in bound]
    return {name for name in bound if named.count(name) == bound.count(name)}


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
