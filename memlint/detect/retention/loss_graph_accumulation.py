"""MEM101: a running sum takes in loss tensors together with their autograd graphs."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_order import exclusive
from memlint.analysis.fixes.plans import detach, item, reads_as_number, shown_raw, together
from memlint.analysis.match import Label, Match, Plan, causes_of
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
from memlint.detect.retention.first_terms import with_its_start


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Sums in loops over batches whose summand still carries a graph, the branches of one sum together."""
    groups: list[list[LoopAccumulation]] = []
    alike: dict[tuple[object, ...], list[list[LoopAccumulation]]] = {}
    for accumulation in loop_accumulations(model):
        if accumulation.store.how != "sum" or is_meter(accumulation):
            continue
        same = alike.setdefault((accumulation.store.key, id(accumulation.loop), accumulation.status), [])
        group = next((g for g in same if all(_is_other_branch(model, accumulation, a) for a in g)), None)
        if group is None:
            groups.append([accumulation])
            same.append(groups[-1])
        else:
            group.append(accumulation)
    for group in groups:
        yield _match(model, *sorted(group, key=lambda a: model.positions.get(a.site, 0)))


def _is_other_branch(model: ScriptModel, one: LoopAccumulation, other: LoopAccumulation) -> bool:
    """Whether each iteration adds only one of two values to a sum, which is the same."""
    direct = one.through is None and other.through is None
    return direct and exclusive(model, one.store, other.store)


def _match(model: ScriptModel, accumulation: LoopAccumulation, *others: LoopAccumulation) -> Match:
    """The match for a sum, with `.detach()` and, where it is only read as a number, `.item()` as fixes."""
    store, value = accumulation.store, accumulation.value_node
    kinds = [_plans(model, a) for a in (accumulation, *others)]
    plans = [together(*same) for same in zip(*kinds, strict=False)] if all(kinds) else []
    labels = tuple(Label("and here in the other branch", other.site) for other in others)
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
        if _is_differentiated(accumulation)
        else "",
        causes=causes_of(f for a in (accumulation, *others) for f in a.graph.forwards),
    )


def _is_differentiated(accumulation: LoopAccumulation) -> bool:
    return accumulation.status in ("whole", "used")


def _plans(model: ScriptModel, accumulation: LoopAccumulation) -> list[Plan]:
    store, value = accumulation.store, accumulation.value_node
    plans, nodes = list[Plan](), list[cst.CSTNode]()
    if not _is_differentiated(accumulation) and may_be_tensor(model, accumulation):
        sure = is_surely_tensor(model, accumulation)
        printed = sure and shown_raw(model, store.node, store.target)
        handed = is_handed_out(model, {store.product})
        safe = sure and not printed
        nodes = with_its_start(model, accumulation)
        plans.append(together(*(detach(model, n, safe=safe, printed=printed, handed=handed) for n in nodes)))
    direct = accumulation.through is None and nodes == [value]
    if plans and direct and reads_as_number(model, store.node, store.target):
        plans.append(item(model, value))
    return plans
