"""Sums that begin with a loss: `ema = loss if ema is None else 0.9 * ema + 0.1 * loss`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.model import ScriptModel
from memlint.analysis.training.retention import LoopAccumulation
from memlint.syntax.expressions import UNKNOWN, literal, same


def with_its_start(model: ScriptModel, accumulation: LoopAccumulation) -> list[cst.CSTNode]:
    """What has to be detached for a sum to carry no graph: the new term, or all of the sum where it may have
    begun with a graph, as the chain of its steps would go on from there."""
    value, site = accumulation.value_node, accumulation.store.node
    starts = list(_starts(model, accumulation)) if accumulation.through is None else []
    if not starts:
        return [value]
    if isinstance(site, cst.Assign):
        above = [n for n in model.ancestors(value) if isinstance(n, cst.BinaryOperation)]
        return [above[-1]] if above else [value]
    parts = list(model.walk(value))
    return [value, *(start for start in starts if any(same(start, part) for part in parts))]


def _starts(model: ScriptModel, accumulation: LoopAccumulation) -> Iterator[cst.BaseExpression]:
    """What else the variable of a sum is given in the loop, but for constants."""
    site, loop = accumulation.store.node, accumulation.loop.node
    scope = model.function_of(site)
    inside = loop if model.function_of(loop) is scope else scope or model.module
    kept = [site.target] if isinstance(site, cst.AugAssign) else []
    kept += [t.target for t in site.targets] if isinstance(site, cst.Assign) else []
    for line in model.every(cst.Assign, inside):
        if not any(same(t.target, node) for t in line.targets for node in kept):
            continue
        values = [line.value]
        if isinstance(line.value, cst.IfExp):
            values = [line.value.body, line.value.orelse]
        for value in values:
            sums = line is site and any(n is accumulation.value_node for n in model.walk(value))
            if not sums and literal(value) is UNKNOWN:
                yield value
