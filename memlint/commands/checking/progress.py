"""How far a long check is, on one line of the terminal that is gone when it ends."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TextIO

WORTH = 20
"""Files from which on a check may take long enough to say how far it is."""
PATIENCE = 1.0
"""Seconds before the first word, and between two of them a tenth of that."""


class Progress:
    """Counts files that are done; silent where `out` is no terminal, and while the check is short.

    `total` is the number of files, `clock` gives seconds.
    """

    def __init__(self, total: int, out: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._total, self._out, self._clock = total, out, clock
        self._speaks = total >= WORTH and out.isatty() and os.environ.get("TERM") != "dumb"
        self._begun = self._last = clock() if self._speaks else 0.0
        self._done, self._shown = 0, False

    def __call__(self) -> None:
        """One more file is done."""
        self._done += 1
        if not self._speaks:
            return
        now = self._clock()
        if now - self._begun < PATIENCE or now - self._last < PATIENCE / 10:
            return
        left = (now - self._begun) / self._done * (self._total - self._done)
        about = f"{left:.0f} s" if left < 90 else f"{left / 60:.0f} min"
        self._out.write(f"\r\x1b[Kmemlint: {self._done} of {self._total} files checked, about {about} left")
        self._out.flush()
        self._last, self._shown = now, True

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            self._out.write("\r\x1b[K")
            self._out.flush()
            self._shown = False
