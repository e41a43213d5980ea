"""MEM101: a running sum takes in loss tensors together with their autograd graphs."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.fixes.plans import detach, item, reads_as_number, shown_raw
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.retention import (
    Growth,
    growths,
    is_meter,
    is_surely_tensor,
    may_be_tensor,
    variant_of,
)
from memlint.catalogue import Rule


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Sums in loops over batches whose summand still carries a graph."""
    for growth in growths(model):
        if growth.keep.how == "sum" and not is_meter(growth):
            yield _match(model, growth)


def _match(model: ScriptModel, growth: Growth) -> Match:
    keep, value = growth.keep, growth.value_node
    plans = []
    if may_be_tensor(growth):
        sure = is_surely_tensor(model, growth)
        printed = sure and shown_raw(model, keep.node, keep.target)
        plans.append(detach(model, value, safe=sure and not printed, printed=printed))
    if plans and growth.through is None and reads_as_number(model, keep.node, keep.target):
        plans.append(item(model, value))
    labels: tuple[Label, ...] = ()
    if growth.through is not None:
        labels = (Label(f"`{keep.target}` is summed up here", keep.node),)
    target = model.code(growth.site.target) if isinstance(growth.site, cst.AugAssign) else keep.target
    return Match(
        growth.site,
        {"target": target, "value": model.short(value)},
        variant=variant_of(growth),
        labels=labels,
        plans=tuple(plans),
    )
