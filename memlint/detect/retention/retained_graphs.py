"""Which backwards keep a graph that no other backward uses."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_order import exclusive
from memlint.analysis.dataflow.value_sources import call_graph
from memlint.analysis.facts import Backward
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.graphs import is_handed_out
from memlint.analysis.training.made_once import made_once
from memlint.analysis.values import NO_IDS
from memlint.detect.retention.continued_graphs import (
    follows,
    from_elsewhere,
    goes_on_out_of_view,
    hands_state_on,
    is_given,
    may_go_on,
    together,
)


def needless(model: ScriptModel) -> Iterator[Backward]:
    """Every backward with `retain_graph=True` whose graph nothing needs afterwards, once for its place."""
    unneeded: dict[cst.CSTNode, Backward] = {}
    needed: set[cst.CSTNode] = set()
    for backward in model.trace.backwards.values():
        if backward.retain is not True or backward.create is not False or backward.unseen:
            continue
        if is_needed(model, backward):
            needed.add(backward.node)
        else:
            unneeded.setdefault(backward.node, backward)
    yield from (b for node, b in unneeded.items() if node not in needed)


def is_needed(model: ScriptModel, backward: Backward) -> bool:
    """Whether something may run backward through the graph again; in doubt it may."""
    # A function that calls itself may do so for each head of a network with one trunk.
    if call_graph(model).calls_itself(backward.frame.node):
        return True
    if not backward.ids or backward.older or _continues(model, backward) or is_given(model, backward):
        return True
    if hands_state_on(model, backward):
        return True
    graph = graph_of(model, backward)
    if not _begins_here(model, graph) or from_elsewhere(model, backward, graph):
        return True
    if made_once(model, backward, graph):
        return True
    if is_handed_out(model, graph) or (not backward.loops and may_go_on(model, backward)):
        return True
    if goes_on_out_of_view(model, backward, graph):
        return True
    for other in model.trace.backwards.values():
        if other is backward or not together(backward, other) or exclusive(model, backward, other):
            continue
        if not other.ids:
            return True
        theirs = graph_of(model, other)
        if other.create is not False and (not theirs or from_elsewhere(model, other, theirs)):
            return True  # what was differentiated comes from elsewhere, and is run through once more
        shared = _shared(model, graph, theirs) or _from_one_call(model, backward, other)
        if shared and (other.older or follows(model, backward, other)):
            return True
    return False


def _begins_here(model: ScriptModel, graph: set[int]) -> bool:
    """Whether code at hand runs a network in a graph, or what it was given to call. Else the graph was made
    by whoever handed over the loss."""
    called = not graph.isdisjoint(model.trace.given_callables)
    return called or any(forward.ids & graph for forward in model.trace.forwards.values())


def _shared(model: ScriptModel, graph: set[int], other: set[int]) -> bool:
    """Whether two graphs have a part in common: the results of one forward pass have its trunk."""
    vague = model.trace.maybe_detached
    # Two results of code out of view may share what is behind them.
    if graph & other or (graph & vague and other & vague):
        return True
    return any(f.ids & graph and f.ids & other for f in model.trace.forwards.values())


def _from_one_call(model: ScriptModel, backward: Backward, other: Backward) -> bool:
    """Whether two losses come from one call of what the code was given, which may be a network, or of a
    network's method out of view, whatever its name: `decoded, latent = self.model.predict(x)`."""
    trace = model.trace
    common = trace.ancestors(backward.ids) & trace.ancestors(other.ids)
    return not common.isdisjoint((trace.given_callables.keys() | model.machine.inferred) - trace.graph_leaves)


def graph_of(model: ScriptModel, backward: Backward) -> set[int]:
    """The values that a backward runs through, without leaves, data and what is computed from these alone."""
    trace = model.trace
    graph = model.trace.ancestors(backward.ids) - trace.graph_leaves
    # What nothing makes stands for the members of its parents: those of two loaders that a loop goes through.
    members = {n for n in graph if n not in trace.made_in and trace.parents.get(n)}
    while True:
        pending = (graph & (trace.unknowns | members)) - trace.maybe_detached
        data = {n for n in pending if trace.parents.get(n, NO_IDS).isdisjoint(graph)}
        if not data:
            return graph
        graph -= data


def _continues(model: ScriptModel, backward: Backward) -> bool:
    """Whether a module that feeds the backward goes on from the state of the iteration before."""
    graph = model.trace.ancestors(backward.ids)
    feeding = (f for f in model.trace.forwards.values() if f.loop_carried and f.ids & graph)
    return any(loop in backward.loops for f in feeding for loop in f.loop_carried)
