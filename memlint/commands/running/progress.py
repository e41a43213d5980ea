"""What a user sees while runs go on."""

from __future__ import annotations

import argparse
import io
import os
import shutil
import sys
from typing import TextIO

from memlint.runtime.parent.plan import Now, in_minutes


class Progress:
    """One line on a terminal that says which run is going on, how far it is, and how long the rest takes.

    The plan is said on any stream, a line of its own.
    """

    def __init__(self, out: TextIO, *, is_terminal: bool) -> None:
        self._out = out
        self._is_terminal = is_terminal
        self._last = ""

    def __call__(self, now: Now) -> None:
        if not self._is_terminal:
            return
        count = f"run {now.number} of {now.of}: " if now.of > 1 else ""
        left = f", about {in_minutes(now.left)} left" if now.left is not None else ""
        ends = f": step {now.steps}{left}"
        room = shutil.get_terminal_size().columns - 1 - len(count + ends)
        title = now.title if len(now.title) <= room else f"{now.title[: max(room - 3, 0)]}..."
        shown = f"{count}{title}{ends}"
        if shown != self._last:
            self._last = shown
            self._out.write(f"\r\x1b[2K{shown}")
            self._out.flush()

    def announce(self, plan: str) -> None:
        """Say the plan."""
        self.clear()
        self._out.write(f"memlint: {plan}\n")
        self._out.flush()

    def clear(self) -> None:
        """Wipe the line."""
        if self._last:
            self._last = ""
            self._out.write("\r\x1b[2K")
            self._out.flush()


def progress_of(options: argparse.Namespace) -> Progress:
    """Says how far the runs are, unless the user wants it quiet."""
    if options.quiet:
        return Progress(io.StringIO(), is_terminal=False)
    return Progress(sys.stderr, is_terminal=sys.stderr.isatty())


def say_that_it_ends() -> None:
    """Tell a user who has interrupted memlint that its report is to come."""
    # From a signal handler, and stderr may be in use: its buffer is not to be touched.
    os.write(2, b"\nmemlint: interrupted: reporting what was measured; interrupt again to leave at once\n")
