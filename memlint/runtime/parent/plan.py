"""Which runs a replay makes, as data: what is planned, what is done, how long the rest may take."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from memlint.finding import Finding
from memlint.runtime import host
from memlint.runtime.parent.counterfactual import Variant
from memlint.runtime.parent.rounds import LEAST
from memlint.runtime.parent.verdicts.doubling import asks_for_double
from memlint.runtime.parent.verdicts.timing import waits
from memlint.units import plural

ORIGINAL, AGAIN, HOST, BARE = "original", "again", "host", "bare"
"""Names of the runs of the script as it is: followed, followed with its lines watched, weighed, and bare.

Of a bare run nothing is followed: only CUDA's allocator counts.
"""


@dataclass(frozen=True, slots=True)
class Now:
    """What a replay does at the moment: run `number` of `of`, and that run's steps so far.

    `left` are the seconds that it may still take, None before a run has shown how long one takes.
    """

    number: int
    of: int
    title: str
    steps: int
    left: float | None


class Plan:
    """Runs by name: those that are to come, those that were made, and the seconds that they took.

    What a verdict turns out to need later is added when it begins, so the number of runs may grow.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._pending: dict[str, None] = {ORIGINAL: None}
        self._spent: list[float] = []
        self._began = clock()

    @property
    def made(self) -> int:
        """Runs that have come to their end."""
        return len(self._spent)

    @property
    def total(self) -> int:
        """Runs that were made and runs that are to come, that which is going on among them."""
        return len(self._spent) + len(self._pending)

    @property
    def left(self) -> float | None:
        """Seconds for what is to come, at the mean of what was made; None where nothing was."""
        if not self._spent:
            return None
        return len(self._pending) * self.mean

    @property
    def mean(self) -> float:
        """Seconds that a run has taken so far, 0.0 without any."""
        return sum(self._spent) / len(self._spent) if self._spent else 0.0

    def expect(self, names: Iterable[str]) -> None:
        """The runs that are to come are these."""
        self._pending = dict.fromkeys(names)

    def begin(self, name: str) -> None:
        """A run begins, whether it was planned or not."""
        self._pending[name] = None
        self._began = self._clock()

    def end(self, name: str, once: float = 0.0) -> None:
        """A run has come to its end; `once` are seconds of it that the others will not take."""
        del self._pending[name]
        self._spent.append(self._clock() - self._began - once)

    def now(self, title: str, steps: int) -> Now:
        """The run that goes on, after `steps` of it."""
        left = None if self.left is None else max(0.0, self.left - (self._clock() - self._began))
        return Now(len(self._spent) + 1, self.total, title, steps, left)

    def in_words(self, without_fixes: int) -> str:
        """The plan after the first run: "7 runs, about 2 minutes; --no-fix: 2 runs"."""
        less = f"; --no-fix: {plural(without_fixes, 'run')}" if without_fixes < self.total else ""
        return f"{plural(self.total, 'run')}, about {in_minutes(self.left or 0.0)} more{less}"


def runs_for(
    findings: Sequence[Finding],
    variants: Sequence[Variant],
    *,
    simulated: bool,
    fixes: bool,
    nodes_pile: bool = False,
) -> list[str]:
    """Names of the runs behind those that follow the script as it is, as far as they can change a verdict.

    `nodes_pile` says that autograd nodes may pile up in it: what host memory they take is weighed then.
    Without `fixes` these are few: the host's memory for what it alone shows, and the clock for what waits.
    """
    claims = {number: f.claim.type for number, f in enumerate(findings) if f.claim is not None}
    fixed = [variant for variant in variants if not variant.problem]
    names = [variant.name for variant in fixed]
    names += [f"double-{f.fingerprint}" for f in findings if asks_for_double(f) and fixes]
    if simulated:
        return names
    of_host = {"HOST", "GROWTH-HOST"} if fixes and nodes_pile else {"HOST"}
    if not host.is_weighed():
        of_host = set()
    names += [HOST] if of_host & set(claims.values()) else []
    names += ["clock"] if any(waits(f) for f in findings) and not fixed else []
    for variant in fixed:
        kinds = {claims.get(number) for number in variant.findings}
        names += [f"{HOST}-{variant.name}"] if of_host & kinds else []
        if "TIME" in kinds:
            turns = range(1, LEAST + 1)
            names += [f"clock-{variant.name}-{side}-{turn}" for side in "ab" for turn in turns]
    return names


def in_minutes(seconds: float) -> str:
    """A time as people plan with it: "5 s", "40 s", "2 minutes"."""
    if seconds < 90:
        return f"{max(1, round(seconds)) if seconds < 10 else 5 * round(seconds / 5)} s"
    return f"{round(seconds / 60)} minutes"
