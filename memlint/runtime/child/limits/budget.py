"""How many steps a run makes: as many as were asked for, or as the clock allows."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from memlint.runtime.child.limits.loops import NEVER
from memlint.session import LEAST_STEPS, Schedule

FULL_PASSES = 2
LEAST, MOST = LEAST_STEPS, 250
SECONDS, EVENTS = 8.0, 1_000_000
"""Without `--steps`: how many there are in any case and at most, and what may be spent on those between."""

AGAIN = 2
"""Steps of another pass over a loader where steps repeat: one after what came between, and the next."""

WAIT, MOST_WAITING = 2.0, 2000
"""How many times that may be spent, and how many there may be, while an evaluation is still to come."""


class Budget:
    """Counts the steps of each series and says when they are enough.

    `limit` are enough steps of a series, `first` those of the first of several passes over a loader; 0 as
    long as that is not decided. With `explores` the clock, and the length of the log, decide it. `repeats`
    says that more would show nothing else.
    """

    def __init__(self, schedule: Schedule, log: Any, *, explores: bool) -> None:
        self.limit = schedule.steps
        self.first = schedule.first or -(-schedule.steps // FULL_PASSES)
        self.explores = explores
        self.batches_of_evaluation = -(-min(self.limit or LEAST, LEAST) // FULL_PASSES)
        self.steps: Counter[str] = Counter()
        self.all_steps = 0
        self.backwards = 0
        self.enough_since: float | None = None
        self.repeats = False
        self._log = log
        self._began: float | None = None

    def count(self, series: str, times: int = 1) -> None:
        """One more step of a series, or so many."""
        self.steps[series] += times
        self.all_steps += times
        if self._began is None:
            self._began = time.perf_counter()

    def since(self, before: Counter[str]) -> int:
        """The steps since then of the series that made most."""
        return max((count - before[series] for series, count in self.steps.items()), default=0)

    def is_enough(self, series: str, awaits: Callable[[], bool]) -> bool:
        """Whether a series has steps enough; `awaits`: is an evaluation between them still to come?"""
        count = self.steps[series]
        # Another run has only the number: it is to end here too, and not where another series was as far.
        leads = sum(steps >= count for steps in self.steps.values()) == 1
        if not self.limit and leads and count >= LEAST and (count >= MOST or self._is_dear(1.0)):
            more = count < MOST_WAITING and not self._is_dear(WAIT) and awaits()
            self.limit = 0 if more else count
        if not self.limit or count < self.limit:
            return False
        if self.enough_since is None:
            self.enough_since = time.perf_counter()
        return True

    def ends_here(self, series: str) -> None:
        """No more steps of a series than there were: they would show nothing else."""
        self.limit = min(self.limit or MOST, self.steps[series])
        self.first = min(self.first or MOST, self.limit)
        self.repeats = True

    def since_enough(self) -> float:
        """Seconds since the steps were enough; 0.0 before."""
        return time.perf_counter() - self.enough_since if self.enough_since is not None else 0.0

    def missing(self, begun: int) -> int:
        """Steps that were missing after `begun` of them; without a limit there are always some."""
        return max(self.limit - begun, 0) if self.limit else NEVER

    def first_pass(self, steps: int) -> int:
        """Steps of the first of several passes over a loader: half of them all, or as the clock decides."""
        half = MOST // FULL_PASSES
        if not self.first and steps >= self.batches_of_evaluation and (steps >= half or self._is_dear(0.5)):
            self.first = steps
            self.limit = FULL_PASSES * steps
        return self.first or NEVER

    def later_pass(self, again: bool) -> int:
        """Steps of a pass over a loader that begins when there were enough: `again` or for the first time."""
        if again and self.repeats:
            return AGAIN
        return min(self.first or NEVER, self.batches_of_evaluation)

    def _is_dear(self, share: float) -> bool:
        """Whether a share of what may be spent on steps is spent."""
        if not self.explores or self._began is None:
            return False
        return time.perf_counter() - self._began > share * SECONDS or len(self._log.events) > share * EVENTS
