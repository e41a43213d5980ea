"""A model of torch's caching allocator for CUDA: which blocks it hands out and which segments it reserves.

It follows c10/cuda/CUDACachingAllocator.cpp (functions round_size, get_allocation_size, get_free_block,
should_split, alloc_found_block, free_block, release_cached_blocks) with the constants of
c10/core/AllocatorConfig.h of torch 2.13, for one device, one stream and default settings.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, insort
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from memlint.units import size as in_words

MIN_BLOCK = 512
"""kMinBlockSize: sizes are rounded up to a multiple of it."""

SMALL = 1 << 20
"""kSmallSize: requests up to it come from the small pool; a rest above it is split off large blocks."""

SMALL_SEGMENT = 2 << 20
"""kSmallBuffer: what the small pool asks the driver for."""

LARGE_SEGMENT = 20 << 20
"""large_segment_size_: what the large pool asks the driver for below MIN_LARGE."""

MIN_LARGE = 10 << 20
"""kMinLargeAlloc: from here on a request gets a segment of its own size."""

ROUND_LARGE = 2 << 20
"""kRoundLarge: such a segment is rounded up to a multiple of it."""

_FIRST_ADDRESS = 1 << 40
_GAP = 1 << 30


class OutOfDeviceMemoryError(Exception):
    """The driver has no room for another segment, even after all cached ones were given back."""


@dataclass(slots=True, eq=False)
class Block:
    """A stretch of a segment, handed out or waiting in its pool, between two neighbours or alone.

    `number` counts the requests of an allocator with a trace.
    """

    address: int
    size: int
    small: bool
    requested: int = 0
    free: bool = False
    number: int = -1
    previous: Block | None = None
    next: Block | None = None

    @property
    def key(self) -> tuple[int, int]:
        """The order in which a pool looks for a fit: the smallest block first, the lowest address first."""
        return self.size, self.address

    @property
    def split(self) -> bool:
        """Whether it is only a part of its segment."""
        return self.previous is not None or self.next is not None


@dataclass(slots=True)
class Counter:
    """Bytes now and at most, as torch.cuda.memory_stats counts them."""

    now: int = 0
    peak: int = 0
    gained: int = 0
    lost: int = 0

    def add(self, count: int) -> None:
        """Count up, or down for a negative number."""
        self.now += count
        self.peak = max(self.peak, self.now)
        if count > 0:
            self.gained += count
        else:
            self.lost -= count


@dataclass(slots=True)
class _Pool:
    keys: list[tuple[int, int]] = field(default_factory=list)
    blocks: dict[int, Block] = field(default_factory=dict)


def rounded(size: int) -> int:
    """round_size: bytes of the block that a request needs."""
    return max(MIN_BLOCK, -(-size // MIN_BLOCK) * MIN_BLOCK)


def segment_size(size: int) -> int:
    """get_allocation_size: bytes that are asked from the driver when no cached block fits."""
    if size <= SMALL:
        return SMALL_SEGMENT
    if size < MIN_LARGE:
        return LARGE_SEGMENT
    return -(-size // ROUND_LARGE) * ROUND_LARGE


class Trace:
    """What was asked of an allocator, in order: it can be asked of another one with another capacity.

    Requests are positive, in bytes; what was freed is the negative number of its request, counted from 1; 0
    stands for a cache that was emptied. `purposes` are those of the requests.
    """

    def __init__(self) -> None:
        self.events = array("q")
        self.purposes = array("q")

    def asked(self, requested: int, purpose: int) -> int:
        """Note a request; gives its number."""
        self.events.append(requested)
        self.purposes.append(purpose)
        return len(self.purposes)

    def freed(self, number: int) -> None:
        """Note that the block of a request was freed; what was handed out before the trace began has none."""
        if number > 0:
            self.events.append(-number)

    def emptied(self) -> None:
        """Note that the cache was emptied."""
        self.events.append(0)

    def requests(self) -> Iterator[int]:
        """Bytes of each request."""
        return (event for event in self.events if event > 0)

    def play(self, allocator: Allocator) -> int:
        """Ask the same of an allocator: -1, or the index in `purposes` of the first request that failed."""
        blocks: dict[int, Block | None] = {}
        number = 0
        for event in self.events:
            if event > 0:
                number += 1
                try:
                    blocks[number] = allocator.malloc(event)
                except OutOfDeviceMemoryError:
                    return number - 1
            elif event:
                allocator.release(blocks.pop(-event))
            else:
                allocator.empty_cache()
        return -1


class Allocator:
    """The state of one device. `capacity` is what the driver can hand out, in bytes (0: no end).

    `trace`, where there is one, gets all that is asked of it.

    `before` is called before anything is freed or counted: it may hand out a block late.

    `release` may be called at any moment, even from a weak reference's callback in the middle of another
    method: it only queues the block, and the next request or question frees what is queued.
    """

    def __init__(self, capacity: int = 0) -> None:
        self.capacity = capacity
        self.allocated = Counter()
        self.requested = Counter()
        self.reserved = Counter()
        self.inactive_split = Counter()
        self.segments = Counter()
        self.retries = 0
        self.out_of_memory = 0
        self.on_segment: Callable[[int], None] = lambda size: None
        self.before: Callable[[], None] = lambda: None
        self.trace: Trace | None = None
        self._pools = {True: _Pool(), False: _Pool()}
        self._released: deque[Block] = deque()
        self._next_address = _FIRST_ADDRESS

    # --- requests ----------------------------------------------------------------------------------

    def malloc(self, requested: int, purpose: int = -1) -> Block | None:
        """Hand out a block; None for a request of nothing, for which torch allocates nothing.

        `purpose` is kept in the trace only: what the memory is for, as a number of the caller's.

        Raises:
            OutOfDeviceMemoryError: the capacity does not suffice.
        """
        self.settle()
        if not requested:
            return None
        size = rounded(requested)
        block = self._cached(size) or self._segment(size)
        self._cut(block, size)
        block.requested = requested
        if self.trace is not None:
            block.number = self.trace.asked(requested, purpose)
        self.allocated.add(block.size)
        self.requested.add(requested)
        return block

    def release(self, block: Block | None) -> None:
        """Take a block back, as soon as anybody asks again."""
        if block is not None:
            self._released.append(block)

    def settle(self) -> None:
        """Free everything that was released."""
        self.before()
        while self._released:
            self._free(self._released.popleft())

    def empty_cache(self) -> None:
        """Give back to the driver every segment of which nothing is in use."""
        self.settle()
        if self.trace is not None:
            self.trace.emptied()
        self._give_back()

    def _give_back(self) -> None:
        for pool in self._pools.values():
            for block in [block for block in pool.blocks.values() if not block.split]:
                self._take(block)
                self.reserved.add(-block.size)
                self.segments.add(-1)

    def reset_peaks(self) -> None:
        """Forget how high the counters were."""
        self.settle()
        for counter in (
            self.allocated, self.requested, self.reserved, self.inactive_split, self.segments
        ):  # fmt: skip
            counter.peak = counter.now

    # --- blocks ------------------------------------------------------------------------------------

    def _cached(self, size: int) -> Block | None:
        pool = self._pools[size <= SMALL]
        at = bisect_left(pool.keys, (size, 0))
        if at == len(pool.keys):
            return None
        block = pool.blocks[pool.keys[at][1]]
        self._take(block)
        return block

    def _segment(self, size: int) -> Block:
        wanted = segment_size(size)
        if self.capacity and self.reserved.now + wanted > self.capacity:
            self.retries += 1
            self._give_back()
            if self.reserved.now + wanted > self.capacity:
                self.out_of_memory += 1
                now = f"{in_words(self.allocated.now)} allocated, {in_words(self.reserved.now)} reserved"
                raise OutOfDeviceMemoryError(
                    f"CUDA out of memory. Simulated: tried to allocate {in_words(wanted)}. "
                    f"{in_words(self.capacity)} in all, {now}"
                )
        block = Block(self._next_address, wanted, size <= SMALL)
        self._next_address += wanted + _GAP
        self.reserved.add(wanted)
        self.segments.add(1)
        self.on_segment(wanted)
        return block

    def _cut(self, block: Block, size: int) -> None:
        rest = block.size - size
        if rest < MIN_BLOCK if block.small else rest <= SMALL:
            return
        other = Block(block.address + size, rest, block.small, previous=block, next=block.next)
        if other.next is not None:
            other.next.previous = other
        block.next = other
        block.size = size
        self._put(other)

    def _free(self, block: Block) -> None:
        if self.trace is not None:
            self.trace.freed(block.number)
        self.allocated.add(-block.size)
        self.requested.add(-block.requested)
        before, after = block.previous, block.next
        if before is not None and before.free:
            self._take(before)
            block.address, block.previous = before.address, before.previous
            block.size += before.size
            if block.previous is not None:
                block.previous.next = block
        if after is not None and after.free:
            self._take(after)
            block.next = after.next
            block.size += after.size
            if block.next is not None:
                block.next.previous = block
        self._put(block)

    def _put(self, block: Block) -> None:
        block.free = True
        pool = self._pools[block.small]
        insort(pool.keys, block.key)
        pool.blocks[block.address] = block
        if block.split:
            self.inactive_split.add(block.size)

    def _take(self, block: Block) -> None:
        block.free = False
        pool = self._pools[block.small]
        del pool.keys[bisect_left(pool.keys, block.key)]
        del pool.blocks[block.address]
        if block.split:
            self.inactive_split.add(-block.size)
