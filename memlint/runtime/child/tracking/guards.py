"""Keeps memlint's own mistakes from the script: a hook that raises is left out, and the report says so."""

from __future__ import annotations

import signal
import sys
import traceback
from collections.abc import Callable
from types import FrameType
from typing import Any

from torch.compiler import is_dynamo_compiling as is_compiling

from memlint.runtime.child.log import Log
from memlint.runtime.child.project import PACKAGE

MESSAGE = 150
"""Characters of an exception's message that the report shows."""


class Guards:
    """Takes what memlint's hooks raise; `place` names the line of the project at which a frame stands."""

    def __init__(self, log: Log, place: Callable[[FrameType], str]) -> None:
        self._log = log
        self._place = place

    def around(self, hook: Callable[..., Any], lost: str, gone: Callable[[], None] | None = None) -> Any:
        """`hook` until it raises; from then on nothing happens in its place, and the answer is None.

        `lost` says in words what the report lacks then; `gone` is called once, to take more away. What is
        no Exception (KeyboardInterrupt, SystemExit) passes through, for it is meant for the script.
        """

        def guarded(*args: Any, **kwargs: Any) -> Any:
            # What torch.compile traces with a hook in it must not depend on memlint.
            if is_compiling() or lost in self._log.lost:
                return None
            try:
                return hook(*args, **kwargs)
            except Exception as error:
                self.lose(lost, error)
                if gone is not None:
                    gone()
                return None

        return guarded

    def lose(self, lost: str, error: Exception) -> None:
        """Say once in the report that something of memlint failed here.

        Raises:
            Exception: `error` itself, where a signal handler of the script raised it.
        """
        if is_of_a_signal(error):
            raise error
        if lost in self._log.lost:
            return
        try:
            where = self._place(sys._getframe(1))
        except Exception:
            where = "?:0"
        after = "" if where == "?:0" else f"after {where} "
        self._log.lost[lost] = f"{after}{lost}: {in_words(error)}"


def in_words(error: BaseException) -> str:
    """A mistake of memlint, as somebody who reports it would have to describe it."""
    try:
        message = str(error).strip().partition("\n")[0][:MESSAGE]
    except Exception:
        message = "an exception that cannot be printed"
    mine = [row for row in traceback.extract_tb(error.__traceback__) if row.filename.startswith(PACKAGE)]
    place = f" at memlint/{mine[-1].filename.removeprefix(PACKAGE)}:{mine[-1].lineno}" if mine else ""
    said = f": {message}" if message else ""
    return f"memlint itself raised {type(error).__name__}{place}{said} (please report it)"


def is_own(error: BaseException) -> bool:
    """Whether code of memlint itself raised it."""
    frames = [frame.f_code.co_filename for frame, _ in traceback.walk_tb(error.__traceback__)]
    return bool(frames) and frames[-1].startswith(PACKAGE)


def is_of_a_signal(error: BaseException) -> bool:
    """Whether a signal handler of the script raised it: Python runs those in the middle of anything."""
    handlers = [signal.getsignal(number) for number in signal.valid_signals()]
    codes = {getattr(handler, "__code__", None) for handler in handlers} - {None}
    return any(frame.f_code in codes for frame, _ in traceback.walk_tb(error.__traceback__))
