"""Finds the lines of the user's project, and of the libraries that they call, on the stack."""

from __future__ import annotations

from collections.abc import Callable
from types import FrameType

from memlint.runtime.child.log import NO_SITE, Log
from memlint.runtime.child.project import is_library

_PROJECT, _LIBRARY, _NEITHER = 2, 1, 0


class Sites:
    """Finds the innermost line of the user's project on the stack; sites are small integers.

    `name` shortens a path for the report.
    """

    def __init__(self, log: Log, is_project: Callable[[str], bool]) -> None:
        self._log = log
        self._is_project = is_project
        self._known_files: dict[str, int] = {}
        self._known: dict[tuple[str, int], int] = {}
        self.name: Callable[[str], str] = str

    def here(self, frame: FrameType | None) -> int:
        """The site of `frame` or of the nearest caller that belongs to the project; NO_SITE if none does."""
        return self.both(frame)[0]

    def both(self, frame: FrameType | None) -> tuple[int, int]:
        """The site as `here` gives it, and that of the innermost frame of a library which it has called.

        torch is no such library: without any other, the second is NO_SITE.
        """
        known, library = self._known_files, None
        while frame is not None:
            name = frame.f_code.co_filename
            role = known.get(name)
            if role is None:
                role = known[name] = self._role(name)
            if role:
                if role == _PROJECT:
                    return self._index(name, frame.f_lineno), self._of_library(library)
                if library is None:
                    library = frame
            frame = frame.f_back
        return NO_SITE, self._of_library(library)

    def owns(self, name: str) -> bool:
        """Whether a file belongs to the project."""
        return self._is_project(name)

    def _role(self, name: str) -> int:
        return _PROJECT if self._is_project(name) else _LIBRARY if is_library(name) else _NEITHER

    def _of_library(self, frame: FrameType | None) -> int:
        return NO_SITE if frame is None else self._index(frame.f_code.co_filename, frame.f_lineno)

    def _index(self, name: str, line: int) -> int:
        key = (name, line)
        site = self._known.get(key)
        if site is None:
            site = self._known[key] = len(self._log.sites)
            self._log.sites.append(key)
        return site
