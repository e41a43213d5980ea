"""A model of torch's caching allocator for CUDA: which blocks it hands out and which segments it reserves.

It follows c10/cuda/CUDACachingAllocator.cpp (functions round_size, get_allocation_size, get_free_block,
should_split, alloc_found_block, free_block, release_cached_blocks, garbage_collect_cached_blocks) with the
constants of c10/core/AllocatorConfig.h of torch 2.13, for one device. What is free of one stream is for
requests on that stream only. Settings of the environment count (see `settings`); segments that grow are in
`expandable`, and where segments lie in `addresses`.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from memlint.runtime.simulate.memory.addresses import Addresses
from memlint.runtime.simulate.memory.blocks import (
    MIN_BLOCK,
    SMALL,
    SMALL_SEGMENT,
    Block,
    Counter,
    Pool,
    rounded,
    segment_size,
)
from memlint.runtime.simulate.memory.expandable import SPACE, Expandable
from memlint.runtime.simulate.memory.settings import BITS_64, Settings
from memlint.units import size as in_words

NOTHING = 1 << 62
"""In a trace: a request for nothing, which is one for something on other devices."""

PRIVATE = 64
"""Streams of one pool: those of a graph's own pool number `number` begin at so many times it."""


class OutOfDeviceMemoryError(Exception):
    """The driver has no room for another segment, even after all cached ones were given back."""


class Trace:
    """What was asked of an allocator, in order: it can be asked of another one with another capacity.

    Requests are positive, in bytes; what was freed is the negative number of its request, counted from 1; 0
    stands for a cache that was emptied. `purposes` and `streams` are those of the requests; `spare` are the
    numbers of those that may fail, `loaded` is how many requests there were before the driver loaded its
    libraries (-1: it has not). `elsewhere` has sizes of requests on other devices, by the number of their
    multiprocessors, then by the request's.
    """

    def __init__(self) -> None:
        self.loaded = -1
        self.elsewhere: dict[int, dict[int, int]] = {}
        self.events = array("q")
        self.purposes = array("q")
        self.streams = array("q")
        self.spare: set[int] = set()

    def asked(
        self, requested: int, purpose: int, stream: int = 0, spare: bool = False,
        elsewhere: Mapping[int, int] | None = None,
    ) -> int:  # fmt: skip
        """Note a request; gives its number."""
        self.events.append(requested or NOTHING)
        self.purposes.append(purpose)
        for processors, size in (elsewhere or {}).items():
            self.elsewhere.setdefault(processors, {})[len(self.purposes)] = size
        self.streams.append(stream)
        if spare:
            self.spare.add(len(self.purposes))
        return len(self.purposes)

    def freed(self, number: int) -> None:
        """Note that the block of a request was freed; what was handed out before the trace began has none."""
        if number > 0:
            self.events.append(-number)

    def emptied(self) -> None:
        """Note that the cache was emptied."""
        self.events.append(0)

    def with_sizes(self, sizes: Mapping[int, int]) -> Trace:
        """The same with requests of other sizes, by their numbers; itself where all have these already."""
        places = {number: at for at, number in self._places(sizes)}
        if all(self.events[places[number]] == (size or NOTHING) for number, size in sizes.items()):
            return self
        other = Trace()
        other.events, other.purposes, other.spare = self.events[:], self.purposes, self.spare
        other.streams, other.loaded = self.streams, self.loaded
        for number, at in places.items():
            other.events[at] = sizes[number] or NOTHING
        return other

    def _places(self, numbers: Collection[int]) -> Iterator[tuple[int, int]]:
        """Where in `events` some requests are, each with its number."""
        requests = (at for at, event in enumerate(self.events) if event > 0)
        return ((at, number) for number, at in enumerate(requests, 1) if number in numbers)

    def requests(self) -> Iterator[int]:
        """Bytes of each request."""
        return (event for event in self.events if event > 0)

    def peak_without_spare(self) -> int:
        """The most bytes that were in use at once, less what can be done without."""
        sizes: dict[int, int] = {}
        number = now = peak = 0
        for event in self.events:
            if event > 0:
                number += 1
                if number not in self.spare:
                    sizes[number] = event
                    now += event
                    peak = max(peak, now)
            elif event:
                now -= sizes.pop(-event, 0)
        return peak

    def play(self, allocator: Allocator) -> int:
        """Ask the same of an allocator: -1, or the index in `purposes` of the first request that failed."""
        blocks: dict[int, Block | None] = {}
        number = 0
        for event in self.events:
            if event > 0:
                if number == self.loaded:
                    allocator.load()
                number += 1
                allocator.stream = self.streams[number - 1]
                try:
                    size = event if event != NOTHING else 0
                    blocks[number] = allocator.malloc(size, spare=number in self.spare)
                except OutOfDeviceMemoryError:
                    return number - 1
            elif event:
                allocator.release(blocks.pop(-event))
            else:
                allocator.empty_cache()
        return -1


