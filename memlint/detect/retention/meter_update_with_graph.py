"""MEM105: a meter or history object is given a tensor that still carries its graph, and keeps it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from memlint.analysis.fixes.plans import detach, shows_kept, together
from memlint.analysis.match import Label, Match, Plan, causes_of
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.retention import (
    LoopAccumulation,
    is_meter,
    is_surely_tensor,
    loop_accumulations,
    may_be_tensor,
    variant_of,
)
from memlint.catalogue import Rule
from memlint.detect.retention.running_averages import running


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Calls in loops over batches whose callee stores the graph it was handed."""
    for accumulation in loop_accumulations(model):
        if not is_meter(accumulation) or accumulation.through is None:
            continue
        if accumulation.store.node in running(model):
            continue
        call = accumulation.site
        func = call.func if isinstance(call, cst.Call) else call
        meter = model.short(func.value) if isinstance(func, cst.Attribute) else model.short(func)
        each = [
            replace(accumulation, value_node=node) for node in (accumulation.value_node, *accumulation.beside)
        ]
        yield Match(
            call,
            {
                "meter": meter,
                "method": accumulation.through.name,
                "value": model.short(accumulation.value_node),
            },
            variant="default" if variant_of(accumulation) == "default" else "unreached",
            labels=(Label(f"`{accumulation.store.target}` keeps what it is given", accumulation.store.node),),
            plans=_plans(model, each, func),
            causes=causes_of(accumulation.graph.forwards),
        )


def _plans(model: ScriptModel, each: list[LoopAccumulation], func: cst.CSTNode) -> tuple[Plan, ...]:
    """`.detach()` on each argument that is kept with a graph, if all of them have it."""
    literals = (cst.Dict, cst.Tuple, cst.List)
    if any(isinstance(a.value_node, literals) or not may_be_tensor(model, a) for a in each):
        return ()
    return (together(*(_plan(model, a, func) for a in each)),)


def _plan(model: ScriptModel, accumulation: LoopAccumulation, func: cst.CSTNode) -> Plan:
    """`.detach()` at the call; unsafe where it may be no tensor, or what the meter holds is printed."""
    sure = is_surely_tensor(model, accumulation)
    keeper = func.value if isinstance(func, cst.Attribute) else func
    owner = model.class_of(accumulation.store.node)
    printed = sure and isinstance(keeper, cst.BaseExpression) and shows_kept(model, keeper, owner)
    return detach(model, accumulation.value_node, safe=sure and not printed, printed=printed)
