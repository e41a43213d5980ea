"""The first Ctrl-C lets a replay finish with what it has measured, the second one ends it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


class Interrupt:
    """Whether memlint was asked to end: `number` is the signal, 0 as long as there was none.

    `on_first` is called from the signal handler, so it must not use buffered streams.
    """

    def __init__(self, on_first: Callable[[], None] = lambda: None) -> None:
        self.number = 0
        self._on_first = on_first

    def __bool__(self) -> bool:
        return self.number != 0

    @property
    def status(self) -> int:
        """The exit status of a process that ends because of the signal, as shells count it."""
        return 128 + self.number

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Take the signals over; those that are ignored, as in a background job, stay so.

        Raises:
            KeyboardInterrupt: a second SIGINT came.
            SystemExit: a second one of the others came.
        """
        wanted = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
        before = {number: signal.signal(number, self._handle) for number in wanted}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if not self.number:
            self.number = number
            self._on_first()
        elif number == signal.SIGINT:
            raise KeyboardInterrupt
        else:
            sys.exit(128 + number)
