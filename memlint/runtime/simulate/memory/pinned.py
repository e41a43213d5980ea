"""Pinned memory of the host, in blocks as torch takes them: powers of two that it keeps for later requests.

Follows CachingHostAllocatorImpl in ATen/core/CachingHostAllocator.h of torch 2.13.
"""

from __future__ import annotations

from collections import Counter


class Pinned:
    """The storages that a script has pinned, by their keys."""

    def __init__(self) -> None:
        self._blocks: dict[int, int] = {}
        self._now: Counter[int] = Counter()
        self._most: Counter[int] = Counter()

    def __contains__(self, key: int) -> bool:
        return key in self._blocks

    def add(self, key: int, size: int) -> None:
        """A storage of so many bytes was pinned."""
        block = 1 << max(size - 1, 0).bit_length()
        self._blocks[key] = block
        self._now[block] += 1
        self._most[block] = max(self._most[block], self._now[block])

    def discard(self, key: int) -> None:
        """A storage is gone, if it was pinned."""
        if (block := self._blocks.pop(key, 0)) > 0:
            self._now[block] -= 1

    @property
    def reserved(self) -> int:
        """Bytes that torch has taken: as many blocks of each size as were there at once."""
        return sum(block * count for block, count in self._most.items())
