"""MEM103: a container takes in tensors that stay on the accelerator, batch after batch."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.fixes.plans import stays_local, with_method
from memlint.analysis.match import Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loops import over_loader
from memlint.analysis.training.retained_values import Holding, holdings, is_small, mutated, on_gpu, readers
from memlint.analysis.values import Kind, Tensor, Trait
from memlint.catalogue import Rule
from memlint.detect.retention.container_use import is_computed_with, leaves_device
from memlint.finding import Applicability


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Stores in loops over data whose value has no graph, is not small and lies on an accelerator."""
    for holding in holdings(model):
        held = [t for t in holding.tensors if on_gpu(t) and Trait.SCALAR not in t.traits]
        if not held or any(t.kind is Kind.GRAPH for t in holding.tensors):
            continue
        keep = holding.keep
        large = [t for t in held if not is_small(holding, t)]
        variant = "small" if not large else "used" if is_computed_with(model, holding) else "default"
        shown = model.short(keep.node) if isinstance(keep.node, cst.BaseComp) else keep.target
        yield Match(
            keep.node,
            {"container": shown, "value": model.short(keep.value_node), "turn": _turn(holding)},
            variant,
            plans=_plans(model, holding),
        )


def _turn(holding: Holding) -> str:
    """What the loop goes through, for the message."""
    loop = holding.loop
    return "batch" if over_loader(loop) or "batch" in loop.source.lower() else "iteration"


def _plans(model: ScriptModel, holding: Holding) -> tuple[Plan, ...]:
    """`.cpu()` on the value; safe where everything that reads the container moves it there anyway."""
    keep, value = holding.keep, holding.keep.value_node
    if value is keep.node or isinstance(value, (cst.Dict, cst.Tuple, cst.List)) or keep.product:
        return ()
    if not all(isinstance(m, Tensor) for m in holding.members) or not isinstance(keep.value, Tensor):
        return ()
    scope = model.function_of(keep.node) or model.module
    safe = (
        not keep.value.opaque
        and not mutated(model, model.code(value), scope)
        and stays_local(model, keep.node, keep.target)
        and all(leaves_device(model, reader) for reader in readers(model, holding))
    )
    return (
        Plan(
            Applicability.SAFE if safe else Applicability.UNSAFE,
            "add `.cpu()`",
            (Replace(value, with_method(model, value, "cpu()")),),
            ""
            if safe
            else "what reads the container then gets CPU tensors, and every `.cpu()` waits for the GPU",
        ),
    )
