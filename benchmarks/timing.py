"""Timing commands and functions in turn, so that whatever else the machine does hits all of them.

All times are processor time (user and system), which other jobs disturb less than the time on the clock.
"""

from __future__ import annotations

import gc
import os
import resource
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

Run = Callable[[], float]
"""Does the work once and gives the seconds of processor time that it took."""


BYTECODE = Path(__file__).resolve().parent.parent / ".benchmarks" / "bytecode"


def command(arguments: Sequence[str], codes: tuple[int, ...] = (0,)) -> Run:
    """A run of a process from start to end, with its modules compiled as those of installed tools are.

    Raises (when run):
        RuntimeError: it ended with none of the exit codes `codes`.
    """

    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(BYTECODE)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def run() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(arguments, capture_output=True, text=True, check=False, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if done.returncode not in codes:
            raise RuntimeError(f"{' '.join(arguments)}: exit {done.returncode}\n{done.stderr[-800:]}")
        return taken

    return run


def function(work: Callable[[], object]) -> Run:
    """A run of a function in this process, with the garbage of the run before collected."""

    def run() -> float:
        gc.collect()
        begin = time.process_time()
        work()
        return time.process_time() - begin

    return run


def interleaved(runs: Mapping[str, Run], rounds: int, *, warm: bool = True) -> dict[str, list[float]]:
    """Seconds per run, one list per name: every round runs all of them once, after one round to warm up.

    Without `warm` there is no such round, for runs of a minute to which it makes no difference.
    """
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for number in range(rounds + warm):
        for name, run in runs.items():
            seconds = run()
            if number >= warm:
                taken[name].append(seconds)
    return taken


def ratio(taken: Mapping[str, Sequence[float]], name: str, against: str) -> float:
    """The median over the rounds of how much longer `name` took than `against`."""
    return statistics.median(a / b for a, b in zip(taken[name], taken[against], strict=True))


def above(taken: Mapping[str, Sequence[float]], name: str, against: str) -> float:
    """The median over the rounds of the seconds that `name` took more than `against`."""
    return statistics.median(a - b for a, b in zip(taken[name], taken[against], strict=True))
