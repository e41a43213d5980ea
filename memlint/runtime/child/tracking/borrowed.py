"""Memory that torch has not allocated: tensors over one array of NumPy share its bytes, which count once."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter

Piece = tuple[int, int]
"""The first address, and the one behind the last."""


class Borrowed:
    """Which storage each borrowed byte counts for: the first over it, and after its death another one."""

    def __init__(self) -> None:
        self._ranges: dict[int, Piece] = {}
        self._pieces: list[tuple[int, int, int]] = []
        self._heirs: dict[int, dict[int, None]] = {}

    def __contains__(self, index: int) -> bool:
        return index in self._ranges

    def add(self, index: int, start: int, size: int) -> int:
        """A storage of `size` bytes has begun to live; how many of them count for no other one."""
        self._ranges[index] = start, start + size
        self._heirs[index] = {}
        gaps, at = [], start
        for first, last, owner in self._pieces[self._over(start, start + size)]:
            self._heirs[owner][index] = None
            gaps.append((at, first))
            at = last
        gaps.append((at, start + size))
        return sum(self._own(index, *gap) for gap in gaps)

    def remove(self, index: int) -> Counter[int]:
        """A storage has died; the bytes that count for others from now on, by storage."""
        start, end = self._ranges.pop(index)
        heirs = [heir for heir in self._heirs.pop(index) if heir in self._ranges]
        gained: Counter[int] = Counter()
        here = self._over(start, end)
        free = [piece for piece in self._pieces[here] if piece[2] == index]
        self._pieces[here] = [piece for piece in self._pieces[here] if piece[2] != index]
        for number, heir in enumerate(heirs):
            first, last = self._ranges[heir]
            rest = []
            for begin, stop, _ in free:
                low, high = max(begin, first), min(stop, last)
                gained[heir] += self._own(heir, low, high)
                rest += [(begin, stop, index)] if low >= high else [(begin, low, index), (high, stop, index)]
            free = rest
            self._heirs[heir] |= dict.fromkeys(heirs[number + 1 :])
        return +gained

    def _over(self, start: int, end: int) -> slice:
        """Where the pieces stand that have bytes between two addresses."""
        begin = bisect_left(self._pieces, (start, 0, 0))
        if begin and self._pieces[begin - 1][1] > start:
            begin -= 1
        return slice(begin, max(begin, bisect_left(self._pieces, (end, 0, 0))))

    def _own(self, index: int, start: int, end: int) -> int:
        if start >= end:
            return 0
        insort(self._pieces, (start, end, index))
        return end - start
