"""Where the driver puts segments: of free blocks of one size, torch hands out the one at the lowest address.

So it was on an H200 (driver 580): stretches of 32 MiB, or a multiple of it, each below the last one; what is
left in a stretch is for later segments, the lowest place first. Beneath the first segment the driver has room
that it needs while its libraries are loaded: from the first convolution or product of matrices on, segments
go there.
"""

from __future__ import annotations

from bisect import bisect_left

STRETCH = 32 << 20
LIBRARIES = 414 << 20
"""Bytes beneath the first segment."""

_TOP = 1 << 46


class Addresses:
    """The address space of one device: free places in it, the lowest first, as addresses and sizes."""

    def __init__(self) -> None:
        self._free: list[tuple[int, int]] = []
        self._lowest = _TOP

    def load(self) -> None:
        """The driver has loaded its libraries."""
        self.put(_TOP, LIBRARIES)

    def take(self, size: int) -> int:
        """The address of a new segment."""
        for at, (address, room) in enumerate(self._free):
            if room >= size:
                self._free[at : at + 1] = [(address + size, room - size)] if room > size else []
                return address
        stretch = -(-size // STRETCH) * STRETCH
        self._lowest -= stretch
        if stretch > size:
            self._free.insert(0, (self._lowest + size, stretch - size))
        return self._lowest

    def put(self, address: int, size: int) -> None:
        """A segment was given back: its place joins free ones beside it."""
        at = bisect_left(self._free, (address, 0))
        if at < len(self._free) and self._free[at][0] == address + size:
            size += self._free.pop(at)[1]
        if at and sum(self._free[at - 1]) == address:
            address, size = self._free[at - 1][0], self._free[at - 1][1] + size
            del self._free[at - 1]
            at -= 1
        self._free.insert(at, (address, size))
