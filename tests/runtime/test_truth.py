"""The allocator's own events, where sums of gradients are put back in place."""

from __future__ import annotations

import pytest

from tests.runtime.support import needs_torch

truth = pytest.importorskip("memlint.runtime.child.tracking.truth")
pytestmark = needs_torch

EVENTS = [(1, 100, 10), (2, 100, 20), (3, 100, 30), (4, -100, 10), (5, -100, 20), (6, 50, 10)]
"""Two gradients at 10 and 20, and their sum at 30, for which that at 10 is freed."""


@pytest.mark.parametrize(
    ("events", "replaced", "peak"),
    [
        (EVENTS, [], 300),
        (EVENTS, [(30, 10)], 200),
        # A buffer of the kernel lies between, and a pair that was never seen before it.
        ([*EVENTS[:3], (3, 8, 40), (3, -8, 40), *EVENTS[3:]], [(70, 10), (30, 10)], 208),
        (EVENTS, [(30, 90)], 300),
        # What is freed at that address was made later: the address is used again.
        ([*EVENTS[:3], (3, 8, 90), (3, -8, 90), *EVENTS[3:]], [(30, 90)], 308),
        (EVENTS, [(10, 30)], 300),
    ],
)
def test_a_sum_takes_the_place_of_what_it_replaces(
    events: list[tuple[int, int, int]], replaced: list[tuple[int, int]], peak: int
) -> None:
    assert truth._highest(truth._in_place(events, replaced)) == peak
