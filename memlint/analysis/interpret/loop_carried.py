"""State that one iteration hands to the next: a module's result that comes back as its argument."""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst

from memlint.analysis.facts import Loop
from memlint.analysis.interpret.contents import deep_ids
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.state import Key, State
from memlint.analysis.values import NO_IDS, Kind, Value, ids_of


def state_in(machine: Machine, slots: dict[Key, cst.CSTNode]) -> frozenset[int]:
    """The graph identities in the slots where a module keeps its state from call to call."""
    found: frozenset[int] = NO_IDS
    for key in slots:
        value = machine.read(key)
        if value is not None:
            found |= deep_ids(machine, value)
    return found


def renew_state(
    machine: Machine, slots: dict[Key, cst.CSTNode], node: cst.CSTNode, ids: frozenset[int]
) -> frozenset[int]:
    """Store new state in these slots, made by the call `node` from `ids`; gives the identities of it."""
    made: set[int] = set()
    for key in slots:
        mode = machine.state.grad if machine.state is not None else "on"
        kind = {"on": Kind.GRAPH, "off": Kind.DETACHED}.get(mode, Kind.MAYBE)
        value = machine.tensor(kind, node, ids, "state", key, opaque=True)
        machine.write(key, value)
        made |= value.ids
    return frozenset(made)


def left_over(machine: Machine, given: frozenset[int]) -> list[tuple[Loop | None, list[int]]]:
    """What flows into a call, before it runs, as the pass before left it, for each loop in a further pass.

    That is neither what was made ahead of the loop nor what this pass has made again.
    """
    ages, found = machine.ages, []
    for loop, start, first in machine.heads:
        if machine.quiet and loop is not None:
            continue
        if any(ages.get(n, start) < start for n in given) and _left(machine, given, start, first):
            found.append((loop, [n for n in given if ages.get(n, start) < start]))
    return found


def _left(machine: Machine, given: frozenset[int], start: int, first: int) -> bool:
    parents, born = machine.trace.parents, machine.born
    seen, stack = set[int](), list(given)
    while stack:
        number = stack.pop()
        if number in seen:
            continue
        seen.add(number)
        time = born.get(number, start)
        if first <= time < start:
            return True
        if time >= start:
            stack.extend(parents.get(number, ()))
    return False


def carrying_loops(
    machine: Machine, left: list[tuple[Loop | None, list[int]]], made: frozenset[int]
) -> list[Loop | None]:
    """The running loops over which a call hands its result, `made`, to itself (None: a function summary)."""
    return [loop for loop, old in left if made & _computed_from(machine, old)]


def _computed_from(machine: Machine, ids: Iterable[int]) -> set[int]:
    """What values were computed from for sure: code that cannot be seen may have detached."""
    trace, seen, stack = machine.trace, set[int](), list(ids)
    while stack:
        number = stack.pop()
        if number in seen:
            continue
        seen.add(number)
        if number not in trace.maybe_detached:
            stack.extend(trace.parents.get(number, ()))
    return seen


def changed(machine: Machine, before: State) -> bool:
    """Whether an attribute holds a graph now and held something else before."""
    assert machine.state is not None
    slots = machine.state.vars.items()
    return any(k[1][0] == "." and before.vars.get(k) is not s and ids_of(s[0]) for k, s in slots)


def state_slots(machine: Machine, given: frozenset[int]) -> list[Key]:
    """The attributes that hold what flows into a call."""
    assert machine.state is not None
    origin = machine.trace.ancestors(given, lightweight_only=True)
    slots = machine.state.vars.items()
    return [key for key, slot in slots if key[1][0] == "." and not origin.isdisjoint(ids_of(slot[0]))]


def rebind(machine: Machine, key: Key, value: Value) -> None:
    """Store a value; where the slot held a graph and the value has none, a chain of states ends."""
    if machine.loops and not machine.quiet:
        old = machine.read(key)
        if old is not None and (ids := ids_of(old)) and not ids_of(value) and not deep_ids(machine, value):
            _note_cut(machine, ids)
    machine.write(key, value)


def end_on_one_path(machine: Machine, value: Value, other: Value) -> None:
    """`h = h if keeps else h.detach()`: a chain of states ends where a value without a graph is bound."""
    if not deep_ids(machine, other):
        _note_cut(machine, deep_ids(machine, value))


def cut(machine: Machine, ids: frozenset[int]) -> None:
    """Values lose their graphs in place: so does the structure that they were taken out of."""
    _note_cut(machine, machine.trace.ancestors(ids, lightweight_only=True))


def _note_cut(machine: Machine, numbers: Iterable[int]) -> None:
    for number in numbers:
        machine.trace.detached_in_loops.setdefault(number, set()).update(machine.loops)
