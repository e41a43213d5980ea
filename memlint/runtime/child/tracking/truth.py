"""The peak according to torch's own allocator events, to tell what the dispatcher cannot see."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import torch

from memlint.runtime.child import private

NEAR = 8
"""Events between a result and the death of what it replaces (buffers of the kernel), and pairs looked at."""

EXACT = 512
"""Bytes by which the tracker may differ from the allocator before it is called a difference."""


class Truth:
    """Records the CPU allocator's events of a whole run through torch.profiler.

    There is one profiler per process: it is left to a script that profiles itself.
    """

    def __init__(self) -> None:
        self._profiler = torch.profiler.profile(
            activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True
        )
        self._records = False

    def start(self) -> None:
        """Begin to record."""
        self._profiler.start()
        self._records = True
        profilers: tuple[tuple[Any, str], ...] = (
            (torch.profiler.profile, "start"),
            (torch.autograd.profiler.profile, "__enter__"),
        )
        for profiler, name in profilers:
            setattr(profiler, name, self._giving_way(getattr(profiler, name)))

    def _giving_way(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def begin(*args: Any, **kwargs: Any) -> Any:
            if self._records:
                self._records = False
                # A profiler that cannot be stopped must not keep the script from its own.
                with suppress(Exception):
                    self._profiler.stop()
            return real(*args, **kwargs)

        return begin

    def peak(self, replaced: Sequence[tuple[int, int]] = ()) -> int | None:
        """Stop, and answer the most bytes that were allocated at once since the start.

        `replaced` are addresses of sums, in order, and of what each would have been added to in place had
        there been no dispatch mode. None where the script profiled itself.
        """
        if not self._records:
            return None
        self._records = False
        self._profiler.stop()
        found: list[tuple[int, int, int]] = []
        profiler: Any = self._profiler.profiler
        pending = list(profiler.kineto_results.experimental_event_tree())
        while pending:
            node = pending.pop()
            pending += node.children
            tag, fields = node.typed
            if private.is_allocation(tag) and fields.device.type == "cpu":
                found.append((node.start_time_ns, fields.alloc_size, fields.ptr))
        return _highest(_in_place(sorted(found, key=lambda event: event[0]), replaced))


def _in_place(
    events: list[tuple[int, int, int]], replaced: Sequence[tuple[int, int]]
) -> list[tuple[int, int, int]]:
    """The same (time, size, address) events where each sum takes the place of what it replaces."""
    order, pairs, at = list(events), 0, -1
    while (at := at + 1) < len(order) and pairs < len(replaced):
        near = replaced[pairs : pairs + NEAR]
        for number, pair in enumerate(near):
            freed = _replaced(order, at, pair)
            # A gradient may have the address that a later sum gets: then the next sum is made before the end
            # of what it would replace.
            if freed and not any(_replaced(order, n, p) for n in range(at + 1, freed) for p in near[:number]):
                order[at : freed + 1] = [order[freed], *order[at:freed]]
                # Behind the sum itself, which now stands one later: it may have the address of another one.
                pairs, at = pairs + number + 1, at + 1
                break
    return order


def _replaced(events: list[tuple[int, int, int]], at: int, pair: tuple[int, int]) -> int:
    """Where what a sum replaces is freed, if an event is the allocation of that sum; else 0."""
    made, gone = pair
    return _freed(events, at, gone) if events[at][1] > 0 and events[at][2] == made else 0


def _freed(events: list[tuple[int, int, int]], at: int, address: int) -> int:
    """Where, soon after an event, memory at an address is freed; 0 for nowhere."""
    for number in range(at + 1, min(at + 1 + NEAR, len(events))):
        if events[number][2] == address:
            return number if events[number][1] < 0 else 0
    return 0


def _highest(events: list[tuple[int, int, int]]) -> int:
    """The peak of (time, size, address) events; what was allocated before the first one does not count."""
    alive: dict[int, int] = {}
    now = most = 0
    for _, size, address in events:
        if size > 0:
            alive[address] = size
            now += size
        else:
            now -= alive.pop(address, 0)
        most = max(most, now)
    return most
