"""Blocks of the caching allocator, pools in which free ones wait, and counters of memory_stats."""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import dataclass, field

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


@dataclass(slots=True, eq=False)
class Block:
    """A stretch of a segment, handed out or waiting in its pool, between two neighbours or alone.

    `idle` is how many requests have passed it by, `number` counts the requests of an allocator with a trace.
    What is not `mapped` is address space of a segment that grows, without memory. `stream` is the one that
    its segment was made on: no other one gets any part of it.
    """

    address: int
    size: int
    small: bool
    requested: int = 0
    free: bool = False
    mapped: bool = True
    idle: int = 0
    number: int = -1
    stream: int = 0
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

    def cut(self, size: int) -> Block:
        """Keep the first `size` bytes; the rest is a block of its own, which is given back."""
        other = Block(
            self.address + size, self.size - size, self.small,
            stream=self.stream, previous=self, next=self.next,
        )  # fmt: skip
        if other.next is not None:
            other.next.previous = other
        self.next = other
        self.size = size
        return other

    def absorb(self, other: Block) -> None:
        """Take in the neighbour before or after this block."""
        self.size += other.size
        if other is self.previous:
            self.address, self.previous = other.address, other.previous
            if self.previous is not None:
                self.previous.next = self
        else:
            self.next = other.next
            if self.next is not None:
                self.next.previous = self


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
class Pool:
    """Free blocks, by address and in the order of their sizes; `split` counts bytes of parts of segments."""

    split: Counter
    grows: bool = False
    keys: list[tuple[int, int]] = field(default_factory=list)
    blocks: dict[int, Block] = field(default_factory=dict)

    def put(self, block: Block) -> None:
        """A block is free from now on."""
        block.free, block.idle = True, 0
        insort(self.keys, block.key)
        self.blocks[block.address] = block
        if block.split and not self.grows:
            self.split.add(block.size)

    def take(self, block: Block) -> None:
        """A block is no longer free."""
        block.free = False
        del self.keys[bisect_left(self.keys, block.key)]
        del self.blocks[block.address]
        if block.split and not self.grows:
            self.split.add(-block.size)

    def fitting(self, size: int) -> Block | None:
        """The smallest block of at least `size` bytes, at the lowest address."""
        at = bisect_left(self.keys, (size, 0))
        return self.blocks[self.keys[at][1]] if at < len(self.keys) else None

    def whole(self) -> list[Block]:
        """Blocks that are whole segments."""
        return [block for block in self.blocks.values() if not block.split]


def rounded(size: int, divisions: int = 0) -> int:
    """round_size: bytes of the block that a request needs, with powers of two in so many parts (0: not)."""
    if divisions > 1 and size > MIN_BLOCK * divisions:
        step = (1 << (size.bit_length() - 1)) // divisions
        return -(-size // step) * step
    return max(MIN_BLOCK, -(-size // MIN_BLOCK) * MIN_BLOCK)


def segment_size(size: int, large: int = LARGE_SEGMENT) -> int:
    """get_allocation_size: bytes that are asked from the driver when no cached block fits."""
    if size <= SMALL:
        return SMALL_SEGMENT
    if size < MIN_LARGE:
        return large
    return -(-size // ROUND_LARGE) * ROUND_LARGE
