"""Keeps a replay short: passes over loaders and loops are cut, steps are counted, then the run is over.

What makes no step may run: an evaluation, a rollout or a warm-up before the first step ends no run that may
still train. Enough steps were made when their number was (`--steps`), or, where none was given, when the
next ones would be too dear. The innermost loop around the steps is ended then, so that what lies behind it
is reached; its later passes are short. A loop without steps is ended where it takes long and each of its
iterations does the same to memory. Of a loop that sums gradients for a step behind it, a simulation leaves
out iterations that leave the allocator as they found it.

Whatever the clock decides, it decides in the first run of the script only: that run's `Schedule` holds it
in numbers, and all others follow it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from memlint.runtime.child.limits import loops
from memlint.runtime.child.limits.budget import LEAST, MOST, Budget
from memlint.runtime.child.limits.loops import Loop, Loops, Repeats
from memlint.runtime.child.limits.passes import SHORT_PASSES, Loaders, Pass
from memlint.runtime.child.log import NO_SITE, Log
from memlint.runtime.child.tracking.hooks import tensors
from memlint.runtime.child.tracking.sites import Sites
from memlint.session import BACKWARD, FORWARD, WINDOW, Cut, Schedule
from memlint.units import plural

SHORT_STEPS = 2
"""Steps of a short pass of a `for` loop: one may make an optimizer's state, the next finds it there."""

SHOWN = 3
"""Steps of a series that a run shows in any case where further ones would repeat: the last of them is like
the one before."""

STEPS_AT_MOST = 10
STEPS_BY_THE_CLOCK = 2
"""Of timed runs, the steps after the first passes count for nothing."""

SPARE = 5.0
"""Seconds for what lies behind the last of the steps, such as further epochs."""

LONG, SHARE = 3.0, 0.1
"""Seconds from which on an evaluation takes long, and the share of the time limit that it may take."""

REST = 1.0
"""Seconds that the rest of a loop must take for it to be left out."""

REPEATS, ITERATIONS = 4, 8
"""How often in a row an iteration must do the same to memory, and of how many, before its loop is ended."""

LEFT_OUT = 2
"""How many items of a loop that sums gradients must be left before the last is next."""

INFERENCE = 10.0
"""Seconds after which a script that only infers may end, where no loop could be cut."""


