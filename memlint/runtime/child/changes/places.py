"""The lines between which a script computes a loss: from its first forward pass to the backward behind it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType, FrameType

from memlint.session import Lines

Frames = list[tuple[CodeType, int]]
"""The frames of the project on the stack with their lines, the outermost first."""


PASSES = 64
"""Forward passes before one backward that are remembered."""


class Places:
    """Notes where forward passes that train begin, and where backward reads them.

    `name` is the path of a file as reports show it, "" for a file that is not the project's.
    """

    def __init__(self, name: Callable[[str], str]) -> None:
        self._name = name
        self._begun: list[Frames] = []
        self._regions: dict[Lines, None] = {}
        self._elsewhere = False

    def begins(self) -> None:
        """A forward pass that trains begins."""
        if len(self._begun) < PASSES:
            self._begun.append(self._stack(sys._getframe(1)))

    def ends(self) -> None:
        """Backward begins."""
        begun, self._begun = self._begun, []
        if not begun:
            return
        ended = self._stack(sys._getframe(1))
        region = next((found for each in begun if (found := self._between(each, ended)) is not None), None)
        if region is None:
            self._elsewhere = True
        else:
            self._regions[region] = None

    def regions(self) -> tuple[Lines, ...]:
        """All that were seen; () where one of them does not lie in one function."""
        return () if self._elsewhere else tuple(self._regions)

    def here(self) -> Lines | None:
        """The innermost line of the project that is running."""
        stack = self._stack(sys._getframe(1))
        if not stack:
            return None
        code, line = stack[-1]
        return Lines(self._name(code.co_filename), line, line)

    def _stack(self, frame: FrameType | None) -> Frames:
        found = []
        while frame is not None:
            if self._name(frame.f_code.co_filename):
                found.append((frame.f_code, frame.f_lineno))
            frame = frame.f_back
        return found[::-1]

    def _between(self, begun: Frames, ended: Frames) -> Lines | None:
        """The lines of the function from which both were reached by calls of their own.

        A pass further down began in the iteration before, to show what the model does.
        """
        for (code, first), (other, last) in zip(begun, ended, strict=False):
            if code is not other:
                return None
            if first != last:
                return Lines(self._name(code.co_filename), first, last) if first < last else None
        return None
