"""Numbers for people, in one form wherever memlint writes them into a sentence or a table."""

from __future__ import annotations

UNITS = (("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10))


def size(count: int) -> str:
    """Bytes as at most four digits and a binary unit ("1.076 MiB"); exact below 1 KiB ("512 B")."""
    for unit, factor in UNITS:
        if abs(count) >= factor:
            return f"{count / factor:.4g} {unit}"
    return f"{count} B"


def change(before: int, after: int) -> str:
    """Two sizes ("4.156 MiB to 3.08 MiB"); exact bytes where the four digits would be the same."""
    first, last = size(before), size(after)
    if first != last or before == after:
        return f"{first} to {last}"
    return f"{before:,} B to {after:,} B"


def plural(count: int, noun: str) -> str:
    """`1 finding`, `2 findings`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
