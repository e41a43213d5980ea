"""Keeps a replay short: passes over loaders and `for` loops are cut, steps are counted, then the run is over.

What makes no step may run: an evaluation, a rollout or a warm-up before the first step ends no run that may
still train. Enough steps were made when their number was (`--steps`), or, where none was given, when the
next ones would be too dear. The innermost loop around the steps is ended then, so that what lies behind it
is reached; its later passes are short. A loop without steps is ended where it takes long and each of its
iterations does the same to memory.

Whatever the clock decides, it decides in the first run of the script only: that run's `Schedule` holds it
in numbers, and all others follow it.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from opcode import opmap
from types import FrameType
from typing import Any

from torch.utils.data import DataLoader

from memlint.runtime import loops
from memlint.runtime.hooks import tensors
from memlint.runtime.log import NO_SITE, Log
from memlint.runtime.loops import NEVER, Loop, Loops, Repeats
from memlint.runtime.tracker import Sites
from memlint.session import FORWARD, LEAST_STEPS, Cut, Schedule

FULL_PASSES = 2
SHORT_PASSES = 100
SHORT_STEPS = 2
"""Steps of a short pass of a `for` loop: one may make an optimizer's state, the next finds it there."""

STEPS_AT_MOST = 10
STEPS_BY_THE_CLOCK = 2
"""Of timed runs, the steps after the first passes count for nothing."""

LEAST, MOST = LEAST_STEPS, 250
SECONDS, EVENTS = 8.0, 1_000_000
"""Without `--steps`: how many there are in any case and at most, and what may be spent on those between."""

WAIT = 2.0
"""How many times that may be spent where an evaluation in the loop of the steps is still to come."""

SPARE = 5.0
"""Seconds for what lies behind the last of the steps, such as further epochs."""

LONG, SHARE = 3.0, 0.1
"""Seconds from which on an evaluation takes long, and the share of the time limit that it may take."""

REST = 1.0
"""Seconds that the rest of a loop must take for it to be left out."""

REPEATS, ITERATIONS = 4, 8
"""How often in a row an iteration must do the same to memory, and of how many, before its loop is ended."""

INFERENCE = 10.0
"""Seconds after which a script that only infers may end, where no loop could be cut."""


_LOOPING = {opmap[name] for name in ("FOR_ITER", "SEND")}


class _Passes:
    """The passes over one loader: how many were opened, how many are done, whether steps were made in one."""

    __slots__ = ("done", "opened", "trained")

    def __init__(self) -> None:
        self.opened = 0
        self.done = 0
        self.trained = False