class Bounds:
    """Decides when enough was seen; `stop` is called with the reason and does not return.

    `explores` lets the clock decide what the schedule leaves open. `timeout` is that of the run, in
    seconds; `at_most` times the steps of the schedule end it in any case; `at_least` so many of a series are
    made even where they repeat. With `leaves` the run ends with the last of its steps, where no loader feeds
    them. With `waits` it goes on for a while where an evaluation is to come between the steps, and none was
    seen. `may_train` says whether there is an optimizer, `evaluations` how many there were, `repeats`, asked
    after each step, that all further ones do what others have done.
    """

    def __init__(
        self,
        schedule: Schedule,
        owns: Callable[[str], bool],
        sites: Sites,
        log: Log,
        stop: Callable[[str], None],
        *,
        explores: bool,
        timeout: float,
        at_most: int = STEPS_AT_MOST,
        at_least: int = 0,
        leaves: bool = False,
        waits: bool = True,
    ) -> None:
        self.schedule = schedule
        self.budget = Budget(schedule, log, explores=explores)
        self.loops = Loops(schedule.cuts, log.note)
        self.loops.between = self._between
        self.loaders = Loaders(self.budget, self.loops, owns, sites, stop, self._loader_was_cut)
        self.evaluations: Callable[[], int] = lambda: 0
        self.may_train: Callable[[], bool] = lambda: True
        self.repeats: Callable[[str], bool] = lambda series: False
        self.state: Callable[[], object] = lambda: None
        self._most = (schedule.steps or MOST) * at_most
        self._log = log
        self._stop = stop
        self._timeout = timeout
        self._least = max(SHOWN, at_least)
        self._leaves = leaves
        self._waits = waits
        self._forwards = self._inferred = 0
        self._without_steps: Counter[str] = Counter()
        self._inference_began: float | None = None
        self._inference = Repeats(log)
        self._cuts: dict[str, _First] = {}
        self._planned: dict[str, dict[tuple[str, ...], int]] = {}
        self._item: dict[str, tuple[Loop, int] | None] = {}
        self._timed: dict[str, dict[str, int]] = {}

    def install(self) -> None:
        """Cut every DataLoader of the process from now on."""
        if not self.schedule.whole:
            self.loaders.install()

    def rewriting(self) -> tuple[Callable[[str], Any], dict[str, Any]]:
        """What changes the project's loops, and the names that it puts into them."""
        return self.loops.transformer, self.loops.names()

    # --- ticks -------------------------------------------------------------------------------------

    def tick(self, series: str, count: int) -> None:
        """Count one step, backward or root forward; end loops, or the run, if it was the last."""
        around = self.loops.around()
        for loop in around:
            loop.stirred = True
            loop.statement.patience = loops.NEVER
        if series.startswith(BACKWARD):
            self._without_step(series, around)
            return
        if not series.startswith(FORWARD):
            self._step(series, around)
            return
        self._forwards += 1
        for loop in around:
            loop.forwards += 1
        if not self.budget.all_steps and not self.budget.backwards:
            self._infer(around)

    def backward(self) -> None:
        """A backward has ended, whether it counts as a step or not."""
        self.budget.backwards += 1
        for loop in self.loops.around():
            loop.backwards += 1
            loop.statement.trained = True

    def _without_step(self, series: str, around: list[Loop]) -> None:
        """A backward before any step: it counts as one where none is to come."""
        if self.may_train() and self.budget.backwards <= WINDOW:
            self._without_steps[series] += 1
            return
        for earlier, count in self._without_steps.items():
            self.budget.count(earlier, count)
        self._without_steps.clear()
        self._step(series, around)

    def _step(self, series: str, around: list[Loop]) -> None:
        budget = self.budget
        budget.count(series)
        self.loaders.step()
        self._plan(series, around)
        inner = next((loop for loop in around if loop.backwards), None)
        if self.loaders.opened_in(inner):
            inner = None
        for loop in around:
            loop.steps += 1
            loop.inner = loop is inner
        if budget.all_steps >= self._most:
            self._stop(self._so_far(series, budget.all_steps))
        if self.repeats(series) and budget.steps[series] >= self._least and not self._awaits(around):
            budget.ends_here(series)
        if budget.is_enough(series, lambda: self._awaits(around)):
            self.loops.late = True
            self._end(series, inner)

    def _plan(self, series: str, around: list[Loop]) -> None:
        """Note how many steps the loops around one would make at most, 0 where that is not known.

        So it is where a loop's length is not, and where a library has loops of its own within an item.
        """
        item = (around[0], around[0].count) if around else None
        steps = int(item is not None and item != self._item.get(series))
        self._item[series] = item
        for loop, outer in zip(around, [*around[1:], None], strict=False):
            steps *= loop.length or self.loaders.length_of(loop, outer)
        ways = self._planned.setdefault(series, {})
        way = tuple(loop.statement.key for loop in around)
        ways[way] = max(steps, ways.get(way, steps)) if steps and ways.get(way) != 0 else 0

    def planned(self, series: str) -> int:
        """How many steps of a series the script would make at most; 0 where that is not known."""
        ways = self._planned.get(series, {}).values()
        return sum(ways) if all(ways) else 0

    def _awaits(self, around: list[Loop]) -> bool:
        """Whether an evaluation is to come between the steps, and none was seen."""
        return bool(around) and self._waits_in(around[0])

    def _waits_in(self, loop: Loop) -> bool:
        waits = self._waits and not self.evaluations()
        return waits and self.loops.reaches(loop.statement, loops.EVALUATES)

    def _end(self, series: str, inner: Loop | None) -> None:
        """Enough steps of a series were made: end the loop around them, or, where there is none, the run."""
        if self.loaders.feed() if inner is None else inner.fed:
            return
        if inner is None or self._leaves or self.schedule.whole:
            self._stop(self._so_far(series, self.budget.steps[series]))
        elif inner.most <= inner.count:
            inner.extra += 1
            if inner.extra > LEAST:
                # A loop that cannot be ended, such as a comprehension, runs within the body.
                self._stop(self._so_far(series, self.budget.steps[series]))
        elif not inner.late or min(inner.steps, inner.count) >= SHORT_STEPS:
            self._cut(inner, f"{in_words(series, self.budget.steps[series])} were enough")

    def _so_far(self, series: str, count: int) -> str:
        """How much of the script ran: "250 optimizer steps and 2 evaluations"."""
        evaluations = self.evaluations()
        more = f" and {plural(evaluations, 'evaluation')}" if evaluations else ""
        return f"{in_words(series, count)}{more}"

    def _infer(self, around: list[Loop]) -> None:
        """A forward where nothing was trained so far: end a run that only infers and shows nothing new."""
        enough = self._forwards == self.schedule.forwards
        waits = self.may_train() or any(self.loops.reaches(x.statement, loops.TRAINS) for x in around)
        if self.budget.explores and not waits:
            now = time.perf_counter()
            if self._inference_began is None:
                self._inference_began = now
            enough = now - self._inference_began > INFERENCE and self._inference.look() >= LEAST
        if enough:
            self._inferred = self._forwards
            self._stop(f"{self._forwards} forwards without an optimizer step")

    # --- loops -------------------------------------------------------------------------------------

    def _between(self, loop: Loop) -> None:
        """Before the next item of a loop in which something happened."""
        if loop.inner or loop.fed or self.schedule.whole:
            return
        if loop.steps:
            self._outer(loop)
        elif loop.backwards:
            self._sum(loop)
        elif self.budget.explores and loop.forwards and not loop.statement.trained:
            self._evaluation(loop)

    def _outer(self, loop: Loop) -> None:
        """A loop around passes: a few short ones follow those in which enough steps were made."""
        if self.budget.enough_since is None:
            return
        loop.extra += 1
        if loop.extra > SHORT_PASSES:
            self._cut(loop, f"{SHORT_PASSES} short ones followed enough steps")
        elif self.budget.explores and loop.extra > 1 and self.budget.since_enough() > self._spare(loop):
            self._cut(loop, "the last of them are short, for enough steps were made", timed=True)

    def _spare(self, loop: Loop) -> float:
        """Seconds for short passes: more of them where an evaluation is still to come."""
        return SHARE * self._timeout if self._waits_in(loop) else SPARE

    def _sum(self, loop: Loop) -> None:
        """A loop that sums gradients: its last item is next where those between do to memory what was done.

        Only from the second opening on: the first shows that the step is made behind the loop.
        """
        statement = loop.statement
        if not statement.sums or statement.steps or not self.budget.all_steps:
            return
        left = loop.items_left()
        if left is None or left < LEFT_OUT or (state := self.state()) is None:
            return
        if loop.repeats is None:
            loop.repeats = Repeats(self._log)
        again = loop.repeats.look()
        # States may alternate, as where a batch is made while the one before is there.
        if again and state in loop.states:
            loop.leaps = True
            why = "those left out before the last do the same to memory"
            ran = loop.count + 1
            self._note(statement.key, statement.path, statement.line, loop, why, trains=True, ran=ran)
        loop.states.add(state)

    def _evaluation(self, loop: Loop) -> None:
        """A loop in which only forwards happen: end it where it takes long and repeats itself."""
        now = time.perf_counter()
        statement = loop.statement
        if statement.is_while:
            return  # what it waits for, such as the end of a sentence, is not to be missing after it
        if statement.spent + now - loop.began < LONG or self.loops.reaches(statement, loops.TRAINS):
            return
        if loop.repeats is None:
            loop.repeats = Repeats(self._log)
        again = loop.repeats.look()
        repeats = loop.count >= ITERATIONS and again >= REPEATS and not statement.collects
        if repeats and _is_long(loop, now):
            self._cut(loop, "peak and bytes repeat", timed=True)
        elif now - loop.began > SHARE * self._timeout:
            self._cut(loop, f"it took {SHARE:.0%} of the time limit", timed=True)

    def _cut(self, loop: Loop, why: str, *, timed: bool = False) -> None:
        """End a loop before its next item, if there is one."""
        if loop.items_left() == 0 or self.loaders.gave_last(loop):
            return
        loop.most = loop.count
        statement = loop.statement
        if timed:
            self._timed.setdefault(statement.key, {})[str(loop.opening)] = loop.count
        self._note(statement.key, statement.path, statement.line, loop, why, loop.steps > 0)

    def _loader_was_cut(self, found: Pass) -> None:
        if found.site != NO_SITE:
            trains = found.passes.trained
            place = self._log.sites[found.site]
            self._note(f"loader {found.site}", *place, found, "a pass over a loader", trains)

    def _note(
        self, key: str, path: str, line: int, cut: Loop | Pass, why: str, trains: bool, ran: int = 0
    ) -> None:
        if key not in self._cuts:
            self._cuts[key] = _First(path, line, ran or cut.count, cut.length, why, trains)
        self._cuts[key].times += 1

    # --- the end -----------------------------------------------------------------------------------

    def cuts(self, name: Callable[[str], str]) -> tuple[Cut, ...]:
        """What was shortened; `name` shortens a path for the report."""
        return tuple(
            Cut(name(row.path), row.line, row.ran, row.length, row.times, row.why, row.trains)
            for row in self._cuts.values()
        )

    def decided(self) -> Schedule:
        """What another run has to follow to do the same; where its steps repeat, it will see so itself."""
        steps = self.budget.limit or MOST
        first = self.budget.first or steps
        if self.budget.repeats and self.schedule.steps:
            steps, first = self.schedule.steps, self.schedule.first
        return replace(
            self.schedule,
            steps=steps,
            first=first,
            forwards=self._inferred or self.schedule.forwards,
            cuts=self._timed or self.schedule.cuts,
        )


@dataclass(slots=True)
class _First:
    """The first of the cuts at one line, and how many there were."""

    path: str
    line: int
    ran: int
    length: int
    why: str
    trains: bool
    times: int = 0


def in_words(series: str, count: int) -> str:
    """So many of a series: "25 optimizer steps"."""
    return plural(count, series.partition(" at ")[0])


def _is_long(loop: Loop, now: float) -> bool:
    """Whether the rest of a loop is worth being left out, as far as its length is known."""
    left = loop.items_left()
    return left is None or left * (now - loop.began) > REST * loop.count


def marker(mark: Callable[[Any, str], None], adopt: Callable[[Any], None]) -> Callable[[Any], None]:
    """What to do with each batch: follow its tensors and call them input."""

    def on_batch(batch: Any) -> None:
        for tensor in tensors(batch):
            adopt(tensor)
            mark(tensor, "input")

    return on_batch
