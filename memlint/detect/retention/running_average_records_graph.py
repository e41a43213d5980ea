"""MEM107: a running average whose new value keeps the graph of all old ones."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Average
from memlint.analysis.fixes.plans import ASKED, PRINTED, no_grad_header, shown_raw
from memlint.analysis.match import Match, Plan, Wrap
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.grad_reads import asks_for_graph
from memlint.catalogue import Rule
from memlint.detect.retention.running_averages import is_used, running, walks_stored
from memlint.finding import Applicability
from memlint.syntax.tree import statements

_USED = "right only if nothing differentiates through the average"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Averages that outlive the step and take in something with a graph, each statement once."""
    for average in running(model).values():
        used = is_used(model, average)
        values = {"target": average.target, "value": model.short(average.operand)}
        yield Match(average.node, values, "used" if used else "default", plans=_plans(model, average, used))


def _plans(model: ScriptModel, average: Average, used: bool) -> tuple[Plan, ...]:
    """The average, or the loop that is nothing else, under `no_grad`."""
    line = model.statement_of(average.node)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return ()
    block = model.parent(line)
    loop = model.parent(block) if block is not None else None
    region: cst.BaseStatement = line
    if isinstance(loop, cst.For) and walks_stored(loop.iter) and len(statements(loop.body)) == 1:
        region = loop
    header, imports = no_grad_header(model)
    asked = asks_for_graph(model)
    printed = shown_raw(model, average.node, average.target)
    safe = not used and not asked and average.weights and not printed
    caution = ASKED if asked and not used else PRINTED if printed and not used else _USED
    return (
        Plan(
            Applicability.SAFE if safe else Applicability.UNSAFE,
            "average under `torch.no_grad()`",
            (Wrap((region,), header), *imports),
            "" if safe else caution,
        ),
    )
