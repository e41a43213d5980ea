"""Looks now and then, while the script runs, at what holds the tensors that its iterations leave behind."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterable

from memlint.runtime import holders
from memlint.runtime.growing import cohorts
from memlint.runtime.log import Log
from memlint.session import ENOUGH, Kept

Alive = Callable[[], Iterable[tuple[int, int]]]
"""(address, birth index) of every storage that is followed and alive."""


class Keeper:
    """One look after the 7th iteration of a series, and after each doubling of their number.

    A function may have returned by the end, and its variables with it: so each series is looked at while
    it runs, as a whole, within each pass over a loader (an epoch drops what the one before has gathered),
    and within the longest of its stretches that no other series interrupts.
    """

    def __init__(self, log: Log, is_project: Callable[[str], bool], alive: Alive) -> None:
        self._log = log
        self._is_project = is_project
        self._alive = alive
        self._last = ""
        self._run = 0
        self._counts: Counter[str] = Counter()
        self._of_pass: Counter[str] = Counter()
        self._longest: Counter[str] = Counter()
        self._rows: dict[tuple[str, str], list[tuple[str, Kept]]] = {}

    def install(self) -> None:
        """What exists before the script begins is no part of it."""
        holders.forget_the_past()

    def new_pass(self) -> None:
        """A pass over a loader begins."""
        self._of_pass.clear()

    def tick(self, series: str) -> None:
        """An iteration of a series has ended."""
        self._run = self._run + 1 if series == self._last else 1
        self._last = series
        self._counts[series] += 1
        self._of_pass[series] += 1
        lengths = {"whole": self._counts[series], "pass": self._of_pass[series]}
        if self._run > self._longest[series]:
            lengths["stretch"] = self._longest[series] = self._run
        for count in filter(_is_time, set(lengths.values())):
            rows = self._look(series, count)
            self._rows.update({(series, kind): rows for kind, length in lengths.items() if length == count})

    def _look(self, series: str, count: int) -> list[tuple[str, Kept]]:
        """What each of the last `count` iterations has left behind, by device."""
        # The look before may have left frames behind that hold each other, and what their iteration made.
        gc.collect()
        starts = [tick.event for tick in self._log.ticks if tick.series == series][-count:]
        births = {index: event for event, index in enumerate(self._log.events) if isinstance(index, int)}
        alive = {address: index for address, index in self._alive() if births[index] >= starts[0]}
        held = holders.holders(alive, self._is_project)
        made = self._log.raw
        survivors = [
            ((made[index][4], held.get(index, frozenset())), births[index], made[index][0])
            for index in alive.values()
        ]
        return [
            (device, Kept(tuple(sorted(named)), series, *row))
            for (device, named), row in cohorts(survivors, starts).items()
        ]

    def rows(self, device: str) -> tuple[Kept, ...]:
        """What was last seen of each series on a device, where it was the most; the most first."""
        found: list[Kept] = []
        for series in self._counts:
            looks = (
                [row for where, row in self._rows.get((series, kind), ()) if where == device]
                for kind in ("whole", "pass", "stretch")
            )
            found += max(looks, key=lambda rows: sum(row.bytes_per_step for row in rows))
        return tuple(sorted(found, key=lambda row: (-row.bytes_per_step, row.series, row.holders)))


def _is_time(count: int) -> bool:
    return count % ENOUGH == 0 and (count // ENOUGH).bit_count() == 1
