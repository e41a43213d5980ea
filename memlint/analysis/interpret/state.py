"""What holds at one point of an abstract run, and what holds after paths meet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import compress
from operator import is_not

from memlint.analysis.facts import Loop
from memlint.analysis.values import NO_IDS, Value, join

Key = tuple[int, str]


Slot = tuple[Value, tuple[Loop, ...]]


CONTENT = "[]"


@dataclass(slots=True)
class State:
    """What holds at one point of the run.

    `reached`, `retained` and `proved` are the graph identities that a backward of the current iteration
    ran through, ran through with the graph kept, and thereby showed to be tensors; `pending` are the
    accumulations of this iteration; `evals` the modules that are in evaluation mode for sure.
    """

    vars: dict[Key, Slot] = field(default_factory=dict)
    grad: str = "on"
    reached: frozenset[int] = NO_IDS
    retained: frozenset[int] = NO_IDS
    proved: frozenset[int] = NO_IDS
    evals: frozenset[int] = NO_IDS
    pending: frozenset[tuple[int, ...]] = frozenset()

    def copy(self) -> State:
        """An independent copy for another path."""
        return State(
            dict(self.vars), self.grad, self.reached, self.retained, self.proved, self.evals, self.pending
        )


def merge(states: Iterable[State | None]) -> State | None:
    """The state after paths meet; None when none of them gets there."""
    alive = [s for s in states if s is not None]
    if not alive:
        return None
    result = alive[0].copy() if len(alive) > 1 else alive[0]
    for other in alive[1:]:
        _merge_vars(result.vars, other.vars)
        result.grad = result.grad if result.grad == other.grad else "maybe"
        result.reached |= other.reached
        result.retained |= other.retained
        result.proved |= other.proved
        result.evals &= other.evals
        result.pending |= other.pending
    return result


def _merge_vars(mine: dict[Key, Slot], theirs: dict[Key, Slot]) -> None:
    # Most slots are the same on both paths: those are passed over without a line of Python for each.
    for key in list(compress(theirs, map(is_not, map(mine.get, theirs), theirs.values()))):
        slot, present = theirs[key], mine.get(key)
        if present is None:
            mine[key] = slot
        else:
            born = _common(present[1], slot[1])
            mine[key] = (join(present[0], slot[0]), born)


def _common(a: tuple[Loop, ...], b: tuple[Loop, ...]) -> tuple[Loop, ...]:
    if a is b:
        return a
    shared = []
    for x, y in zip(a, b, strict=False):
        if x is not y:
            break
        shared.append(x)
    return tuple(shared)
