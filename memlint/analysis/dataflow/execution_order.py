"""The order of execution: what a file calls, through imports, functions and main, and what ran before."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.step_order import places
from memlint.analysis.facts import Called, Event
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Frame
from memlint.syntax.tree import is_main_guard


@cached
def call_trace(model: ScriptModel) -> list[Called]:
    """Everything that the file calls, imports or puts into the environment, in the order of execution."""
    return list(model.machine.trace.called.values())


def calls_of(model: ScriptModel, *paths: str) -> Iterator[Called]:
    """The calls of these import paths (or `.methods`), in the order of execution."""
    index = _calls_by_path(model)
    for path in paths:
        yield from index.get(path, ())


@cached
def _calls_by_path(model: ScriptModel) -> dict[str, list[Called]]:
    index: dict[str, list[Called]] = {}
    for event in call_trace(model):
        index.setdefault(event.path, []).append(event)
    return index


@cached
def _ranks(model: ScriptModel) -> dict[int, int]:
    """The place of each call in the order of execution, by the identity of its event."""
    return {id(event): n for n, event in enumerate(call_trace(model))}


def ran_before(model: ScriptModel, first: Called, second: Called) -> str:
    """Whether one call ran before another: "yes", "maybe" (on some paths only), or "no".

    Functions that nothing in the file calls run after its top level, in no known order among themselves.
    """
    ranks = _ranks(model)
    start, end = _root(first), _root(second)
    if start is not end and not isinstance(start.node, cst.Module):
        return "no"
    if ranks[id(first)] >= ranks[id(second)]:
        return "no"
    return _on_the_way(model, first, second)


def in_one_run(first: Event, second: Event) -> bool:
    """Whether one run of the script leads to both: not each in a function that only others call."""
    roots = (_root(first), _root(second))
    return roots[0] is roots[1] or any(isinstance(root.node, cst.Module) for root in roots)


def is_conditional(model: ScriptModel, event: Event) -> bool:
    """Whether an event happens only on some paths of the run that leads to it."""
    for frame, node in places(event).items():
        below = node
        for above in model.ancestors(node):
            if above is frame.node:
                break
            if _is_branch(above, below):
                return True
            below = above
    return False


def place_in_module(event: Event) -> cst.CSTNode | None:
    """What the module itself was executing when an event happened; None in functions run on their own."""
    found = [node for frame, node in places(event).items() if isinstance(frame.node, cst.Module)]
    return found[0] if found and isinstance(_root(event).node, cst.Module) else None


def _root(event: Event) -> Frame:
    """The outermost activation that the event belongs to: the module, or a function run on its own."""
    chain = event.frame.chain()
    return next((frame for frame in chain if frame.entry), chain[-1])


def _on_the_way(model: ScriptModel, first: Called, second: Called) -> str:
    """Whether every path to `second` ran `first`: it stands in no branch that `second` is not in."""
    other = places(second)
    conditional = False
    for frame, node in places(first).items():
        around = {id(n) for n in (other[frame], *model.ancestors(other[frame]))} if frame in other else set()
        below = node
        for above in model.ancestors(node):
            if id(above) in around:
                if _is_exclusive(above, below, around):
                    return "no"
                break
            if above is frame.node:
                break
            conditional = conditional or _is_branch(above, below)
            below = above
        if frame in other:
            break
    return "maybe" if conditional else "yes"


def _is_branch(above: cst.CSTNode, below: cst.CSTNode) -> bool:
    """Whether a node runs only on some of the paths through the node above it."""
    if isinstance(above, (cst.If, cst.IfExp)):
        return below is not above.test and not is_main_guard(above)
    if isinstance(above, cst.BooleanOperation):
        return below is above.right
    return isinstance(above, (cst.ExceptHandler, cst.MatchCase))


def _is_exclusive(above: cst.CSTNode, below: cst.CSTNode, around: set[int]) -> bool:
    """Whether two nodes below a common one stand in different branches of it."""
    if isinstance(above, (cst.If, cst.IfExp)):
        return below is not above.test and id(above.test) not in around
    return isinstance(above, cst.Match)
