"""Optimizer steps whose gradients are cleared before they are used."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.facts import Backward, Loop, Step, Zero
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Frame


def lost_gradients(model: ScriptModel) -> Iterator[tuple[Zero, Step, Backward]]:
    """(zero_grad, step, backward) in one block where the step comes to cleared gradients each time.

    Nothing but these three decides it: all backwards of the run stand in the block itself, and nothing writes
    gradients by hand.
    """
    for step in model.trace.steps.values():
        block = _block(model, step.node)
        own = [e for e in _events_of_blocks(model).get(block, ()) if block and e.frame is step.frame]
        zeros = [e for e in own if isinstance(e, Zero) and e.target is step.optimizer]
        backwards = [e for e in own if isinstance(e, Backward)]
        if not zeros or not backwards or not _are_all(model, backwards, step):
            continue
        last = _before(model, step, [*zeros, *backwards])
        if isinstance(last, Zero) and not _may_fill(model, last, step):
            yield last, step, backwards[-1]


@cached
def _events_of_blocks(model: ScriptModel) -> dict[cst.CSTNode | None, list[Zero | Backward]]:
    """What clears and fills gradients as a statement of its own, by the block that it stands in."""
    found: dict[cst.CSTNode | None, list[Zero | Backward]] = {}
    events: list[Zero | Backward] = [*model.trace.zeros.values(), *model.trace.backwards.values()]
    for event in events:
        found.setdefault(_block(model, event.node), []).append(event)
    return found


def _are_all(model: ScriptModel, backwards: list[Backward], step: Step) -> bool:
    """Whether these fill gradients, and are all the backwards that one loop, or one function that calls
    them, runs with a step."""
    functions = (f for f in step.frame.chain() if isinstance(f.node, cst.FunctionDef))
    places: list[Frame | Loop] = [*functions, *step.loops]
    inside = _backwards_inside(model)
    here = (b for b in inside.get(step.frame, ()) if b.frame is step.frame)
    together = chain(here, *(inside.get(place, ()) for place in places))
    return all(other.fills and other in backwards for other in together)


@cached
def _backwards_inside(model: ScriptModel) -> dict[Frame | Loop, list[Backward]]:
    """The backwards that run in each loop, and in each call of a function or what it calls."""
    found: dict[Frame | Loop, list[Backward]] = {}
    for backward in model.trace.backwards.values():
        places: list[Frame | Loop] = [*backward.frame.chain(), *backward.loops]
        for place in places:
            found.setdefault(place, []).append(backward)
    return found


def _block(model: ScriptModel, node: cst.CSTNode) -> cst.CSTNode | None:
    """The block that a call is a statement of, or a `with` around it, which runs what it holds."""
    above = model.parent(node)
    line = model.parent(above) if isinstance(above, cst.Expr) else None
    block = model.parent(line) if isinstance(line, cst.SimpleStatementLine) else None
    while isinstance(block, cst.IndentedBlock) and isinstance(holder := model.parent(block), cst.With):
        block = model.parent(holder)
    return block


def _before(model: ScriptModel, step: Step, events: list[Zero | Backward]) -> Zero | Backward | None:
    """The last of some events before a step; in a loop that may be one of the iteration before."""
    rank = model.positions
    events = sorted(events, key=lambda e: rank[e.node])
    earlier = [e for e in events if rank[e.node] < rank[step.node]]
    if earlier or not step.loops:
        return earlier[-1] if earlier else None
    own = isinstance(model.parent(_block(model, step.node) or step.node), (cst.For, cst.While))
    return events[-1] if own else None


def _may_fill(model: ScriptModel, zero: Zero, step: Step) -> bool:
    """Whether gradients may come from elsewhere: a closure, `.grad` by hand, code that gets the optimizer."""
    if isinstance(step.node, cst.Call) and step.node.args:
        return True
    around = model.walk(step.frame.node)
    if any(type(n) is cst.Attribute and n.attr.value == "grad" for n in around):
        return True
    opaque = [o for o in model.trace.opaque_calls.values() if o.frame is step.frame]
    calls = (o for o in opaque if not hints.CLIPS_GRADIENTS.search(o.name) and zero.loops == o.loops)
    return any(step.optimizer.id in o.objects or "grad" in o.name or "backward" in o.name for o in calls)
