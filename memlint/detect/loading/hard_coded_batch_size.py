"""MEM413: the batch size of training is a number in the script."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_frequency import frequency_of
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.knowledge import hints
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hardware.devices import uses_cuda
from memlint.analysis.training.loading.datasets import trained_from
from memlint.analysis.training.loading.workers import loader_argument, loaders
from memlint.analysis.training.loops import batch_loops
from memlint.catalogue import Rule


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Literal batch sizes of loaders that a CUDA script trains from."""
    if not uses_cuda(model) or _adapts(model):
        return
    seen: set[cst.CSTNode] = set()
    for loader in loaders(model):
        size = loader_argument(model, loader, "batch_size")
        if size is None or size in seen or not trained_from(model, loader):
            continue
        literal = _literal(model, size)
        if literal is not None and literal.evaluated_value > 1:
            seen.add(size)
            labels = (Label("the number is written here", literal),) if literal is not size else ()
            yield Match(size, {"size": literal.value}, labels=labels)


def _adapts(model: ScriptModel) -> bool:
    """Whether the script has another way to fit the memory: accumulation, or a retry with smaller batches."""
    if "out of memory" in model.text:
        return True
    if any(hints.ADAPTS_BATCH_SIZE.search(name) for name in model.identifiers):
        return True
    steps = (frequency_of(model, step, batch_loops(model)) for step in model.trace.steps.values())
    return any(often is not None and often.step != 1 for often in steps)


def _literal(model: ScriptModel, node: cst.BaseExpression) -> cst.Integer | None:
    """The number that an argument is, itself or through one assignment of its name."""
    if isinstance(node, cst.Integer):
        return node
    if not isinstance(node, cst.Name):
        return None
    found = [o.node for o in value_sources(model, node)]
    if len(found) != 1 or not isinstance(found[0], cst.Integer):
        return None
    assigned = model.parent(found[0])
    named = isinstance(assigned, cst.Assign) and any(
        isinstance(t.target, cst.Name) and t.target.value == node.value for t in assigned.targets
    )
    return found[0] if named else None
