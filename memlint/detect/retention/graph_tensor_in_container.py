"""MEM102: a list, dict or deque takes in tensors together with their autograd graphs."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.fixes.plans import detach, shown_raw
from memlint.analysis.match import Label, Match, Plan, causes_of
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.lifetimes.locality import stays_local
from memlint.analysis.training.retention import (
    LoopAccumulation,
    consumed,
    is_meter,
    is_surely_tensor,
    loop_accumulations,
    may_be_tensor,
    may_feed_this_step,
    variant_of,
)
from memlint.analysis.uses.tensor_uses import is_several
from memlint.catalogue import Rule

_TRAINS = "backward() of the same step may run through what goes in, and would not train it any more"

_NO_TENSOR = "nothing here shows that what goes in is a tensor, and `.detach()` of anything else raises"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Stores in loops over batches whose value still carries a graph."""
    for accumulation in loop_accumulations(model):
        if accumulation.store.how == "store" and not is_meter(accumulation):
            yield _match(model, accumulation)


def _match(model: ScriptModel, accumulation: LoopAccumulation) -> Match:
    """The match for a container, reported where it is filled or where a function is called that fills it."""
    store = accumulation.store
    labels: tuple[Label, ...] = ()
    if accumulation.through is not None:
        labels = (Label(f"`{store.target}` stores it here", store.node),)
    shown = model.short(store.node) if isinstance(store.node, cst.BaseComp) else store.target
    trains = accumulation.status == "used" and may_feed_this_step(model, store)
    trains = trains or (accumulation.status != "used" and consumed(model, store))
    return Match(
        accumulation.site,
        {"container": shown, "value": model.short(accumulation.value_node)},
        variant=_variant(model, accumulation),
        labels=labels,
        plans=() if trains else _plans(model, accumulation),
        no_fix=_TRAINS if trains else _doubt(model, accumulation),
        causes=causes_of(accumulation.graph.forwards),
    )


def _doubt(model: ScriptModel, accumulation: LoopAccumulation) -> str:
    """Why there is no fix for a single value, "" where it is several or may be detached."""
    single = not is_several(model, accumulation.value_node)
    return _NO_TENSOR if single and not may_be_tensor(model, accumulation) else ""


def _variant(model: ScriptModel, accumulation: LoopAccumulation) -> str:
    variant = variant_of(accumulation)
    if variant == "retained" and consumed(model, accumulation.store):
        return "whole"
    return variant if variant in ("default", "used") else "unreached"


def _plans(model: ScriptModel, accumulation: LoopAccumulation) -> tuple[Plan, ...]:
    """`.detach()` on a single value, where its graph is certain or the backward has freed it."""
    value = accumulation.value_node
    if value is accumulation.store.node or not may_be_tensor(model, accumulation):
        return ()
    if accumulation.graph.certain or accumulation.status == "reached":
        store = accumulation.store
        local = accumulation.through is None and stays_local(model, store.node, store.target)
        printed = shown_raw(model, store.node, store.target)
        safe = local and is_surely_tensor(model, accumulation) and not printed
        safe = safe and accumulation.status != "used"
        return (detach(model, value, safe=safe, printed=printed),)
    return ()
