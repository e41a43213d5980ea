"""Whether a run of `memlint fit` with a change went as far as the original: steps end where they repeat."""

from __future__ import annotations

import pytest

from memlint.runtime.parent.fit.change import Change
from memlint.runtime.parent.fit.endings import went_as_far
from memlint.session import Arm, Simulation
from tests.runtime.made import arm, step


def run(steps: int, *, repeats: bool = False) -> Arm:
    return arm(steps=(step(),) * steps, simulation=Simulation("GPU", repeats=repeats))


@pytest.mark.parametrize(
    ("changed", "original", "is_enough"),
    [
        (run(7), run(7), True),
        (run(5), run(7), False),
        (run(9), run(7), False),
        (run(3, repeats=True), run(7), True),
        (run(1, repeats=True), run(7), False),
        (run(7), run(3, repeats=True), True),
        (run(4, repeats=True), run(5, repeats=True), True),
        (run(2), run(3, repeats=True), False),
    ],
)
def test_a_run_goes_as_far_where_further_steps_would_do_the_same(
    changed: Arm, original: Arm, is_enough: bool
) -> None:
    assert went_as_far(changed, original, Change("change", "a change")) == is_enough
