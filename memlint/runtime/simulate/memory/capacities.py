"""How a run would have gone with other sizes of memory: its requests are made again of other allocators."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from memlint.runtime.simulate.memory.allocator import Allocator
from memlint.runtime.simulate.memory.blocks import ROUND_LARGE

MOST_REQUESTS = 3_000_000
"""Requests and releases that may be made again to find the least memory with which a run goes well."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A run with so much memory, in bytes: what it reserved, and how often it gave back what was cached.

    `asked` are the bytes that could not be had, 0 where all could; `allocated` were in use then, and
    `purpose` is what they were for.
    """

    capacity: int
    reserved: int
    retries: int
    asked: int = 0
    allocated: int = 0
    purpose: int = -1


def tried(made: Allocator, capacities: Iterable[int]) -> tuple[list[Tried], int]:
    """How the requests that an allocator without an end has got would have gone with each of `capacities`.

    Beside them the least capacity found with which they go well, in bytes: what is reserved can be less
    than `made` has reserved, because cached blocks are given back before memory runs out.
    """
    rows = [_with(made, capacity) for capacity in capacities]
    good = [row.capacity for row in rows if not row.asked]
    failed = [row.capacity for row in rows if row.asked]
    low = max([made.allocated.peak, *failed])
    high = min([made.reserved.peak, *good])
    events = len(made.trace.events) if made.trace is not None else 0
    for _ in range(MOST_REQUESTS // max(events, 1)):
        if high - low <= ROUND_LARGE:
            break
        middle = (low + high) // 2
        if _with(made, middle).asked:
            low = middle
        else:
            high = middle
    return rows, high


def _with(made: Allocator, capacity: int) -> Tried:
    trace = made.trace
    if capacity >= made.reserved.peak or trace is None:
        return Tried(capacity, made.reserved.peak, 0)
    other = Allocator(capacity, made.settings)
    failed = trace.play(other)
    if failed < 0:
        return Tried(capacity, other.reserved.peak, other.retries)
    asked = next(size for number, size in enumerate(trace.requests()) if number == failed)
    return Tried(
        capacity, other.reserved.peak, other.retries, asked, other.allocated.now, trace.purposes[failed]
    )
