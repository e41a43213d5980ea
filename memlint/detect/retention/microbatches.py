"""Losses of independent forward passes that are summed first and run backward together."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Backward, Criterion, Forward, Loop, Store
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.optimization.accumulation_windows import waits
from memlint.analysis.values import NO_IDS
from memlint.detect.retention.loss_lists import is_summed_up
from memlint.records import dataclass
from memlint.syntax.expressions import place
from memlint.syntax.tree import words_in


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
        forward = _independent(model, store, loop, backward) if backward is not None else None
        if backward is not None and forward is not None:
            seen.add(store.node)
            yield Summed(store, loop, forward, backward)


def _backward_after(model: ScriptModel, store: Store, loop: Loop) -> Backward | None:
    """The one backward after the loop that runs through the sum, in a step of an optimizer."""
    trace, number = model.trace, _number(model, store)
    around = store.loops[:-1]
    inside = [e for e in (*trace.backwards.values(), *trace.steps.values()) if loop in e.loops]
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


def _independent(model: ScriptModel, store: Store, loop: Loop, backward: Backward) -> Forward | None:
    """The first forward pass of the loop's terms, where no term needs anything of another one."""
    trace = model.trace
    graph = model.trace.ancestors(store.ids)
    feeding = [f for f in trace.forwards.values() if f.ids & graph]
    if not feeding or any(loop not in f.loops or f.loop_carried or f.grad != "on" for f in feeding):
        return None
    if _comes_from_elsewhere(model, store.ids) or _gathers(model, store, loop, graph):
        return None
    assert isinstance(loop.node, (cst.For, cst.CompFor))
    made = frozenset().union(*(f.ids for f in feeding))
    if _needed_otherwise(model, store, loop, backward, made):
        return None
    names = {n.value for n in model.walk(loop.node.target) if isinstance(n, cst.Name)}
    if names & {place(call.func) for call in model.every(cst.Call, loop.node)}:
        return None  # a loop over networks
    if any(names & set(words_in(f.code)) for f in feeding):
        return None
    return min(feeding, key=lambda f: model.positions[f.node])


def _comes_from_elsewhere(model: ScriptModel, ids: frozenset[int]) -> bool:
    """Whether code out of view gave a part of a term that is no data; what it took the data from is none."""
    trace, seen, pending = model.trace, set[int](), list(ids)
    while pending:
        number = pending.pop()
        if number in seen or number in trace.graph_leaves:
            continue
        seen.add(number)
        parents = trace.parents.get(number, NO_IDS)
        if not parents and number in trace.unknowns:
            return True
        pending += parents
    return False


def _number(model: ScriptModel, store: Store) -> int:
    """The identity of what a sum or container has gathered."""
    return store.product or model.machine.number("content", store.key[0])


def _needed_otherwise(
    model: ScriptModel, store: Store, loop: Loop, backward: Backward, made: frozenset[int]
) -> bool:
    """Whether the same forward passes feed something else that the one backward runs through."""
    reached = model.trace.ancestors(backward.ids)
    for other in model.trace.stores.values():
        if other.node is store.node or loop not in other.loops or _number(model, other) not in reached:
            continue
        if made & model.trace.ancestors(other.ids):
            return True
    return False


def _gathers(model: ScriptModel, store: Store, loop: Loop, graph: set[int]) -> bool:
    """Whether a term is computed from what earlier iterations have gathered."""
    for other in model.trace.stores.values():
        if other.node is store.node or loop not in other.loops:
            continue
        if _number(model, other) in graph:
            return True
    return False
