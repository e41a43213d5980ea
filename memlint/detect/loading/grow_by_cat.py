"""MEM412: a tensor on the GPU grows by torch.cat in a loop, which copies all of it in every iteration."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.liveness import Variable, variable
from memlint.analysis.match import Label, Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.retained_values import (
    RetainedValue,
    is_small,
    on_gpu,
    retained_values,
)
from memlint.analysis.traits import Trait
from memlint.catalogue import Rule
from memlint.detect.loading.join_once import join_once, places


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Concatenations of a local variable with what an iteration adds, where nothing in the loop reads it."""
    for retained in retained_values(model):
        line = model.statement_of(retained.store.node)
        grown = _grown(model, retained)
        if grown is None or not isinstance(line, cst.SimpleStatementLine):
            continue
        if any(_is_inside(model, read, retained.loop.node, line) for read in places(grown.reads)):
            continue
        store = retained.store
        plan, loop = join_once(model, retained, grown, line), retained.loop.node
        yield Match(
            store.node,
            {"target": store.target, "value": model.short(store.value_node)},
            labels=(Label("the loop", loop.iter),) if isinstance(loop, cst.For) else (),
            plans=(plan,) if isinstance(plan, Plan) else (),
            no_fix=plan if isinstance(plan, str) else "",
        )


def _grown(model: ScriptModel, retained: RetainedValue) -> Variable | None:
    """The variable that a concatenation of large tensors on the GPU makes longer."""
    store = retained.store
    if not store.product or not model.owns(store.node):
        return None
    large = [t for t in retained.tensors if on_gpu(t) and Trait.SCALAR not in t.traits]
    if all(is_small(retained.store, t) for t in large) or not store.target.isidentifier():
        return None
    found = variable(model, store.node, store.target)
    return found if found is not None and not found.captured else None


def _is_inside(model: ScriptModel, read: cst.Name, loop: cst.CSTNode, line: cst.CSTNode) -> bool:
    """Whether a read stands in the loop, apart from the concatenation itself and tests for None."""
    above = list(model.ancestors(read))
    tested = isinstance(above[0], cst.Comparison) and model.names_in(above[0]) == {read.value, "None"}
    return loop in above and line not in above and not tested