class Bounds:
    """Decides when enough was seen; `stop` is called with the reason and does not return.

    `explores` lets the clock decide what the schedule leaves open. `timeout` is that of the run, in
    seconds; `at_most` times the steps of the schedule end it in any case. With `leaves` the run ends with
    the last of its steps, where no loader feeds them. `may_train` says whether there is an optimizer.
    `evaluations` says how many there were. `batches` is the length of the loader that feeds the steps, 0 as
    long as there is none. `loading` is above 0 while a loader makes a batch.
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
        leaves: bool = False,
    ) -> None:
        self.schedule = schedule
        self.loops = Loops(schedule.cuts)
        self.loops.between = self._between
        self.limit = schedule.steps
        self.first = schedule.first or -(-schedule.steps // FULL_PASSES)
        self._most = (self.limit or MOST) * at_most
        self._of_evaluation = -(-min(self.limit or LEAST, LEAST) // FULL_PASSES)
        self._owns = owns
        self._sites = sites
        self._log = log
        self._stop = stop
        self._explores = explores
        self._timeout = timeout
        self._leaves = leaves
        self._open: list[_Pass] = []
        self._steps: Counter[str] = Counter()
        self._all_steps = 0
        self._backwards = 0
        self._forwards = 0
        self._began: float | None = None
        self._enough_since: float | None = None
        self._inference = Repeats(log)
        self._inferred = 0
        self._cuts: dict[str, _First] = {}
        self._timed: dict[str, dict[str, int]] = {}
        self.batches = 0
        self.loading = 0
        self.evaluations: Callable[[], int] = lambda: 0
        self.may_train: Callable[[], bool] = lambda: True
        self.on_batch: Callable[[Any], None] = lambda batch: None
        self.on_wait: Callable[[float], None] = lambda seconds: None
        self.on_start: Callable[[float], None] = lambda seconds: None
        self.on_pass: Callable[[], None] = lambda: None

    def install(self) -> None:
        """Cut every DataLoader of the process from now on."""
        original = DataLoader.__iter__
        seen: dict[tuple[int, int], _Passes] = {}

        def bounded(loader: DataLoader[Any]) -> Iterator[Any]:
            # A loader is often rebuilt for every epoch; the line that iterates and the data set stay.
            site = self._sites.here(sys._getframe(1))
            passes = seen.setdefault((site, id(loader.dataset)), _Passes())
            began = time.perf_counter()
            inner = original(loader)
            return _Pass(self, passes, inner, site, began if loader.num_workers else None)

        if not self.schedule.whole:
            DataLoader.__iter__ = bounded  # type: ignore[method-assign, assignment]

    def rewriting(self) -> tuple[Callable[[str], Any], dict[str, Any]]:
        """What changes the project's `for` statements, and the names that it puts into them."""
        return self.loops.transformer, {loops.NAME: loops.Opener(self.loops)}

    # --- ticks -------------------------------------------------------------------------------------

    def tick(self, series: str, count: int) -> None:
        """Count one step or root forward; end loops, or the run, if it was the last."""
        around = self.loops.around()
        for loop in around:
            loop.stirred = True
            loop.statement.patience = NEVER
        if not series.startswith(FORWARD):
            self._step(series, around)
            return
        self._forwards += 1
        for loop in around:
            loop.forwards += 1
        if self._explores and not self._all_steps and not self._backwards and not self.may_train():
            self._infer()
        elif not self._all_steps and self._forwards == self.schedule.forwards:
            self._stop(f"{self._forwards} forwards without an optimizer step")

    def backward(self) -> None:
        """A backward has ended, whether it counts as a step or not."""
        self._backwards += 1
        for loop in self.loops.around():
            loop.backwards += 1
            loop.statement.trained = True

    def _step(self, series: str, around: list[Loop]) -> None:
        self._steps[series] += 1
        self._all_steps += 1
        if self._began is None:
            self._began = time.perf_counter()
        inner = self._pass_around(around)
        for loop in around:
            loop.steps += 1
            loop.inner = loop is inner
        self.batches = next((found.length for found in reversed(self._open) if found.length), self.batches)
        if self._all_steps >= self._most:
            self._stop(in_words(series, self._all_steps))
        if self._is_enough(series, around):
            self._end(series, inner)

    def _pass_around(self, around: list[Loop]) -> Loop | None:
        """The innermost loop with all that a step needs; None where there is none, or a loader within it."""
        inner = next((loop for loop in around if loop.backwards), None)
        by_loader = any(found.opener is inner for found in self._open)
        return None if by_loader else inner

    def _is_enough(self, series: str, around: list[Loop]) -> bool:
        count = self._steps[series]
        if not self.limit and count >= LEAST and (count >= MOST or self._is_dear(1.0)):
            self.limit = 0 if self._awaits(around, count) else count
        if not self.limit or count < self.limit:
            return False
        if self._enough_since is None:
            self._enough_since = time.perf_counter()
            self.loops.late = True
        return True

    def _awaits(self, around: list[Loop], count: int) -> bool:
        """Whether the steps may go on because an evaluation is to come between them, and none was seen."""
        if self.evaluations() or count >= WAIT * MOST or self._is_dear(WAIT):
            return False
        return bool(around) and self.loops.reaches(around[0].statement, loops.EVALUATES)

    def _is_dear(self, share: float) -> bool:
        """Whether a share of what may be spent on steps is spent."""
        if not self._explores or self._began is None:
            return False
        return time.perf_counter() - self._began > share * SECONDS or len(self._log.events) > share * EVENTS

    def _end(self, series: str, inner: Loop | None) -> None:
        """Enough steps of a series were made: end the loop around them, or, where there is none, the run."""
        if self._feeds() if inner is None else inner.fed:
            return
        if inner is None or self._leaves or self.schedule.whole:
            self._stop(in_words(series, self._steps[series]))
        elif inner.most <= inner.count:
            inner.extra += 1
            if inner.extra > LEAST:
                # A loop of another kind, such as `while`, runs within the body.
                self._stop(in_words(series, self._steps[series]))
        elif not inner.late or inner.steps >= SHORT_STEPS:
            self._cut(inner, f"enough steps: {in_words(series, self._steps[series])}")

    def _feeds(self) -> bool:
        """Whether a loader is being iterated, whose passes are bounded."""
        return any(not found.by_hand for found in self._open)

    def _infer(self) -> None:
        """A forward of a script that made no optimizer: end the run where it can show nothing new."""
        now = time.perf_counter()
        if self._began is None:
            self._began = now
        if now - self._began < INFERENCE:
            return
        if self._inference.look() >= LEAST:
            self._inferred = self._forwards
            self._stop(f"{self._forwards} forwards without an optimizer step")

    # --- loops -------------------------------------------------------------------------------------

    def _between(self, loop: Loop) -> None:
        """Before the next item of a loop in which something happened."""
        if loop.inner or loop.fed or self.schedule.whole:
            return
        if loop.steps:
            self._outer(loop)
        elif self._explores and loop.forwards and not loop.statement.trained:
            self._evaluation(loop)

    def _outer(self, loop: Loop) -> None:
        """A loop around passes: a few short ones follow those in which enough steps were made."""
        if self._enough_since is None:
            return
        loop.extra += 1
        if loop.extra > SHORT_PASSES:
            self._cut(loop, f"{SHORT_PASSES} short passes after enough steps")
        elif self._explores and loop.extra > 1 and self._spared() > self._spare(loop):
            self._cut(loop, "enough steps were made, and what follows them was reached", timed=True)

    def _spared(self) -> float:
        return time.perf_counter() - self._enough_since if self._enough_since is not None else 0.0

    def _spare(self, loop: Loop) -> float:
        """Seconds for short passes: more of them where an evaluation is still to come."""
        waits = not self.evaluations() and self.loops.reaches(loop.statement, loops.EVALUATES)
        return SHARE * self._timeout if waits else SPARE

    def _evaluation(self, loop: Loop) -> None:
        """A loop in which only forwards happen: end it where it takes long and repeats itself."""
        now = time.perf_counter()
        if loop.statement.spent + now - loop.began < LONG or self.loops.reaches(loop.statement, loops.TRAINS):
            return
        if loop.repeats is None:
            loop.repeats = Repeats(self._log)
        again = loop.repeats.look()
        repeats = loop.count >= ITERATIONS and again >= REPEATS and not loop.statement.collects
        if repeats and self._is_long(loop, now):
            self._cut(loop, "peak and bytes repeat", timed=True)
        elif now - loop.began > SHARE * self._timeout:
            self._cut(loop, f"{SHARE:.0%} of the time limit", timed=True)

    @staticmethod
    def _is_long(loop: Loop, now: float) -> bool:
        """Whether the rest of a loop is worth being left out, as far as its length is known."""
        left = loop.items_left()
        return left is None or left * (now - loop.began) > REST * loop.count

    def _cut(self, loop: Loop, why: str, *, timed: bool = False) -> None:
        """End a loop before its next item."""
        loop.most = loop.count
        statement = loop.statement
        if timed:
            self._timed.setdefault(statement.key, {})[str(loop.opening)] = loop.count
        self._note(statement.key, statement.path, statement.line, loop, why)

    def _note(self, key: str, path: str, line: int, cut: Loop | _Pass, why: str) -> None:
        if key not in self._cuts:
            self._cuts[key] = _First(path, line, cut.count, cut.length, why)
        self._cuts[key].times += 1

    # --- loaders -----------------------------------------------------------------------------------

    def opened(self, found: _Pass) -> None:
        """A pass over a loader begins."""
        if found.passes.done >= FULL_PASSES + SHORT_PASSES:
            self._stop(f"{found.passes.done} passes over one loader")
        found.passes.opened += 1
        self.on_pass()
        around = self.loops.around()
        found.opener = around[0] if around else None
        found.steps_before, found.backwards_before = self.busiest(), self._backwards
        drawing = self.loops.drawing()
        if drawing is not None:
            # A progress bar around the loader asks for its iterator with the first item.
            drawing.fed = True
            found.opener = next((loop for loop in around if loop is not drawing), None)
        self.loops.fresh = drawing is None
        self._open.append(found)

    def busiest(self) -> int:
        """The steps of the series that has most."""
        return max(self._steps.values(), default=0)

    def is_full(self, found: _Pass) -> bool:
        """Whether a pass may end before its next batch."""
        if found.by_hand:
            return False
        passes, begun = found.passes, found.steps_before
        steps = self.busiest() - begun
        if steps or self._backwards > found.backwards_before:
            passes.trained = True
        missing = self._missing(begun)
        if passes.done >= FULL_PASSES and not (passes.trained and missing):
            return found.count >= 1
        if not steps:
            # Micro-batches of a step that is still to come.
            return self._backwards == found.backwards_before and found.count >= self._of_evaluation
        if not missing:
            return steps >= min(self.first or NEVER, self._of_evaluation)
        return steps >= (missing if passes.done else self._budget(steps))

    def _missing(self, begun: int) -> int:
        """Steps that were missing when a pass began; without a limit there are always some."""
        return max(self.limit - begun, 0) if self.limit else NEVER

    def _budget(self, steps: int) -> int:
        """Steps of the first pass over a loader: half of them all; the clock decides where none are given."""
        half = MOST // FULL_PASSES
        if not self.first and steps >= self._of_evaluation and (steps >= half or self._is_dear(0.5)):
            self.first = steps
            self.limit = FULL_PASSES * steps
        return self.first or NEVER

    def closed(self, found: _Pass) -> None:
        """A pass has ended, or its iterator was dropped (`next(iter(loader))` is no pass)."""
        self._open.remove(found)
        if found.count > 1 or found.passes.done >= FULL_PASSES:
            found.passes.done += 1
        if found.was_cut and found.site != NO_SITE:
            path, line = self._log.sites[found.site]
            self._note(f"loader {found.site}", path, line, found, "a pass over a loader")

    def is_by_hand(self, caller: FrameType) -> bool:
        """Whether the project itself calls next(): it may not expect the end before the last batch."""
        code = caller.f_code
        if not self._owns(code.co_filename) or code.co_code[caller.f_lasti] in _LOOPING:
            return False
        for loop in self.loops.around():
            loop.fed = False
        return True

    # --- the end -----------------------------------------------------------------------------------

    def cuts(self, name: Callable[[str], str]) -> tuple[Cut, ...]:
        """What was shortened; `name` shortens a path for the report."""
        return tuple(
            Cut(name(row.path), row.line, row.ran, row.length, row.times, row.why)
            for row in self._cuts.values()
        )

    def decided(self) -> Schedule:
        """What another run has to follow to do the same."""
        steps = self.limit or MOST
        return replace(
            self.schedule,
            steps=steps,
            first=self.first or steps,
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
    times: int = 0


class _Pass:
    """The iterator of one pass: the loader's own, cut short.

    `asked` is when a loader with worker processes was asked for it. `opener` is the loop in whose body it
    was opened. A pass `by_hand` is drawn from by next() in the project, and never cut.
    """

    def __init__(
        self, bounds: Bounds, passes: _Passes, inner: Iterator[Any], site: int, asked: float | None
    ) -> None:
        self._bounds = bounds
        self._inner: Iterator[Any] | None = inner
        self.passes = passes
        self.site = site
        self.length = _length(inner)
        self.count = 0
        self.by_hand = False
        self.was_cut = False
        self.opener: Loop | None = None
        self.steps_before = self.backwards_before = 0
        bounds.opened(self)
        # Workers must be started for the first pass in any case.
        self._asked = asked if passes.opened > 1 else None

    def __iter__(self) -> _Pass:
        return self

    def __len__(self) -> int:
        return len(self._inner)  # type: ignore[arg-type]

    def __next__(self) -> Any:
        if self._inner is None:
            raise StopIteration
        if not self.count:
            self.by_hand = self._bounds.is_by_hand(sys._getframe(1))
        if self._bounds.is_full(self):
            self.was_cut = True
            self._close()
            raise StopIteration
        began = time.perf_counter()
        self._bounds.loading += 1
        try:
            batch = next(self._inner)
        except StopIteration:
            self._close()
            raise
        finally:
            self._bounds.loading -= 1
        now = time.perf_counter()
        self._bounds.on_wait(now - began)
        if self._asked is not None:
            self._bounds.on_start(now - self._asked)
            self._asked = None
        self.count += 1
        self._bounds.on_batch(batch)
        return batch

    def _close(self) -> None:
        if self._inner is not None:
            self._inner = None
            self._bounds.closed(self)

    def __del__(self) -> None:
        self._close()


def in_words(series: str, count: int) -> str:
    """So many of a series: "25 optimizer steps"."""
    return f"{count} {series.partition(' at ')[0]}s"


def _length(inner: Iterator[Any]) -> int:
    try:
        return len(inner)  # type: ignore[arg-type]
    except Exception:
        # The sampler may be the user's own, and the script never asked it.
        return 0


def marker(mark: Callable[[Any, str], None], adopt: Callable[[Any], None]) -> Callable[[Any], None]:
    """What to do with each batch: follow its tensors and call them input."""

    def on_batch(batch: Any) -> None:
        for tensor in tensors(batch):
            adopt(tensor)
            mark(tensor, "input")

    return on_batch
