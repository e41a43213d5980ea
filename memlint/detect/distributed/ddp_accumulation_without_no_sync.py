"""MEM604: every backward of an accumulation window averages the gradients over all ranks."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_frequency import frequency_of
from memlint.analysis.facts import Backward, Step
from memlint.analysis.knowledge import hints
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hardware.devices import cpu_only, wraps_ddp
from memlint.analysis.training.loops import batch_loops, is_micro_loop
from memlint.catalogue import Rule

_KNOWS = frozenset(
    "no_sync require_backward_grad_sync set_requires_gradient_sync FullyShardedDataParallel FSDP "
    "fully_shard".split()
)
_FRAMEWORKS = (
    "accelerate",
    "deepspeed",
    "lightning",
    "pytorch_lightning",
    "lightning_fabric",
    "horovod",
    "apex",
)


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Backward passes of a wrapped model that run several times for one step."""
    if cpu_only(model) or not wraps_ddp(model) or model.imports(*_FRAMEWORKS):
        return
    if _KNOWS & model.identifiers or _joins(model):
        return
    seen: set[int] = set()
    for backward in model.trace.backwards.values():
        step = _step_of_window(model, backward)
        if step is not None and id(backward.node) not in seen:
            seen.add(id(backward.node))
            labels = (Label("the step that ends the window", step.node),)
            yield Match(backward.node, {"backward": model.short(backward.node)}, labels=labels)


def _joins(model: ScriptModel) -> bool:
    """Whether ranks with fewer batches take part in the reductions of the others (`with model.join():`)."""
    return any(
        isinstance(item.item, cst.Call)
        and isinstance(item.item.func, cst.Attribute)
        and item.item.func.attr.value == "join"
        for item in model.names.every(cst.WithItem)
    )


def _step_of_window(model: ScriptModel, backward: Backward) -> Step | None:
    """The step that comes once for several runs of a backward."""
    if not backward.loops or backward.unseen or not backward.fills:
        return None
    inner = backward.loops[-1]
    for step in model.trace.steps.values():
        if inner in step.loops:
            rare, often = (frequency_of(model, e, batch_loops(model)) for e in (step, backward))
            if rare is not None and often is not None and rare.step != 1 and often.step == 1:
                return step
        elif step.loops and step.loops[-1] in backward.loops and _over_micro(model, backward):
            return step
    return None


def _over_micro(model: ScriptModel, backward: Backward) -> bool:
    """Whether the innermost loop goes through parts of a batch, which an outer loop's step ends."""
    inner = backward.loops[-1]
    return is_micro_loop(model.trace, inner, backward.loops) and bool(hints.MICRO_BATCH.search(inner.source))
