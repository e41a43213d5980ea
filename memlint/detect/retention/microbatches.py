"""Losses of independent forward passes that are summed first and run backward together."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_order import backwards_in, steps_beside
from memlint.analysis.facts import Backward, Criterion, Forward, Loop, Store
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.optimization.accumulation_windows import waits
from memlint.detect.retention.independent_terms import first_independent, number_of
from memlint.detect.retention.loss_lists import is_summed_up
from memlint.records import dataclass


@dataclass(frozen=True, slots=True)
class Summed:
    """A sum over an inner loop whose graphs are all alive when its one backward begins."""

    store: Store
    loop: Loop
    forward: Forward
    backward: Backward


def summed(model: ScriptModel) -> Iterator[Summed]:
    """Every such sum, once for the statement that adds to it."""
    seen: set[cst.CSTNode] = set()
    for store in model.trace.stores.values():
        loop = store.loops[-1]
        if store.node in seen or not isinstance(loop.node, (cst.For, cst.CompFor)) or loop.variant:
            continue
        backward = _backward_after(model, store, loop)
        forward = first_independent(model, store, loop, backward) if backward is not None else None
        if backward is not None and forward is not None:
            seen.add(store.node)
            yield Summed(store, loop, forward, backward)


def _backward_after(model: ScriptModel, store: Store, loop: Loop) -> Backward | None:
    """The one backward after the loop that runs through the sum, in a step of an optimizer."""
    trace, number = model.trace, number_of(model, store)
    around = store.loops[:-1]
    inside = [*backwards_in(model, loop), *steps_beside(model, (loop,))]
    if inside:
        # A window: the sum of several iterations, and a backward in the last of them.
        if waits(model, store, loop) or not all(waits(model, e, loop) for e in inside):
            return None
        around = store.loops
    reaching = [b for b in trace.backwards.values() if b.loops == around]
    found = [b for b in reaching if number in model.trace.ancestors(b.ids)]
    if len(found) != 1 or not found[0].fills or found[0].unseen or found[0].create is not False:
        return None
    if store.how == "store" and not is_summed_up(model, store):
        return None
    if _is_computed_with(model, number, found[0]):
        return None
    return found[0] if any(s.loops[: len(around)] == around for s in trace.steps.values()) else None


def _is_computed_with(model: ScriptModel, number: int, backward: Backward) -> bool:
    """Whether a loss or a network takes in the sum: of outputs, then, and no backward of one part gives what
    that of the whole gives."""
    trace = model.trace
    reached = trace.ancestors(backward.ids)
    users: list[Criterion | Forward] = [*trace.criteria.values(), *trace.forwards.values()]
    return any(u.ids & reached and number in trace.ancestors(u.ids) - u.ids for u in users)
