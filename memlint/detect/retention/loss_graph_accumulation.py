"""MEM101: a running sum takes in loss tensors together with their autograd graphs."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.fixes.plans import detach, item, reads_as_number, shown_raw
from memlint.analysis.match import Label, Match, causes_of
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.graphs import is_handed_out
from memlint.analysis.training.retention import (
    LoopAccumulation,
    is_meter,
    is_surely_tensor,
    loop_accumulations,
    may_be_tensor,
    variant_of,
)
from memlint.catalogue import Rule


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Sums in loops over batches whose summand still carries a graph."""
    for accumulation in loop_accumulations(model):
        if accumulation.store.how == "sum" and not is_meter(accumulation):
            yield _match(model, accumulation)


def _match(model: ScriptModel, accumulation: LoopAccumulation) -> Match:
    """The match for a sum, with `.detach()` and, where it is only read as a number, `.item()` as fixes."""
    store, value = accumulation.store, accumulation.value_node
    plans = []
    differentiated = accumulation.status in ("whole", "used")
    if not differentiated and may_be_tensor(model, accumulation):
        sure = is_surely_tensor(model, accumulation)
        printed = sure and shown_raw(model, store.node, store.target)
        handed = is_handed_out(model, {store.product})
        plans.append(detach(model, value, safe=sure and not printed, printed=printed, handed=handed))
    if plans and accumulation.through is None and reads_as_number(model, store.node, store.target):
        plans.append(item(model, value))
    labels: tuple[Label, ...] = ()
    if accumulation.through is not None:
        labels = (Label(f"`{store.target}` is summed up here", store.node),)
    site = accumulation.site
    target = model.code(site.target) if isinstance(site, cst.AugAssign) else store.target
    return Match(
        accumulation.site,
        {"target": target, "value": model.short(value)},
        variant=variant_of(accumulation),
        labels=labels,
        plans=tuple(plans),
        no_fix="the sum is differentiated, and which loss each step is meant to train on is yours to say"
        if differentiated
        else "",
        causes=causes_of(accumulation.graph.forwards),
    )
