"""MEM105: a meter or history object is given a tensor that still carries its graph, and keeps it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.fixes.plans import detach
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.retention import growths, is_meter, is_surely_tensor, may_be_tensor, variant_of
from memlint.catalogue import Rule
from memlint.detect.retention.running_averages import running


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Calls in loops over batches whose callee stores the graph it was handed."""
    for growth in growths(model):
        if not is_meter(growth) or growth.through is None or growth.keep.node in running(model):
            continue
        call = growth.site
        func = call.func if isinstance(call, cst.Call) else call
        meter = model.short(func.value) if isinstance(func, cst.Attribute) else model.short(func)
        literal = isinstance(growth.value_node, (cst.Dict, cst.Tuple, cst.List)) or not may_be_tensor(growth)
        yield Match(
            call,
            {"meter": meter, "method": growth.through.name, "value": model.short(growth.value_node)},
            variant="default" if variant_of(growth) == "default" else "unreached",
            labels=(Label(f"`{growth.keep.target}` keeps what it is given", growth.keep.node),),
            plans=()
            if literal
            else (detach(model, growth.value_node, safe=is_surely_tensor(model, growth)),),
        )
