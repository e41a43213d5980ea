"""The order of execution: what ran before what, what belongs to one step, and what excludes one another.

All of it is asked of the events of the abstract run, across the calls of helpers and through imports.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.control_flow import Leave, leaves
from memlint.analysis.dataflow.program_points import BRANCHES, Arm, arms, excludes, surely_before
from memlint.analysis.dataflow.program_points import is_conditional as has_branches
from memlint.analysis.facts import Backward, Called, Event, Loop, Step, Zero
from memlint.analysis.knowledge.patterns import pattern
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Frame
from memlint.syntax.tree import root_name, walk

E = TypeVar("E", bound=Event)

_NEGATED = pattern(r"^not (?P<word>[\w.\[\]'\"]+(\([\w., ]*\))?)$|^(?P<name>[\w.]+) is None$")


# --- the calls of a run ---------------------------------------------------------------------------------


@cached
def call_trace(model: ScriptModel) -> list[Called]:
    """Everything that the file calls, imports or puts into the environment, in the order of execution."""
    return list(model.machine.trace.calls.values())


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
    path, other = path_to(model, first), path_to(model, second)
    if excludes(path, other) or _has_returned(model, first, second):
        return "no"
    return "yes" if surely_before(path, other, BRANCHES) else "maybe"


def _has_returned(model: ScriptModel, first: Event, second: Event) -> bool:
    """Whether a function of which both run a part returns from the branch of the first, wherever that is."""
    later = active_nodes(second)
    for frame, node in active_nodes(first).items():
        if frame not in later or later[frame] is node or isinstance(frame.node, cst.Module):
            continue
        around = {*model.ancestors(later[frame])}
        for arm in arms(model, node):
            block = arm.construct.body if isinstance(arm.construct, cst.If) and arm.side == "then" else None
            if block is not None and block not in around and leaves(block, Leave.RETURN):
                return True
    return False


def in_one_run(first: Event, second: Event) -> bool:
    """Whether one run of the script leads to both: not each in a function that only others call."""
    roots = (_root(first), _root(second))
    return roots[0] is roots[1] or any(isinstance(root.node, cst.Module) for root in roots)


def is_conditional(model: ScriptModel, event: Event) -> bool:
    """Whether an event happens only on some paths of the run that leads to it."""
    return has_branches(path_to(model, event), BRANCHES)


def statement_in_module(event: Event) -> cst.CSTNode | None:
    """What the module itself was executing when an event happened; None in functions run on their own."""
    found = [node for frame, node in active_nodes(event).items() if isinstance(frame.node, cst.Module)]
    return found[0] if found and isinstance(_root(event).node, cst.Module) else None


def _root(event: Event) -> Frame:
    """The outermost activation that the event belongs to: the module, or a function run on its own."""
    chain = event.frame.chain()
    return next((frame for frame in chain if frame.entry), chain[-1])


# --- program points -------------------------------------------------------------------------------------


@cached
def program_point(model: ScriptModel, event: Event) -> tuple[int, ...]:
    """The place of an event in the order of the code that runs: its calls from the outermost, then itself.

    The numbers are ranks of nodes in the source. Points can be compared where both events belong to the
    same iteration.
    """
    calls = [f.call for f in reversed(event.frame.chain()) if f.call is not None]
    return tuple(model.positions.get(node, -1) for node in (*calls, event.node))


def active_nodes(event: Event) -> dict[Frame, cst.CSTNode]:
    """The node that is executed in each active frame when an event happens: the event, or the call to it."""
    found: dict[Frame, cst.CSTNode] = {}
    node: cst.CSTNode | None = event.node
    for frame in event.frame.chain():
        if node is not None:
            found[frame] = node
        node = frame.call
    return found


def path_to(model: ScriptModel, event: Event) -> list[Arm]:
    """The branches, loops and handlers that lead to an event in all active frames, innermost first."""
    return [arm for frame, node in active_nodes(event).items() for arm in arms(model, node, frame)]


# --- one step -------------------------------------------------------------------------------------------


def backwards_beside(model: ScriptModel, loops: Iterable[Loop]) -> list[Backward]:
    """The backwards that run in one of some loops, in the order of the trace."""
    return _beside(_backwards_by_loop(model), loops)


def steps_beside(model: ScriptModel, loops: Iterable[Loop]) -> list[Step]:
    """The optimizer steps that run in one of some loops, in the order of the trace."""
    return _beside(_steps_by_loop(model), loops)


def backwards_in(model: ScriptModel, loop: Loop) -> list[Backward]:
    """The backwards that run in a loop, in the order of the trace."""
    return [backward for _, backward in _backwards_by_loop(model).get(loop, ())]


def zeros_in(model: ScriptModel, loop: Loop) -> list[Zero]:
    """What clears gradients in a loop, in the order of the trace."""
    return [zero for _, zero in _zeros_by_loop(model).get(loop, ())]


@cached
def _zeros_by_loop(model: ScriptModel) -> dict[Loop, list[tuple[int, Zero]]]:
    return _by_loop(model.trace.zeros.values())


@cached
def _backwards_by_loop(model: ScriptModel) -> dict[Loop, list[tuple[int, Backward]]]:
    return _by_loop(model.trace.backwards.values())


@cached
def _steps_by_loop(model: ScriptModel) -> dict[Loop, list[tuple[int, Step]]]:
    return _by_loop(model.trace.steps.values())


def _by_loop(events: Iterable[E]) -> dict[Loop, list[tuple[int, E]]]:
    """The events in each loop, each with its place among all."""
    found: dict[Loop, list[tuple[int, E]]] = {}
    for place, event in enumerate(events):
        for loop in event.loops:
            found.setdefault(loop, []).append((place, event))
    return found


def _beside(index: dict[Loop, list[tuple[int, E]]], loops: Iterable[Loop]) -> list[E]:
    found = {place: other for loop in loops for place, other in index.get(loop, ())}
    return [found[place] for place in sorted(found)]


def in_one_iteration(a: Event, b: Event) -> bool:
    """Whether two events belong to the same iteration: one runs in the loops of the other, or deeper."""
    return in_line(a.loops, b.loops)


def in_line(a: tuple[Loop, ...], b: tuple[Loop, ...]) -> bool:
    """Whether the loops around something are those around something else, or begin with these."""
    shared = min(len(a), len(b))
    return a[:shared] == b[:shared]


def in_one_step(a: Event, b: Event) -> bool:
    """Whether two events belong to the same training step: one iteration, or one activation of a function."""
    if not in_one_iteration(a, b):
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
    if not (found := conditions(model, a)) or not (others := conditions(model, b)):
        return False
    mine = dict(found)
    return any(mine.get(test, holds) != holds for test, holds in others)


def alternatives(a: Event, b: Event) -> bool:
    """Whether one call leads to two events by different functions: it runs either of them."""
    if a.frame is b.frame or a.frame.call is b.frame.call is None:
        return False
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


@cached
def conditions(model: ScriptModel, event: Event) -> list[tuple[str, bool]]:
    """The tests that led to an event, by their code, with the outcome that each had."""
    return [found for node in active_nodes(event).values() for found in _conditions_around(model, node)]


def led_to_alike(model: ScriptModel, before: cst.CSTNode, node: cst.CSTNode) -> bool:
    """Whether what comes to a node has come to another one above it: under no test, or under tests that led
    to the node as well, `if raw: parts = net(x)` above `if raw: parts[i] = ...`."""
    led = dict(_conditions_around(model, node))
    above = model.positions[before] < model.positions[node]
    return above and all(led.get(test) == holds for test, holds in _conditions_around(model, before))


@cached
def _conditions_around(model: ScriptModel, node: cst.CSTNode) -> list[tuple[str, bool]]:
    return [
        _plain(model.code(arm.construct.test), arm.side == "then")
        for arm in arms(model, node)
        if isinstance(arm.construct, (cst.If, cst.IfExp))
    ]


def _plain(test: str, holds: bool) -> tuple[str, bool]:
    found = _NEGATED.match(test)
    if found is None:
        return test.removesuffix(" is not None"), holds
    return found["word"] or found["name"], not holds
