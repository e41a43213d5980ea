"""Segments that grow (expandable_segments:True): one for each pool, backed by memory page by page.

Follows try_allocate_expandable_block, find_expandable_block, map_block and unmap_block of
c10/cuda/CUDACachingAllocator.cpp. Pages are as large as the segments are otherwise: 2 MiB in the small pool,
20 MiB in the large one.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from dataclasses import dataclass, field

from memlint.runtime.simulate.memory.blocks import Block, Pool

SPACE = 1 << 50
"""Bytes of addresses that one segment has: more than a card can back."""


@dataclass(slots=True)
class Expandable:
    """The growing segment of one pool.

    `back` is called with bytes that are to be backed by memory, and says whether there is room; `drop` with
    bytes that are given back. `page` are bytes that are backed at once.
    """

    pool: Pool
    small: bool
    base: int
    back: Callable[[int], bool]
    drop: Callable[[int], None]
    page: int
    stream: int = 0
    unbacked: list[Block] = field(default_factory=list)

    def grow(self, size: int) -> Block | None:
        """A free block of at least `size` bytes, taken out of its pool; None where there is no room."""
        if not self.unbacked:
            self._keep(Block(self.base, SPACE, self.small, mapped=False, stream=self.stream))
        block = self._room(size)
        if not block.mapped and not self._back(block, min(block.size, size)):
            return None
        while block.size < size:
            following = block.next
            assert following is not None
            if not self._back(following, min(following.size, size - block.size)):
                return None
            block = following
        self.pool.take(block)
        return block

    def give_back(self) -> None:
        """Unback every page in which nothing lies."""
        for block in list(self.pool.blocks.values()):
            first = -(-(block.address - self.base) // self.page) * self.page + self.base
            last = (block.address + block.size - self.base) // self.page * self.page + self.base
            if last > first:
                self._unback(block, first, last)

    # --- blocks ------------------------------------------------------------------------------------

    def _room(self, size: int) -> Block:
        for start in self.unbacked:
            block = start
            if block.previous is not None and block.previous.free:
                block = block.previous
            room, here = 0, block
            while here is not None and (here.free or not here.mapped) and room < size:
                room += here.size
                here = here.next  # type: ignore[assignment]
            if room >= size:
                return block
        raise AssertionError("the addresses of a segment never end")

    def _back(self, block: Block, size: int) -> bool:
        pages = min(-(-size // self.page) * self.page, block.size)
        if not self.back(pages):
            return False
        self.unbacked.remove(block)
        if block.size > pages:
            self._keep(block.cut(pages))
        block.mapped = True
        for neighbour in (block.previous, block.next):
            if neighbour is not None and neighbour.free:
                self.pool.take(neighbour)
                block.absorb(neighbour)
        self.pool.put(block)
        return True

    def _unback(self, block: Block, first: int, last: int) -> None:
        self.pool.take(block)
        if first > block.address:
            rest = block.cut(first - block.address)
            self.pool.put(block)
            block = rest
        if block.address + block.size > last:
            self.pool.put(block.cut(last - block.address))
        block.mapped = False
        self.drop(block.size)
        for neighbour in (block.previous, block.next):
            if neighbour is not None and not neighbour.mapped:
                self.unbacked.remove(neighbour)
                block.absorb(neighbour)
        self._keep(block)

    def _keep(self, block: Block) -> None:
        block.mapped = False
        insort(self.unbacked, block, key=lambda held: held.address)
