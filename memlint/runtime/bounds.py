"""Keeps a replay short: loaders are cut, steps and forwards are counted, and then the run is over.

A script that iterates loaders is cut there and may run to its natural end, so that code behind the
training loop is reached: the first passes over a loader are cut after a number of steps, later ones
after one batch. Scripts without loaders end at a number of optimizer steps, root forwards or, without
either, backwards.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from torch.utils.data import DataLoader

from memlint.runtime.hooks import tensors
from memlint.runtime.tracker import Sites
from memlint.session import STEP

FULL_PASSES = 2
SHORT_PASSES = 100
BATCHES_PER_STEP = 4
STEPS_AT_MOST = 10
STEPS_BY_THE_CLOCK = 2
"""Of timed runs, the steps after the first passes count for nothing."""


@dataclass(slots=True)
class _Passes:
    opened: int = 0
    done: int = 0


class Bounds:
    """Decides when enough was seen; `stop` is called with the reason and does not return.

    `batches` is the length of the loader that feeds the optimizer steps, 0 as long as there is none.
    `loading` is above 0 while a loader makes a batch.
    """

    def __init__(
        self, steps: int, sites: Sites, stop: Callable[[str], None], at_most: int = STEPS_AT_MOST
    ) -> None:
        self._limit = steps
        self._most = steps * at_most
        self._sites = sites
        self._per_pass = max(1, -(-steps // FULL_PASSES))
        self._stop = stop
        self._open: list[int] = []
        self._free_steps: Counter[str] = Counter()
        self._all_steps = 0
        self._free_forwards = 0
        self.batches = 0
        self.loading = 0
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
            key = (self._sites.here(sys._getframe(1)), id(loader.dataset))
            passes = seen.setdefault(key, _Passes())
            began = time.perf_counter()
            inner = original(loader)
            return _Pass(self, passes, inner, began if loader.num_workers else None)

        DataLoader.__iter__ = bounded  # type: ignore[method-assign, assignment]

    def tick(self, series: str, count: int) -> None:
        """Count one step or root forward, and end the run when the limit is reached."""
        if series.startswith(STEP):
            self._all_steps += 1
            self.batches = next((length for length in reversed(self._open) if length), self.batches)
            if self._all_steps >= self._most:
                self._stop(f"{self._all_steps} optimizer steps")
            if not self._open:
                self._free_steps[series] += 1
                if self._free_steps[series] >= self._limit:
                    self._stop(f"{self._limit} optimizer steps")
        elif not self._open and not self._all_steps:
            self._free_forwards += 1
            if self._free_forwards >= self._limit * BATCHES_PER_STEP:
                self._stop(f"{self._free_forwards} {series.partition(' at ')[0]}s without an optimizer step")

    def is_full(self, passes: _Passes, batches: int, steps_at_start: int) -> bool:
        """Whether a pass that yielded `batches` batches may end now."""
        if passes.done >= FULL_PASSES:
            return batches >= 1
        steps = self._all_steps - steps_at_start
        if steps >= self._per_pass or batches >= self._per_pass * BATCHES_PER_STEP:
            return True
        return not steps and batches >= self._per_pass

    def opened(self, passes: _Passes, length: int) -> int:
        """A pass over a loader of `length` (0: unknown) begins; the answer are the steps made before it."""
        if passes.done >= FULL_PASSES + SHORT_PASSES:
            self._stop(f"{passes.done} passes over one loader")
        passes.opened += 1
        self.on_pass()
        self._open.append(length)
        return self._all_steps

    def closed(self, passes: _Passes, batches: int, length: int) -> None:
        """A pass has ended, or its iterator was dropped (`next(iter(loader))` is no pass)."""
        self._open.remove(length)
        if batches > 1 or passes.done >= FULL_PASSES:
            passes.done += 1


class _Pass:
    """The iterator of one pass: the loader's own, cut short.

    `asked` is when a loader with worker processes was asked for it.
    """

    def __init__(self, bounds: Bounds, passes: _Passes, inner: Iterator[Any], asked: float | None) -> None:
        self._bounds = bounds
        self._passes = passes
        self._inner: Iterator[Any] | None = inner
        self._length = _length(inner)
        self._steps_at_start = bounds.opened(passes, self._length)
        self._batches = 0
        # Workers must be started for the first pass in any case.
        self._asked = asked if passes.opened > 1 else None

    def __iter__(self) -> _Pass:
        return self

    def __len__(self) -> int:
        return len(self._inner)  # type: ignore[arg-type]

    def __next__(self) -> Any:
        if self._inner is None:
            raise StopIteration
        if self._bounds.is_full(self._passes, self._batches, self._steps_at_start):
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
        self._batches += 1
        self._bounds.on_batch(batch)
        return batch

    def _close(self) -> None:
        if self._inner is not None:
            self._inner = None
            self._bounds.closed(self._passes, self._batches, self._length)

    def __del__(self) -> None:
        self._close()


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
