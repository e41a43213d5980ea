"""In which order events happen within a step, and which exclude one another, across the calls of helpers."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.control_flow import early_exits
from memlint.analysis.facts import Event
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Frame
from memlint.syntax.tree import root_name, walk

_NEGATED = re.compile(r"^not (?P<word>[\w.\[\]'\"]+)$|^(?P<name>[\w.]+) is None$")


def moment(model: ScriptModel, event: Event) -> tuple[int, ...]:
    """The place of an event in the order of the code that runs: its calls from the outermost, then itself.

    Moments can be compared where both events belong to the same iteration.
    """
    calls = [f.call for f in reversed(event.frame.chain()) if f.call is not None]
    return tuple(model.positions.get(node, -1) for node in (*calls, event.node))


def places(event: Event) -> dict[Frame, cst.CSTNode]:
    """The node that is executed in each active frame when an event happens: the event, or the call to it."""
    found: dict[Frame, cst.CSTNode] = {}
    node: cst.CSTNode | None = event.node
    for frame in event.frame.chain():
        if node is not None:
            found[frame] = node
        node = frame.call
    return found


def share_iteration(a: Event, b: Event) -> bool:
    """Whether two events belong to the same iteration: one runs in the loops of the other, or deeper."""
    shared = min(len(a.loops), len(b.loops))
    return a.loops[:shared] == b.loops[:shared]


def together(a: Event, b: Event) -> bool:
    """Whether two events belong to the same training step: one iteration, or one activation of a function."""
    if not share_iteration(a, b):
        return False
    if a.loops and b.loops:
        return True
    mine, theirs = a.frame.chain(), b.frame.chain()
    if len(mine) == 1 or len(theirs) == 1:
        return a.frame is b.frame
    return mine[-2] is theirs[-2]


def exclusive(model: ScriptModel, a: Event, b: Event) -> bool:
    """Whether one iteration runs only one of two events: other branches of an `if`, or of one like it."""
    if alternatives(a, b):
        return True
    mine = dict(conditions(model, a))
    return any(mine.get(test, holds) != holds for test, holds in conditions(model, b))


def alternatives(a: Event, b: Event) -> bool:
    """Whether one call leads to two events by different functions: it runs either of them."""
    called = {(id(f.call), id(f.caller)): f.node for f in a.frame.chain() if f.call is not None}
    return any(
        called.get((id(f.call), id(f.caller)), f.node) is not f.node and not _in_turn(b, f.call)
        for f in b.frame.chain()
        if f.call is not None
    )


def _in_turn(event: Event, call: cst.CSTNode) -> bool:
    """Whether a loop goes through the functions that a call runs one after another."""
    name = root_name(call.func) if isinstance(call, cst.Call) else ""
    targets = (x.node.target for x in event.loops if isinstance(x.node, (cst.For, cst.CompFor)))
    return any(type(n) is cst.Name and n.value == name for target in targets for n in walk(target))


def conditions(model: ScriptModel, event: Event) -> list[tuple[str, bool]]:
    """The tests that led to an event, by their code, with the outcome that each had."""
    nodes = [event.node, *(f.call for f in event.frame.chain() if f.call is not None)]
    return [found for node in nodes for found in _conditions_around(model, node)]


@cached
def _conditions_around(model: ScriptModel, node: cst.CSTNode) -> list[tuple[str, bool]]:
    return list(_around(model, node))


def _around(model: ScriptModel, node: cst.CSTNode) -> Iterator[tuple[str, bool]]:
    below = node
    for above in model.ancestors(node):
        if isinstance(above, (cst.If, cst.IfExp)) and below is not above.test:
            yield _plain(model.code(above.test), below is above.body)
        if isinstance(above, (cst.IndentedBlock, cst.Module)):
            for earlier in early_exits(above, below):
                yield _plain(model.code(earlier.test), False)
        if isinstance(above, (cst.FunctionDef, cst.Lambda)):
            return
        below = above


def _plain(test: str, holds: bool) -> tuple[str, bool]:
    found = _NEGATED.match(test)
    if found is None:
        return test.removesuffix(" is not None"), holds
    return found["word"] or found["name"], not holds
