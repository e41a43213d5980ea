"""How a run would have gone on other devices: its requests are made again of other allocators."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from memlint.runtime.simulate.memory.allocator import Allocator, Trace
from memlint.runtime.simulate.memory.blocks import ROUND_LARGE

MOST_REQUESTS = 3_000_000
"""Requests and releases that may be made again to find the least memory with which a run goes well."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A run with so much memory, in bytes: what it reserved, and how often it gave back what was cached.

    `workspace` are the bytes of each cuBLAS workspace. `asked` are those that could not be had, 0 where all
    could; `allocated` were in use then, and `purpose` is what the request was for.
    """

    capacity: int
    workspace: int
    reserved: int
    retries: int
    asked: int = 0
    allocated: int = 0
    purpose: int = -1


def tried(
    made: Allocator, workspaces: Collection[int], devices: Iterable[tuple[int, int, int]]
) -> tuple[list[Tried], int]:
    """How the requests that an allocator without an end has got would have gone on other devices.

    A device is its memory for torch's allocator (0: no end), the bytes of a cuBLAS workspace on it, and the
    number of its multiprocessors; `workspaces` are the numbers of the requests for workspaces. Beside them
    the least capacity found with which the run goes well as it was made, in bytes: what is reserved can be
    less than `made` has reserved, because cached blocks are given back before memory runs out.
    """
    trace = made.trace
    assert trace is not None
    rows = []
    known: dict[tuple[int, int], tuple[Trace, Tried]] = {}
    for capacity, size, processors in devices:
        if (size, processors) not in known:
            sizes = {**dict.fromkeys(workspaces, size), **trace.elsewhere.get(processors, {})}
            other = trace.with_sizes(sizes)
            plain = other is trace
            without_end = Tried(0, size, made.reserved.peak, 0) if plain else _on(made, other, 0, size)
            known[size, processors] = other, without_end
        other, most = known[size, processors]
        room = min(capacity, made.share or capacity)
        enough = not capacity or room >= most.reserved
        rows.append(replace(most if enough else _on(made, other, room, size), capacity=capacity))
    return rows, _least(made, trace)


def _least(made: Allocator, trace: Trace) -> int:
    low, high = trace.peak_without_spare(), made.reserved.peak
    for _ in range(MOST_REQUESTS // max(len(trace.events), 1)):
        if high - low <= ROUND_LARGE:
            break
        middle = (low + high) // 2
        if trace.play(Allocator(middle, made.settings)) < 0:
            high = middle
        else:
            low = middle
    return high


def _on(made: Allocator, trace: Trace, capacity: int, workspace: int) -> Tried:
    allocator = Allocator(capacity, made.settings)
    failed = trace.play(allocator)
    counted = Tried(capacity, workspace, allocator.reserved.peak, allocator.retries)
    if failed < 0:
        return counted
    asked = next(size for number, size in enumerate(trace.requests()) if number == failed)
    purpose = trace.purposes[failed]
    return replace(counted, asked=asked, allocated=allocator.allocated.now, purpose=purpose)
