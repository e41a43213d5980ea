"""What a backward reaches, and which accumulated values it leaves alive."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Backward, LiveVariable, Loop, Store
from memlint.analysis.interpret.contents import deep_ids, graph_members
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Keywords
from memlint.analysis.interpret.rebound import is_let_go
from memlint.analysis.interpret.state import State
from memlint.analysis.values import (
    NO_IDS,
    Class,
    Const,
    External,
    Function,
    Kind,
    Scalar,
    Value,
    join,
    truth,
    united,
)

# How bad it is when a target grows by values that a backward left in this state, the worst last.
_WORSE = ("", "unknown", "reached", "retained", "unreached")


def backward(
    machine: Machine,
    node: cst.CSTNode,
    roots: Value,
    *,
    retains: bool,
    fills: bool,
    unseen: bool = False,
    doubtful: frozenset[int] = NO_IDS,
    options: Keywords | None = None,
) -> None:
    """Run a backward from `roots`: everything they were computed from is reached.

    It shows that they are tensors, apart from the `doubtful` among them.
    """
    options = options or {}
    ids = deep_ids(machine, roots)
    every, proved = _reach(machine, ids, doubtful, retains=retains)
    if machine.quiet:
        machine.quiet_backward = True
        return
    machine.trace.differentiated |= every
    machine.trace.backward_roots |= ids
    event = Backward(
        node=node,
        frame=machine.frame,
        loops=machine.loops,
        ids=ids,
        fills=fills,
        code=machine.code(node),
        unseen=unseen,
        scaled=not proved.isdisjoint(machine.trace.scaled),
        retain=truth(options.get("retain_graph", options.get("retain_variables", Const(False)))),
        create=truth(options.get("create_graph", Const(False))),
    )
    written = machine.record(machine.trace.backwards, event)
    if written is not None:
        _note_held(machine, written)
        ages = machine.ages
        oldest = min((ages[n] for n in ids if n in ages), default=machine.clock)
        written.older |= {loop for loop, start, _ in machine.heads if loop is not None and oldest < start}


def _reach(
    machine: Machine, ids: frozenset[int], doubtful: frozenset[int], *, retains: bool
) -> tuple[frozenset[int], frozenset[int]]:
    """Mark everything these values were computed from as reached; all of it, and what surely is of it."""
    state = machine.state
    assert state is not None
    every = frozenset(machine.trace.ancestors(ids))
    proved = frozenset(machine.trace.ancestors(ids - doubtful, lightweight_only=True))
    if retains:
        state.retained |= every
    else:
        state.reached |= every
        state.retained -= every
    state.proved |= proved
    return every, proved


def _note_held(machine: Machine, event: Backward) -> None:
    """Write down which local variables of the running functions hold something while a backward runs."""
    # The outermost first, as they came to their variables.
    for frame in reversed(machine.frame.chain()):
        for key, value in machine.variables(frame):
            if isinstance(value, (Const, Scalar, Function, Class, External)):
                continue
            known = event.held.get(key)
            ids = united(deep_ids(machine, value), known.ids if known is not None else NO_IDS)
            event.held[key] = LiveVariable(frame, join(value, known.value) if known else value, ids)


def settle(machine: Machine, loop: Loop, edge: State) -> None:
    """At a way back to the head of `loop`, where the run is: which accumulations have grown by then."""
    kept = edge.reached | edge.retained
    for key in machine.stores_in.get(loop, ()):
        if key not in edge.pending:
            continue
        store = machine.trace.stores[key]
        slot = edge.vars.get(store.key)
        if slot is None or loop in slot[1] or loop in store.fresh or loop not in store.loops:
            continue
        if (store.only is not None and store.only is not loop) or is_let_go(machine, store, edge):
            continue
        status = _status(machine, store, edge, kept)
        if _WORSE.index(status) > _WORSE.index(store.grows.get(loop, "")):
            store.grows[loop] = status


def _status(machine: Machine, store: Store, edge: State, kept: frozenset[int]) -> str:
    """Whether backward freed what an accumulated value holds, by the end of the iteration, or ran through all
    of it (`kept`)."""
    members = graph_members(machine, store.value)
    certain = [n for n, kind in members if kind is Kind.GRAPH]
    weak = [n for n, kind in members if kind is not Kind.GRAPH]
    if certain:
        freed = [_freed(machine, n, edge.reached) or _partly_freed(machine, n, edge.reached) for n in certain]
        if all(freed):
            return "reached"
        return "retained" if all(_freed(machine, n, kept) for n in certain) else "unreached"
    proved = [n for n in weak if _proved(machine, n, edge.proved)]
    if any(_freed(machine, n, edge.reached) for n in proved):
        return "reached"
    if proved:
        return "retained"
    return "unknown"


def _partly_freed(machine: Machine, number: int, reached: frozenset[int]) -> bool:
    """Whether a backward ran through a member of a structure that code out of view has put together."""
    trace = machine.trace
    parents = trace.parents.get(number, NO_IDS) if number in trace.restructured else NO_IDS
    return any(_freed(machine, parent, reached) for parent in parents)


def _proved(machine: Machine, number: int, roots: frozenset[int]) -> bool:
    """Whether a backward showed a value to be a tensor, or it is light arithmetic on such a value."""
    trace, seen, stack = machine.trace, {number}, [number]
    while stack:
        current = stack.pop()
        if current in roots:
            return True
        if current in trace.lightweight and current not in trace.unpacked:
            fresh = trace.parents.get(current, NO_IDS) - seen
            seen |= fresh
            stack.extend(fresh)
    return False


def _freed(machine: Machine, number: int, reached: frozenset[int]) -> bool:
    """Whether a backward ran through a value, or it only adds light arithmetic to such values.

    What is computed from a loss, such as `exp(loss)`, saves a number.
    """
    numbers = reached & machine.trace.backward_roots
    return _adds_little(machine, number, reached) or _adds_little(machine, number, numbers, elementwise=True)


def _adds_little(machine: Machine, number: int, ends: frozenset[int], *, elementwise: bool = False) -> bool:
    """Whether light arithmetic leads from a value to `ends` only, or elementwise functions."""
    trace, seen, stack = machine.trace, {number}, [number]
    while stack:
        current = stack.pop()
        if current in ends:
            continue
        parents = trace.parents.get(current, NO_IDS) & trace.parents.keys()
        # Beside a graph for sure, what may be a mere number holds nothing.
        parents = parents - trace.unknowns or parents
        light = current in trace.lightweight or (elementwise and current in trace.elementwise)
        if not light or not parents:
            return False
        fresh = parents - seen
        seen |= fresh
        stack.extend(fresh)
    return True
