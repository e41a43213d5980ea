"""MEM103: a container takes in tensors that stay on the accelerator, batch after batch."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.fixes.plans import with_method
from memlint.analysis.match import Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.containers import stays_local
from memlint.analysis.training.loops import over_loader
from memlint.analysis.training.retained_values import (
    RetainedValue,
    held_on_gpu,
    is_small,
    mutated,
    readers,
    retained_values,
)
from memlint.analysis.values import Kind, Tensor
from memlint.catalogue import Rule
from memlint.detect.retention.container_use import is_computed_with, leaves_device
from memlint.finding import Applicability
from memlint.syntax.expressions import place


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Stores in loops over data whose value has no graph, is not small and lies on an accelerator."""
    for retained in retained_values(model):
        held = held_on_gpu(model, retained)
        if not held or any(t.kind is Kind.GRAPH for t in retained.tensors):
            continue
        store = retained.store
        large = [t for t in held if not is_small(retained, t)]
        variant = "small" if not large else "used" if is_computed_with(model, retained) else "default"
        shown = model.short(store.node) if isinstance(store.node, cst.BaseComp) else store.target
        yield Match(
            store.node,
            {"container": shown, "value": model.short(store.value_node), "turn": _turn(retained)},
            variant,
            plans=_plans(model, retained),
        )


def _turn(retained: RetainedValue) -> str:
    """What the loop goes through, for the message."""
    loop = retained.loop
    return "batch" if over_loader(loop) or "batch" in loop.source.lower() else "iteration"


def _plans(model: ScriptModel, retained: RetainedValue) -> tuple[Plan, ...]:
    """`.cpu()` on the value; safe where everything that reads the container moves it there anyway."""
    store, value = retained.store, retained.store.value_node
    if value is store.node or isinstance(value, (cst.Dict, cst.Tuple, cst.List)) or store.product:
        return ()
    if not all(isinstance(m, Tensor) for m in retained.members) or not isinstance(store.value, Tensor):
        return ()
    scope = model.function_of(store.node) or model.module
    safe = (
        not store.value.opaque
        and not mutated(model, place(value), scope)
        and stays_local(model, store.node, store.target)
        and all(leaves_device(model, reader) for reader in readers(model, retained))
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
