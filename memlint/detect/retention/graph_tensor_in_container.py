"""MEM102: a list, dict or deque takes in tensors together with their autograd graphs."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.fixes.plans import detach, stays_local
from memlint.analysis.match import Label, Match, Plan
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
    """Stores in loops over batches whose value still carries a graph."""
    for growth in growths(model):
        if growth.keep.how == "store" and not is_meter(growth):
            yield _match(model, growth)


def _match(model: ScriptModel, growth: Growth) -> Match:
    keep = growth.keep
    labels: tuple[Label, ...] = ()
    if growth.through is not None:
        labels = (Label(f"`{keep.target}` stores it here", keep.node),)
    shown = model.short(keep.node) if isinstance(keep.node, cst.BaseComp) else keep.target
    return Match(
        growth.site,
        {"container": shown, "value": model.short(growth.value_node)},
        variant="default" if variant_of(growth) == "default" else "unreached",
        labels=labels,
        plans=_plans(model, growth),
    )


def _plans(model: ScriptModel, growth: Growth) -> tuple[Plan, ...]:
    value = growth.value_node
    if (
        isinstance(value, (cst.Dict, cst.Tuple, cst.List))
        or value is growth.keep.node
        or not may_be_tensor(growth)
    ):
        return ()
    if growth.certain or growth.status == "reached":
        local = growth.through is None and stays_local(model, growth.keep.node, growth.keep.target)
        return (detach(model, value, safe=local and is_surely_tensor(model, growth)),)
    return ()
