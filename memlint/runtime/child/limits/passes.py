"""Cuts passes over DataLoaders: the first ones after their share of the steps, later ones after a batch."""

from __future__ import annotations

import sys
import time
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from opcode import opmap
from types import FrameType
from typing import Any

from torch.utils.data import DataLoader

from memlint.runtime.child.limits import lightning
from memlint.runtime.child.limits.budget import FULL_PASSES, Budget
from memlint.runtime.child.limits.loops import Loop, Loops
from memlint.runtime.child.project import PACKAGE
from memlint.runtime.child.tracking.sites import Sites

SHORT_PASSES = 100

_LOOPING = {opmap[name] for name in ("FOR_ITER", "SEND")}


class _Passes:
    """The passes over one loader: how many were opened, how many are done, whether steps were made in one."""

    __slots__ = ("done", "opened", "trained")

    def __init__(self) -> None:
        self.opened = 0
        self.done = 0
        self.trained = False


class Loaders:
    """All passes over DataLoaders. `stop` ends the run; `cut` is called with each pass that was cut.

    `batches` is the length of the loader that feeds the steps, 0 as long as there is none. `loading` is
    above 0 while a loader makes a batch. `cuts` counts the passes that were cut.
    """

    def __init__(
        self,
        budget: Budget,
        loops: Loops,
        owns: Callable[[str], bool],
        sites: Sites,
        stop: Callable[[str], None],
        cut: Callable[[Pass], None],
    ) -> None:
        self.budget = budget
        self.loops = loops
        self.stop = stop
        self.cut = cut
        self.batches = 0
        self.loading = 0
        self.cuts = 0
        self.on_batch: Callable[[Any], None] = lambda batch: None
        self.on_wait: Callable[[float], None] = lambda seconds: None
        self.on_start: Callable[[float], None] = lambda seconds: None
        self._owns = owns
        self._sites = sites
        self._ahead = self._of_ahead = False
        # Weakly: an iterator that the script drops has ended its pass.
        self._weak: dict[int, weakref.ref[Pass]] = {}
        self._guard: Callable[[Callable[..., Any]], Any] = lambda function: function

    def guard(self, around: Callable[[Callable[..., Any]], Any]) -> None:
        """Put `around` what is asked of here: an answer of None means that a pass is not bounded."""
        self._guard = around
        for name in ("opened", "closed", "is_full", "is_by_hand", "step"):
            setattr(self, name, around(getattr(self, name)))

    def install(self) -> None:
        """Cut every DataLoader of the process from now on."""
        original = DataLoader.__iter__
        seen: dict[tuple[int, int], _Passes] = {}

        def watched(loader: DataLoader[Any], inner: Iterator[Any], frame: FrameType, began: float) -> Pass:
            # A loader is often rebuilt for every epoch; the line that iterates and the data set stay.
            site = self._sites.here(frame)
            passes = seen.setdefault((site, id(loader.dataset)), _Passes())
            return Pass(self, passes, inner, site, began if loader.num_workers else None)

        watch = self._guard(watched)

        def bounded(loader: DataLoader[Any]) -> Iterator[Any]:
            began = time.perf_counter()
            inner = original(loader)
            found: Pass | None = watch(loader, inner, sys._getframe(1), began)
            return inner if found is None else found

        DataLoader.__iter__ = bounded  # type: ignore[method-assign, assignment]

    def _open(self) -> list[Pass]:
        """The passes that have not ended, the last first."""
        return [found for weak in reversed(list(self._weak.values())) if (found := weak()) is not None]

    def step(self) -> None:
        """A step was made."""
        self.batches = next((found.length for found in self._open() if found.length), self.batches)
        self._of_ahead, self._ahead = self._ahead, False

    def feed(self) -> bool:
        """Whether the last step was fed by a loader whose passes are bounded.

        Trainers read one batch ahead: a step follows after the end of the pass.
        """
        return self._of_ahead or any(not found.by_hand for found in self._open())

    def was_cut(self, found: Pass) -> None:
        """A pass ends, before its last batch or after it."""
        self._ahead = True
        if not found.is_over:
            self.cuts += 1
            self.cut(found)

    def gave_last(self, loop: Loop) -> bool:
        """Whether the pass that gives a loop its items, such as one within `enumerate`, has no more."""
        passes = (found for found in self._open() if found.opener is not loop)
        return any(found.is_over and found.count == loop.count for found in passes)

    def opened_in(self, loop: Loop | None) -> bool:
        """Whether a loader that is bounded is iterated within the body of a loop, not for its items."""
        return any(found.opener is loop and not found.by_hand for found in self._open())

    def length_of(self, loop: Loop, outer: Loop | None) -> int:
        """The batches of the pass that gives a loop within `outer` its items; 0 where that is not known."""
        passes = (found for found in self._open() if found.opener is outer and not found.by_hand)
        return next((found.length for found in passes if found.count == loop.count), 0)

    def opened(self, found: Pass) -> None:
        """A pass over a loader begins."""
        if found.passes.done >= FULL_PASSES + SHORT_PASSES:
            self.stop(f"{found.passes.done} passes over one loader")
        found.passes.opened += 1
        lightning.watch(lambda: self.cuts)
        around, drawing = self.loops.around(), self.loops.drawing()
        if drawing is not None:
            # A progress bar around the loader asks for its iterator with the first item.
            drawing.fed = True
        found.opener = next((loop for loop in around if loop is not drawing), None)
        found.steps_before, found.backwards_before = self.budget.steps.copy(), self.budget.backwards
        self.loops.fresh = drawing is None
        self._weak[id(found)] = weakref.ref(found)

    def closed(self, found: Pass) -> None:
        """A pass has ended, or its iterator was dropped (`next(iter(loader))` is no pass)."""
        del self._weak[id(found)]
        if found.count > 1 or found.passes.done >= FULL_PASSES:
            found.passes.done += 1

    def is_full(self, found: Pass) -> bool:
        """Whether a pass may end before its next batch."""
        if found.by_hand:
            return False
        passes, budget = found.passes, self.budget
        steps = budget.since(found.steps_before)
        trains = steps > 0 or budget.backwards > found.backwards_before
        passes.trained = passes.trained or trains
        missing = budget.missing(max(found.steps_before.values(), default=0))
        if passes.done >= FULL_PASSES and not (passes.trained and missing):
            return found.count >= 1
        if not steps:
            # Micro-batches of a step that is still to come are no evaluation.
            return not trains and found.count >= budget.batches_of_evaluation
        if not missing:
            return steps >= budget.later_pass(again=passes.done > 0)
        if found.alone is None:
            found.alone = self._is_only()
        return steps >= (missing if passes.done or found.alone else budget.first_pass(steps))

    def _is_only(self) -> bool:
        """Whether the loop that asks for a batch now is reached once: no loop around it goes on, and nothing
        but the project's own calls leads to it. A library between them may open another pass, as trainers do.
        """
        drawing = self.loops.drawing()
        if drawing is None or any(loop.length != 1 for loop in self.loops.around() if loop is not drawing):
            return False
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and id(frame) != drawing.frame:
            frame = frame.f_back
        while frame is not None:
            code = frame.f_code
            if self._owns(code.co_filename):
                if code.co_name == "<module>":
                    return True
            elif not code.co_filename.startswith(PACKAGE):
                return False
            frame = frame.f_back
        return False

    def is_by_hand(self, caller: FrameType) -> bool:
        """Whether the project itself calls next(): it may not expect the end before the last batch."""
        code = caller.f_code
        if not self._owns(code.co_filename) or code.co_code[caller.f_lasti] in _LOOPING:
            return False
        for loop in self.loops.around():
            loop.fed = False
        return True


