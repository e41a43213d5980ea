"""Which of a few source lines ran, at a cost that vanishes once they have all been seen."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable
from types import CodeType, FrameType
from typing import Any

from memlint.runtime.child import last_words


class Reached:
    """Watches "path:line" (absolute) in this process and in those that fork from it.

    `record` is a file into which all processes but `main` (loader workers) write what they reach.
    """

    def __init__(self, lines: Iterable[str], record: str, main: int) -> None:
        self._seen: set[tuple[str, int]] = set()
        self._missing: dict[str, set[int]] = {}
        self._path = record
        self._record = last_words.opened(record, os.O_APPEND)
        self._main = main
        for path, _, line in (text.rpartition(":") for text in lines):
            self._missing.setdefault(path, set()).add(int(line))

    def guard(self, around: Callable[[Callable[..., Any]], Any]) -> None:
        """Put `around` what runs within the script's lines: an exception there would be the script's."""
        self._hit = around(self._hit)  # type: ignore[method-assign]

    def install(self) -> None:
        """Start watching, in this thread and those that begin later."""
        if not self._missing:
            return
        if sys.version_info >= (3, 12):
            self._monitor()
        else:
            threading.settrace(self._call)
            sys.settrace(self._call)

    def here(self) -> list[tuple[str, int]]:
        """The lines that ran in this process."""
        return sorted(self._seen)

    def elsewhere(self) -> list[tuple[str, int]]:
        """The lines that ran in other processes only."""
        told = last_words.contents(self._path).decode().split("\0")[:-1]
        others = {(path, int(line)) for line, _, path in (text.partition(" ") for text in told)}
        return sorted(others - self._seen)

    def _hit(self, path: str, line: int) -> None:
        lines = self._missing.get(path)
        if lines is not None and line in lines:
            lines.discard(line)
            self._seen.add((path, line))
            if os.getpid() != self._main:
                os.write(self._record, f"{line} {path}\0".encode())
            if not lines:
                del self._missing[path]

    def _call(self, frame: FrameType, event: str, arg: Any) -> Any:
        if not self._missing:
            sys.settrace(None)
            return None
        return self._line if frame.f_code.co_filename in self._missing else None

    def _line(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "line":
            self._hit(frame.f_code.co_filename, frame.f_lineno)
        return self._line if frame.f_code.co_filename in self._missing else None

    def _monitor(self) -> None:
        if sys.version_info >= (3, 12):
            monitoring = sys.monitoring

            def line(code: CodeType, number: int) -> Any:
                self._hit(code.co_filename, number)
                return monitoring.DISABLE

            monitoring.use_tool_id(monitoring.PROFILER_ID, "memlint")
            monitoring.register_callback(monitoring.PROFILER_ID, monitoring.events.LINE, line)
            monitoring.set_events(monitoring.PROFILER_ID, monitoring.events.LINE)
