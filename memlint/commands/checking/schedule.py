"""In which order several processes take the files of a run, and which of them in one turn."""

from __future__ import annotations

from collections.abc import Sequence

TURNS = 16
"""The fewest turns of one process. What is longer than a turn is handed out alone, and first."""

MOST_AT_ONCE = 4
"""Files in one turn: an interrupt waits for the turns that are being worked on."""


def turns(sizes: Sequence[int], workers: int) -> list[list[int]]:
    """The numbers of the files in the order in which processes take them, those of one turn together.

    A long file that is begun last keeps one process busy while the others wait, so the long ones come first,
    the longest ahead. The rest stay in the order given, in which those that others import come before them.

    Args:
        sizes: the bytes of each file; the time that one takes grows with them.
        workers: how many processes there are.
    """
    share = sum(sizes) / (workers * TURNS)
    long = sorted((n for n, size in enumerate(sizes) if size > share), key=lambda n: -sizes[n])
    rest = sorted(set(range(len(sizes))) - set(long))
    together = max(1, min(MOST_AT_ONCE, len(sizes) // (TURNS * workers)))
    return [*([n] for n in long), *(rest[at : at + together] for at in range(0, len(rest), together))]