class Pass:
    """The iterator of one pass: the loader's own, cut short.

    `asked` is when a loader with worker processes was asked for it. `opener` is the loop in whose body it
    was opened; `alone` says that no loop around it opens another, and is None until a step was made in it. A
    pass `by_hand` is drawn from by next() in the project, and never cut. `length` are its batches (0:
    unknown), `count` those that it gave.
    """

    def __init__(
        self, loaders: Loaders, passes: _Passes, inner: Iterator[Any], site: int, asked: float | None
    ) -> None:
        self._loaders = loaders
        self._inner: Iterator[Any] | None = inner
        self.passes = passes
        self.site = site
        self.length = _length(inner)
        self.count = 0
        self.by_hand = False
        self.opener: Loop | None = None
        self.alone: bool | None = None
        self.steps_before: Counter[str] = Counter()
        self.backwards_before = 0
        loaders.opened(self)
        # Workers must be started for the first pass in any case.
        self._asked = asked if passes.opened > 1 else None

    def __iter__(self) -> Pass:
        return self

    def __len__(self) -> int:
        return len(self._inner)  # type: ignore[arg-type]

    @property
    def is_over(self) -> bool:
        """Whether the last batch was given, as far as their number is known."""
        return 0 < self.length <= self.count

    def __next__(self) -> Any:
        loaders = self._loaders
        if self._inner is None:
            raise StopIteration
        if not self.count:
            self.by_hand = loaders.is_by_hand(sys._getframe(1))
        if loaders.is_full(self):
            loaders.was_cut(self)
            self._close()
            raise StopIteration
        began = time.perf_counter()
        loaders.loading += 1
        try:
            batch = next(self._inner)
        except StopIteration:
            self._close()
            raise
        finally:
            loaders.loading -= 1
        now = time.perf_counter()
        loaders.on_wait(now - began)
        if self._asked is not None:
            loaders.on_start(now - self._asked)
            self._asked = None
        self.count += 1
        loaders.on_batch(batch)
        return batch

    def _close(self) -> None:
        if self._inner is not None:
            self._inner = None
            self._loaders.closed(self)

    def __del__(self) -> None:
        self._close()


def _length(inner: Iterator[Any]) -> int:
    try:
        return len(inner)  # type: ignore[arg-type]
    except Exception:
        # The sampler may be the user's own, and the script never asked it.
        return 0