class Allocator:
    """The state of one device. `capacity` is what the driver can hand out, in bytes (0: no end); `share` are
    the bytes that the script itself lets this process have where that is to hold elsewhere (0: all).

    `trace`, where there is one, gets all that is asked of it. `stream` is the number of that which requests
    are made on; from PRIVATE on it is one of a graph's own pool, of which nothing is given back.

    `before` is called before anything is freed or counted: it may hand out a block late.

    `release` may be called at any moment, even from a weak reference's callback in the middle of another
    method: it only queues the block, and the next request or question frees what is queued.
    """

    def __init__(self, capacity: int = 0, settings: Settings | None = None) -> None:
        self.capacity = capacity
        self.share = 0
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
        self._released: deque[Block] = deque()
        self._addresses = Addresses()
        self._is_loaded = False
        self._pools: dict[tuple[int, bool], Pool] = {}
        self._growing: dict[tuple[int, bool], Expandable] = {}
        self.stream = 0
        self._number, self._pool = 0, 0
        self.configure(settings or Settings())

    def configure(self, settings: Settings) -> None:
        """Follow these settings from now on; what grows and what does not is fixed by the first request."""
        self.settings = settings
        if self.segments.gained:
            return
        self._pools, self._growing = {}, {}
        self._make_pools(0)

    def limit(self, size: int) -> None:
        """The process is to have no more bytes; where its requests are made again elsewhere, there."""
        if self.trace is None:
            self.capacity = size
        else:
            self.share = size

    def use(self, stream: int) -> None:
        """Requests are made on this stream from now on."""
        self._number = stream
        self.stream = stream + PRIVATE * self._pool

    def capture(self, pool: int) -> None:
        """Requests are made of the pool of a graph from now on; 0 is that of all."""
        self._pool = pool
        self.use(self._number)

    def _make_pools(self, stream: int) -> None:
        for small in (True, False):
            pool = self._pools[stream, small] = Pool(self.inactive_split, self.settings.expandable)
            if self.settings.expandable:
                base = (2 + 2 * stream + small) * SPACE
                page = SMALL_SEGMENT if small else self.settings.large
                self._growing[stream, small] = Expandable(
                    pool, small, base, self._back, self._drop, page, stream=stream
                )

    # --- requests ----------------------------------------------------------------------------------

    def malloc(
        self, requested: int, purpose: int = -1, *, spare: bool = False,
        elsewhere: Mapping[int, int] | None = None,
    ) -> Block | None:  # fmt: skip
        """Hand out a block; None for a request of nothing, for which torch allocates nothing.

        `purpose` and `elsewhere` are kept in the trace only: what the memory is for, as a number of the
        caller's, and how much of it other devices take. What is `spare` can be done without: None where the
        capacity does not suffice.

        Raises:
            OutOfDeviceMemoryError: the capacity does not suffice.
        """
        self.settle()
        if not requested:
            return self._nothing(purpose, elsewhere)
        size = rounded(requested, self.settings.divisions_for(requested))
        if (self.stream, True) not in self._pools:
            self._make_pools(self.stream)
        try:
            block = self._cached(size) or self._segment(size)
        except OutOfDeviceMemoryError:
            if not spare:
                raise
            self.out_of_memory -= 1
            return None
        self._cut(block, size)
        block.requested = requested
        if self.trace is not None:
            block.number = self.trace.asked(requested, purpose, self.stream, spare, elsewhere)
        self.allocated.add(block.size)
        self.requested.add(requested)
        return block

    def _nothing(self, purpose: int, elsewhere: Mapping[int, int] | None) -> Block | None:
        if self.trace is None or not any((elsewhere or {}).values()):
            return None
        block = Block(0, 0, True)
        block.number = self.trace.asked(0, purpose, self.stream, True, elsewhere)
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

    def load(self) -> None:
        """The driver loads its libraries, once: a convolution or a product of matrices is made."""
        if not self._is_loaded:
            self._is_loaded = True
            self._addresses.load()
            if self.trace is not None:
                self.trace.loaded = len(self.trace.purposes)

    def empty_cache(self) -> None:
        """Give back to the driver every segment of which nothing is in use."""
        self.settle()
        if self.trace is not None:
            self.trace.emptied()
        self._give_back_all()

    def _give_back_all(self) -> None:
        for (stream, _), growing in self._growing.items():
            if stream < PRIVATE:
                growing.give_back()
        if not self._growing:
            for (stream, _), pool in self._pools.items():
                for block in pool.whole() if stream < PRIVATE else ():
                    self._return(block)

    def state(self) -> tuple[Any, ...]:
        """What decides about the next requests: bytes in use, and each free block by size and address."""
        self.settle()
        free = tuple(tuple(pool.keys) for pool in self._pools.values())
        return self.allocated.now, self.requested.now, self.reserved.now, free

    def reset_peaks(self) -> None:
        """Forget how high the counters were."""
        self.settle()
        for counter in (
            self.allocated, self.requested, self.reserved, self.inactive_split, self.segments
        ):  # fmt: skip
            counter.peak = counter.now

    # --- segments ----------------------------------------------------------------------------------

    def _cached(self, size: int) -> Block | None:
        pool = self._pools[self.stream, size <= SMALL]
        if self.settings.threshold:
            for waiting in pool.blocks.values():
                waiting.idle += 1
        block = pool.fitting(size)
        limit = self.settings.max_split
        if block is None or (
            # What may not be split is not for smaller requests.
            limit and block.size >= (limit if size < limit else (size + self.settings.rounding) % BITS_64)
        ):
            return None
        pool.take(block)
        return block

    def _segment(self, size: int) -> Block:
        if self.settings.threshold and self.capacity:
            self._collect(int(self.settings.threshold * self.capacity))
        growing = self._growing.get((self.stream, size <= SMALL))
        if growing is not None:
            block = growing.grow(size)
            if block is None:
                self.retries += 1
                self._give_back_all()
                block = growing.grow(size)
            if block is None:
                raise self._exhausted(size)
            return block
        wanted = segment_size(size, self.settings.large)
        if not self._has_room(wanted):
            self.retries += 1
            if not self._give_back(wanted):
                self._give_back_all()
            if not self._has_room(wanted):
                raise self._exhausted(wanted)
        block = Block(self._addresses.take(wanted), wanted, size <= SMALL, stream=self.stream)
        self._back(wanted)
        return block

    def _has_room(self, size: int) -> bool:
        return not self.capacity or self.reserved.now + size <= self.capacity

    def _back(self, size: int) -> bool:
        if not self._has_room(size):
            return False
        self.reserved.add(size)
        self.segments.add(1)
        self.on_segment(size)
        return True

    def _drop(self, size: int) -> None:
        self.reserved.add(-size)
        self.segments.add(-1)

    def _exhausted(self, wanted: int) -> OutOfDeviceMemoryError:
        self.out_of_memory += 1
        now = f"{in_words(self.allocated.now)} allocated, {in_words(self.reserved.now)} reserved"
        return OutOfDeviceMemoryError(
            f"CUDA out of memory. Simulated: tried to allocate {in_words(wanted)}. "
            f"{in_words(self.capacity)} in all, {now}"
        )

    def _return(self, block: Block) -> None:
        self._pools[block.stream, block.small].take(block)
        self._addresses.put(block.address, block.size)
        self._drop(block.size)

    def _collect(self, limit: int) -> None:
        """garbage_collect_cached_blocks: segments that were idle for longer than the average go first."""
        excess = self.reserved.now - limit
        pools = {} if self._growing else self._pools
        large = [pool for (stream, small), pool in pools.items() if not small and stream < PRIVATE]
        free = [block for pool in large for block in pool.whole()]
        while excess > 0 and free:
            average = sum(block.idle for block in free) / len(free)
            for block in [block for block in free if block.idle >= average]:
                if excess > 0:
                    self._return(block)
                    excess -= block.size
            free = [block for block in free if block.free]

    def _give_back(self, wanted: int) -> bool:
        """release_available_cached_blocks: where blocks may not be split, as few of them as make room."""
        limit = self.settings.max_split
        if not limit:
            return False
        key = max(wanted, limit)
        whole = self._pools[self.stream, False].whole()
        large = sorted((block for block in whole if block.size >= limit), key=lambda block: block.key)
        chosen = [block for block in large if block.size >= key][:1]
        while not chosen or (sum(block.size for block in chosen) < key and large):
            if not large:
                return False
            chosen.append(large.pop())
        if sum(block.size for block in chosen) < wanted:
            return False
        for block in chosen:
            self._return(block)
        return True

    # --- blocks ------------------------------------------------------------------------------------

    def _cut(self, block: Block, size: int) -> None:
        rest = block.size - size
        limit = self.settings.max_split
        if block.small or self._growing:
            keep = rest < MIN_BLOCK
        else:
            keep = rest <= SMALL or bool(limit and size >= limit)
        if not keep:
            self._pools[block.stream, block.small].put(block.cut(size))

    def _free(self, block: Block) -> None:
        if self.trace is not None:
            self.trace.freed(block.number)
        if not block.size:
            return
        self.allocated.add(-block.size)
        self.requested.add(-block.requested)
        pool = self._pools[block.stream, block.small]
        for neighbour in (block.previous, block.next):
            if neighbour is not None and neighbour.free:
                pool.take(neighbour)
                block.absorb(neighbour)
        pool.put(block)
