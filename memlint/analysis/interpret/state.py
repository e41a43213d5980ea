"""What holds at one point of an abstract run, and what holds after paths meet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from memlint.analysis.facts import Loop
from memlint.analysis.values import NO_IDS, Ref, Value, join, options_of
from memlint.records import dataclass

Key = tuple[int, str]
"""A slot: a frame's number and a variable, or an object's number and `.attribute`, `[key]` or `[]`."""

Slot = tuple[Value, tuple[Loop, ...]]
"""What a slot holds, and the loops in whose iteration it was made."""

CONTENT = "[]"
"""The slot of an object for all elements together."""


@dataclass(eq=False, slots=True)
class Trail:
    """The slots that were written since a state was copied, and the trail of the state before that.

    States that meet have changed a few slots of thousands: what lies behind the trail that both come from
    is the same in both.
    """

    before: Trail | None = None
    length: int = 0
    keys: dict[Key, None] = field(default_factory=dict)

    def further(self) -> Trail:
        """A new trail that goes on from this one, which is written no more."""
        return Trail(self, self.length + 1)


@dataclass(slots=True)
class State:
    """What holds at one point of the run."""

    vars: dict[Key, Slot] = field(default_factory=dict)
    """The variables of frames and the contents of objects, each with the loops it was made in."""

    grad: str = "on"
    """The grad mode: on, off or maybe."""

    reached: frozenset[int] = NO_IDS
    """Identities that a backward of the current iteration ran through."""

    retained: frozenset[int] = NO_IDS
    """Those that it ran through with the graph kept."""

    proved: frozenset[int] = NO_IDS
    """Those that it showed to be tensors."""

    evals: frozenset[int] = NO_IDS
    """The modules that are in evaluation mode for sure."""

    pending: frozenset[tuple[int, ...]] = frozenset()
    """The keys in `Trace.stores` of what this iteration has stored."""

    trail: Trail = field(default_factory=Trail)
    """The slots written since paths parted, for `merge`."""

    def put(self, key: Key, slot: Slot) -> None:
        """Fill a slot."""
        self.vars[key] = slot
        self.trail.keys[key] = None

    def drop(self, key: Key) -> None:
        """Empty a slot, if it is filled."""
        self.vars.pop(key, None)
        self.trail.keys[key] = None

    def copy(self) -> State:
        """An independent copy for another path."""
        trail = self.trail
        self.trail = trail.further()
        return State(
            dict(self.vars), self.grad, self.reached, self.retained, self.proved, self.evals, self.pending,
            trail.further(),
        )  # fmt: skip


def merge(states: Iterable[State | None]) -> State | None:
    """The state after paths meet, which takes the place of the first; None when none of them gets there."""
    alive = [s for s in states if s is not None]
    if not alive:
        return None
    result = alive[0]
    for other in alive[1:]:
        _merge_vars(result, other)
        result.grad = result.grad if result.grad == other.grad else "maybe"
        result.reached |= other.reached
        result.retained |= other.retained
        result.proved |= other.proved
        result.evals &= other.evals
        result.pending |= other.pending
    return result


def _merge_vars(mine: State, theirs: State) -> None:
    changed = _changed(mine.trail, theirs.trail)
    left = _left_behind(mine, theirs, changed)
    for key in changed:
        slot, present = theirs.vars.get(key), mine.vars.get(key)
        if slot is None or slot is present or left.get(key[0]) is theirs:
            continue
        if present is None or key[0] in left:
            mine.put(key, slot)
        else:
            mine.put(key, (join(present[0], slot[0]), _common(present[1], slot[1])))


def _left_behind(mine: State, theirs: State, changed: Iterable[Key]) -> dict[int, State]:
    """The objects that one path has just made again, each with the other path: there the variables that hold
    the new one hold something else, so the one of an earlier iteration is out of reach."""
    found: dict[int, State] = {}
    for number, name in changed:
        if name != "#born":
            continue
        here, there = mine.vars.get((number, name)), theirs.vars.get((number, name))
        if here is None or there is None or here[1] == there[1]:
            continue
        new, old = (mine, theirs) if len(here[1]) > len(there[1]) else (theirs, mine)
        holders = [key for key in changed if key[0] != number and _holds(new, key, number)]
        if holders and not any(_holds(old, key, number) for key in holders):
            found[number] = old
    return found


def _holds(state: State, key: Key, number: int) -> bool:
    """Whether a slot holds an object, or may hold it."""
    value = state.vars.get(key, (None, ()))[0]
    return value is not None and any(isinstance(v, Ref) and v.obj.id == number for v in options_of(value))


def age(state: State, head: State, loop: Loop) -> None:
    """Make older what the turn of `loop` that began at `head` left: in the next turn it is not new.

    A thing that is made only where it is missing (`if key not in meters: meters[key] = Meter()`) so lives on.
    """
    for key in _changed(state.trail, head.trail):
        value, born = state.vars.get(key, (None, ()))
        if value is not None and loop in born:
            state.put(key, (value, born[: born.index(loop)]))


def _changed(a: Trail | None, b: Trail | None) -> dict[Key, None]:
    """The slots written on either trail since they parted, in the same order in every run."""
    found: dict[Key, None] = {}
    while a is not b:
        if b is None or (a is not None and a.length >= b.length):
            assert a is not None
            found |= a.keys
            a = a.before
        else:
            found |= b.keys
            b = b.before
    return found


def _common(a: tuple[Loop, ...], b: tuple[Loop, ...]) -> tuple[Loop, ...]:
    if a is b:
        return a
    shared = []
    for x, y in zip(a, b, strict=False):
        if x is not y:
            break
        shared.append(x)
    return tuple(shared)
