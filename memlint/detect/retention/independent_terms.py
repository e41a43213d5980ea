"""Terms of a sum over a loop that need nothing of each other."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.functions import targets_in
from memlint.analysis.facts import Backward, Forward, Loop, Store
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import NO_IDS
from memlint.detect.retention.recurrent_modules import keeps_its_state
from memlint.syntax.expressions import place
from memlint.syntax.tree import words_in


def first_independent(model: ScriptModel, store: Store, loop: Loop, backward: Backward) -> Forward | None:
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
    if any(names & set(words_in(f.code)) or keeps_its_state(model, f) for f in feeding):
        return None
    given = {name for f in feeding for name in model.names_in(f.node)}
    if given & _handed_on(model, store, loop):
        return None
    return min(feeding, key=lambda f: model.positions[f.node])


def _handed_on(model: ScriptModel, store: Store, loop: Loop) -> set[str]:
    """The variables that a pass of the loop reads as the one before has left them: `z, h = cell(z, h)`."""
    assert isinstance(loop.node, (cst.For, cst.CompFor))
    bound: dict[str, int] = {}
    targets = [target for target in targets_in(model, loop.node) if isinstance(target, cst.Name)]
    for target in targets:
        line = model.statement_of(target)
        end = model.walk(line)[-1] if line is not None else target
        bound.setdefault(target.value, model.positions[end])
    ours = {store.target, *model.names_in(loop.node.target)}
    read = (n for n in model.every(cst.Name, loop.node) if n.value in bound.keys() - ours)
    return {n.value for n in read if model.positions[n] <= bound[n.value] and _is_variable(model, n, targets)}


def _is_variable(model: ScriptModel, name: cst.Name, targets: list[cst.Name]) -> bool:
    """Whether a name stands for the value of a variable: no target, member or keyword."""
    above = model.parent(name)
    member = isinstance(above, cst.Attribute) and above.attr is name
    keyword = isinstance(above, cst.Arg) and above.keyword is name
    return not (member or keyword) and not any(target is name for target in targets)


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


def number_of(model: ScriptModel, store: Store) -> int:
    """The identity of what a sum or container has gathered."""
    return store.product or model.machine.number("content", store.key[0])


def _needed_otherwise(
    model: ScriptModel, store: Store, loop: Loop, backward: Backward, made: frozenset[int]
) -> bool:
    """Whether the same forward passes feed something else that the one backward runs through."""
    reached = model.trace.ancestors(backward.ids)
    for other in model.trace.stores.values():
        if other.node is store.node or loop not in other.loops or number_of(model, other) not in reached:
            continue
        if made & model.trace.ancestors(other.ids):
            return True
    return False


def _gathers(model: ScriptModel, store: Store, loop: Loop, graph: set[int]) -> bool:
    """Whether a term is computed from what earlier iterations have gathered."""
    for other in model.trace.stores.values():
        if other.node is store.node or loop not in other.loops:
            continue
        if number_of(model, other) in graph:
            return True
    return False
