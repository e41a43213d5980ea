"""MEM119: a batch is skipped after its forward pass, and its graph waits for the next one to end."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.control_flow import Leave, early_exits
from memlint.analysis.dataflow.liveness import delete_before
from memlint.analysis.facts import Backward
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.containers import removals
from memlint.catalogue import Rule
from memlint.syntax.expressions import place
from memlint.syntax.tree import statements


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Branches that `continue` between a forward pass and its backward, each once."""
    seen: set[cst.CSTNode] = set()
    for backward in model.trace.backwards.values():
        if not backward.fills or backward.unseen or not backward.loops:
            continue
        if backward.loops[-1].frame is not backward.frame:
            continue
        for branch in _skips(model, backward):
            names = _holders(model, backward, branch)
            if names and branch not in seen and not _lets_go(model, branch, names):
                seen.add(branch)
                yield _match(model, backward, branch, names)


def _match(model: ScriptModel, backward: Backward, branch: cst.If, names: list[str]) -> Match:
    last = statements(branch.body)[-1]
    plans, reason = delete_before(model, tuple(names), last)
    label = Label("the backward that would have freed the graph", backward.node)
    return Match(branch.test, {"names": ", ".join(names)}, labels=(label,), plans=plans, no_fix=reason)


def _skips(model: ScriptModel, backward: Backward) -> Iterator[cst.If]:
    """The `if ...: continue` statements of the loop body that come before a backward."""
    below: cst.CSTNode = backward.node
    for above in model.ancestors(backward.node):
        if isinstance(above, cst.IndentedBlock):
            yield from early_exits(model, above, below, Leave.CONTINUE)
        if above is backward.loops[-1].node:
            return
        below = above


def _holders(model: ScriptModel, backward: Backward, branch: cst.If) -> list[str]:
    """The local names that hold the graph of this iteration's forward pass when the branch is taken."""
    rank, loop = model.positions, backward.loops[-1]
    graph = model.trace.ancestors(backward.ids)
    made: set[int] = set()
    for forward in model.trace.forwards.values():
        before = forward.frame is backward.frame and rank[forward.node] < rank[branch]
        if before and loop in forward.loops and forward.grad == "on" and forward.ids & graph:
            made |= forward.ids
    if not made:
        return []
    reaching = model.trace.descendants(made)
    bound = _bound_before(model, loop.node, branch)
    names = [
        key[1]
        for key, held in backward.held.items()
        if held.frame is backward.frame and held.ids & reaching and key[1] in bound
    ]
    return sorted(names, key=lambda name: bound[name])


def _bound_before(model: ScriptModel, loop: cst.CSTNode, branch: cst.If) -> dict[str, int]:
    """The names that the loop body assigns before a branch, with the place of the first assignment."""
    rank, bound = model.positions, dict[str, int]()
    for node in model.walk(loop):
        if isinstance(node, cst.Assign) and rank[node] < rank[branch]:
            for target in node.targets:
                for part in model.walk(target):
                    if isinstance(part, cst.Name) and isinstance(
                        model.parent(part), (cst.AssignTarget, cst.Element)
                    ):
                        bound.setdefault(part.value, rank[node])
    return bound


def _lets_go(model: ScriptModel, branch: cst.If, names: list[str]) -> bool:
    """Whether the branch itself runs backward, deletes a holder of the graph or binds it again."""
    gone = (r for r in removals(model, branch.body) if r.how in ("deleted", "bound"))
    if any(place(r.container) in names for r in gone):
        return True
    return any(a.attr.value == "backward" for a in model.every(cst.Attribute, branch.body))
