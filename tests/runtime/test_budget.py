"""How many steps are enough: what the clock decides in one run, another does by the number."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from memlint.runtime.child.limits.budget import EVENTS, LEAST, MOST, Budget
from memlint.session import Schedule


def ticks() -> list[str]:
    """An update of the critics in each iteration, two of the actor in every second one."""
    found = []
    for iteration in range(2 * MOST):
        found += ["critic", *(["actor", "alpha"] * 2 if iteration % 2 else [])]
    return found


def ended_at(budget: Budget, log: SimpleNamespace, dear_from: int) -> int:
    """The tick that is the last, where the budget is spent from one on."""
    for number, series in enumerate(ticks()):
        log.events = range(EVENTS + 1 if number >= dear_from else 0)
        budget.count(series)
        if budget.is_enough(series, lambda: False):
            return number
    raise AssertionError("no tick was enough")


@pytest.mark.parametrize("dear_from", [0, 3 * LEAST, *range(200, 210), 10**6])
def test_another_run_ends_at_the_same_step_of_several_optimizers(dear_from: int) -> None:
    log = SimpleNamespace(events=())
    explored = Budget(Schedule(), log, explores=True)
    last = ended_at(explored, log, dear_from)
    followed = Budget(Schedule(steps=explored.limit), log, explores=False)
    assert ended_at(followed, log, dear_from) == last
