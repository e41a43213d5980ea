"""Which code is the user's own, and how a report names its files."""

from __future__ import annotations

import importlib.util
import os
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

PACKAGE = str(Path(__file__).parents[2]) + os.sep
"""The folder of memlint itself."""

_STDLIB = tuple({sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib")})
_FOUND = importlib.util.find_spec("torch")
_TORCH = tuple(
    os.path.join(folder, "") for folder in (_FOUND.submodule_search_locations or () if _FOUND else ())
)
_INSTALLED = tuple(f"{os.sep}{name}{os.sep}" for name in ("site-packages", "dist-packages"))


@dataclass(frozen=True, slots=True)
class Project:
    """What lies below `root` (with a trailing separator); `folder` is where the replay was started."""

    root: str
    folder: str

    def owns(self, path: str) -> bool:
        """Whether a code object's file belongs to the project rather than to an installed library."""
        if not path.startswith(self.root) or path.startswith(PACKAGE):
            return False
        return not path.startswith(_STDLIB) and not any(folder in path for folder in _INSTALLED)

    def name(self, path: str) -> str:
        """A path for the report: relative to the folder of the replay where it lies below it."""
        return path.removeprefix(self.folder + os.sep)


def is_library(path: str) -> bool:
    """Whether a code object's file belongs to an installed library that is neither torch nor memlint."""
    if not path.endswith(".py") or path.startswith((PACKAGE, *_TORCH)):
        return False
    return any(folder in path for folder in _INSTALLED) or not path.startswith(_STDLIB)


def name_of_library(path: str) -> str:
    """A library's file for the report: below the folder of the search path that holds it."""
    for folder in _INSTALLED:
        _before, found, rest = path.rpartition(folder)
        if found:
            return rest
    folders = [os.path.join(entry, "") for entry in sys.path if entry]
    return path.removeprefix(max((f for f in folders if path.startswith(f)), key=len, default=""))
