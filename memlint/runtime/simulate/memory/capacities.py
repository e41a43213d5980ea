"""How a run would have gone on other devices: its requests are made again of other allocators."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

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
    made: Allocator, workspaces: Collection[int], devices: Iterable[tuple[int, int]]
) -> tuple[list[Tried], int]:
    """How the requests that an allocator without an end has got would have gone on other devices.

    A device is its memory for torch's allocator (0: no end) and the bytes of a cuBLAS workspace on it;
    `workspaces` are the numbers of the requests for these. Beside them the least capacity found with which
    the run goes well as it was made, in bytes: what is reserved can be less than `made` has reserved,
    because cached blocks are given back before memory runs out.
    """
    trace = made.trace
    assert trace is not None
    rows = [_on(made, trace.with_sizes(dict.fromkeys(workspaces, size)), *device)
            for device in devices for _, size in [device]]  # fmt: skip
    low, high = made.allocated.peak, made.reserved.peak
    for _ in range(MOST_REQUESTS // max(len(trace.events), 1)):
        if high - low <= ROUND_LARGE:
            break
        middle = (low + high) // 2
        if trace.play(Allocator(middle)) < 0:
            high = middle
        else:
            low = middle
    return rows, high


def _on(made: Allocator, trace: Trace, capacity: int, workspace: int) -> Tried:
    if trace is made.trace and (not capacity or capacity >= made.reserved.peak):
        return Tried(capacity, workspace, made.reserved.peak, 0)
    other = Allocator(capacity, made.settings)
    failed = trace.play(other)
    counted = Tried(capacity, workspace, other.reserved.peak, other.retries)
    if failed < 0:
        return counted
    asked = next(size for number, size in enumerate(trace.requests()) if number == failed)
    return Tried(
        capacity, workspace, other.reserved.peak, other.retries, asked, other.allocated.now,
        trace.purposes[failed],
    )  # fmt: skip
