"""Looks at what holds the tensors that iterations leave behind: when a loop has ended, and at the end.

A function may have returned by the end of the run, and its variables with it; what an epoch has gathered is
gone with the epoch. When a loop ends, the frame that ran it is still there, and so is what it filled.
"""

from __future__ import annotations

import gc
import sys
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from statistics import median_low
from types import FrameType

from memlint.runtime.child.attribution.analyse import BLOCK
from memlint.runtime.child.attribution.climb import Place
from memlint.runtime.child.attribution.graphs import Piles
from memlint.runtime.child.attribution.growing import LEAST_TIMES, TAIL
from memlint.runtime.child.attribution.retainers import holders_of
from memlint.runtime.child.limits.loops import Loop
from memlint.runtime.child.log import NO_SITE, Log, Tick
from memlint.runtime.child.probe import Probe
from memlint.session import ENOUGH, FORWARD, Growth, Holder, Pile, main_series

SHARE, LEAST_SECONDS = 0.2, 3.0
"""What looks may take of the run so far, and seconds that they may take in any case: those of the processor,
as what is found may not hang on what else a machine does."""

LEAST_FORWARDS = 3
"""Forwards of a pass that is too short for a growth, from which on what each has left tells enough."""


class Looks:
    """One look at the end of each loop that has left something behind, as long as that costs little.

    `trained` are the storages that optimizers train, `is_project` and `name` know files of the project.
    `holders` are those found so far, by what made the tensors and what counted as an iteration, and `piles`
    the nodes, by what made those. Holders that only a look at an inner loop has found give way to what a look
    at an outer one finds.
    `numbers` are those beside a container in the script's code, by its name, which may say when it is full.
    `gathered` are the lines of which a pass of few forwards has kept something of each but the last.
    """

    def __init__(
        self,
        log: Log,
        probe: Probe,
        trained: Callable[[], set[int]],
        is_project: Callable[[str], bool],
        name: Callable[[str], str],
    ) -> None:
        self.holders: dict[tuple[Place, str], tuple[Holder, ...]] = {}
        self._of_passes: set[tuple[Place, str]] = set()
        self.numbers: dict[str, dict[str, int]] = {}
        self.piles: dict[tuple[str, int], Pile] = {}
        self.gathered: dict[Place, Growth] = {}
        self._log = log
        self._probe = probe
        self._trained = trained
        self._is_project = is_project
        self._name = name
        self._births: list[int] = []
        self._began = time.perf_counter()
        self._spent = self._last = 0.0

    def tick(self) -> None:
        """An iteration of some series has ended."""
        self._births.append(len(self._log.raw))

    def loop_ended(self, loop: Loop, outermost: bool) -> None:
        """A loop has ended, or is being left: its frame runs still."""
        if not self._may_look(loop, outermost):
            return
        began, collects = time.thread_time(), gc.isenabled()
        # What a look makes is not to bring forward when the script's own cycles are collected.
        gc.disable()
        try:
            self._look_back(loop, within=not outermost)
        except RuntimeError:  # another thread has changed what was being read
            return
        finally:
            if collects:
                gc.enable()
            self._last = time.thread_time() - began
            self._spent += self._last

    def _look_back(self, loop: Loop, *, within: bool) -> None:
        """Look for what the iterations of a loop have left behind."""
        ticks = self._log.ticks[: len(self._births)]
        first = bisect_right(ticks, loop.began, key=lambda tick: tick.clock)
        series = main_series(Counter(tick.series for tick in ticks[first:]))
        chosen = [n for n in range(first, len(ticks)) if ticks[n].series == series]
        if len(chosen) >= ENOUGH:
            start = self._births[first - 1] if first else 0
            left = self._left(start, [self._births[n] for n in chosen])
            self._look(left, [ticks[n] for n in chosen], series, within=within)
        elif len(chosen) >= LEAST_FORWARDS and series.startswith(FORWARD):
            start = self._births[first - 1] if first else 0
            self._look_at_few(start, [self._births[n] for n in chosen], series)

    def _look_at_few(self, start: int, ends: Sequence[int], series: str) -> None:
        """Look for what each forward of a short pass has left behind, the last one aside."""
        made, count = self._made(start, ends[:-1], self._trained()), len(ends)
        # What is made of a result counts for the next forward, so that the first may have nothing.
        every = set(range(1, count - 1))
        whole = {key: rows for key, rows in made.items() if len(rows) > 1 and every <= rows.keys()}
        left = {
            (*self._place(site), device): [index for indices in rows.values() for index in indices]
            for (site, device), rows in whole.items()
        }
        self._look(left, (), series, within=True)
        for (site, device), rows in whole.items():
            place = (*self._place(site), device)
            if any(holder.name for holder in self.holders.get((place, series), ())):
                sizes = [[self._log.raw[index][0] for index in indices] for indices in rows.values()]
                each = median_low(map(sum, sizes))
                blocks = median_low(sum(-(-size // BLOCK) * BLOCK for size in row) for row in sizes)
                # The last one has left as much: its variables hold it as well.
                of = len(sizes) + 1
                total = sum(map(sum, sizes)) + each
                self.gathered[place] = Growth(
                    place[0], place[1], series, each, blocks, of, of, total, 1, True, device
                )

    def at_the_end(self, left: Mapping[Place, list[int]], ticks: Sequence[Tick]) -> tuple[Holder, ...]:
        """All holders, those of `left` as they are now where they have a name; `ticks` are the steps.

        Raises:
            RuntimeError: another thread runs on, and has changed what was being read.
        """
        gc.collect()
        self._look(left, ticks, ticks[0].series if ticks else "", within=False)
        return tuple(holder for rows in self.holders.values() for holder in rows)

    def _may_look(self, loop: Loop, outermost: bool) -> bool:
        """Whether a loop may have left something, its frame is there, and a look is not too dear: after inner
        loops, the outermost one can still be looked at."""
        if loop.ticks < LEAST_FORWARDS or loop.opening.bit_count() > 1:
            return False
        most = max(LEAST_SECONDS, SHARE * (time.perf_counter() - self._began))
        spent = 0.0 if outermost else self._spent
        return spent + self._last <= most and _runs(loop.frame)

    def _left(self, start: int, ends: Sequence[int]) -> dict[Place, list[int]]:
        """What is alive of at least three iterations, the last ones left out, by what made it.

        `ends` are how many storages there had been at the ends of the iterations, `start` before the first.
        What optimizers train counts: the networks of many trials may be kept. Of one network, weights and
        states are not made in three iterations.
        """
        return {
            (*self._place(site), device): [index for indices in made_in.values() for index in indices]
            for (site, device), made_in in self._made(start, ends[: len(ends) - TAIL]).items()
            if len(made_in) >= LEAST_TIMES
        }

    def _made(
        self, start: int, ends: Sequence[int], aside: Container[int] = ()
    ) -> dict[tuple[int, str], dict[int, list[int]]]:
        """What is alive of the iterations that end there, some set `aside`: by site and device, then by
        iteration."""
        made = self._log.raw
        found: dict[tuple[int, str], dict[int, list[int]]] = {}
        for _, index in self._probe.alive():
            if start <= index < ends[-1] and index not in aside and made[index][0]:
                of_site = found.setdefault((made[index][1], made[index][4]), {})
                of_site.setdefault(bisect_right(ends, index), []).append(index)
        return found

    def _place(self, site: int) -> tuple[str, int]:
        if site == NO_SITE:
            return ("", 0)
        path, line = self._log.sites[site]
        return self._name(path), line

    def _look(
        self, left: Mapping[Place, list[int]], ticks: Sequence[Tick], series: str, *, within: bool
    ) -> None:
        """Search for the holders of some storages, and for nodes that the iterations have left behind."""
        piles = None
        if len(ticks) >= ENOUGH and ticks[-1].sequence:
            numbers = [tick.sequence for tick in ticks]
            piles = Piles(series, numbers, lambda n: self._place(self._probe.line_of_node(n)))
        if not left and piles is None:
            return
        found: dict[Place, list[Holder]] = {}
        sizes, alive = (lambda index: int(self._log.raw[index][0])), self._probe.alive()
        for holder in holders_of(left, sizes, alive, self._is_project, piles, self.numbers):
            found.setdefault((holder.file, holder.line, holder.device), []).append(holder)
        if not within:
            # What a pass holds for its own time is not what lasts.
            for key in self._of_passes & {(place, series) for place in left}:
                del self.holders[key]
                self._of_passes.remove(key)
        for place, rows in found.items():
            # A name is worth more than a later look that finds none.
            if (place, series) not in self.holders or all(row.name for row in rows):
                self.holders[place, series] = tuple(replace(row, series=series) for row in rows)
                if within:
                    self._of_passes.add((place, series))
        if piles is not None and (pile := piles.pile()) is not None:
            known = self.piles.get((pile.file, pile.line))
            if known is None or known.within:
                self.piles[pile.file, pile.line] = replace(pile, within=within)


def _runs(frame: int) -> bool:
    """Whether a frame is on the stack: that of a loop which the garbage collector ends is not."""
    here: FrameType | None = sys._getframe(1)
    while here is not None:
        if id(here) == frame:
            return True
        here = here.f_back
    return False
