"""Paths as services that know a repository want them: below its top folder, with forward slashes."""

from __future__ import annotations

import os
from pathlib import Path, PurePath
from urllib.parse import quote


def top_folder() -> Path:
    """The folder that paths in a report are relative to: that of the repository, else the current one."""
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if os.path.exists(folder / ".git")), here)


def below(path: str, top: Path) -> str:
    """`path` relative to `top`, with forward slashes; as it is where it lies elsewhere or is no file."""
    full = Path(os.path.abspath(path))
    try:
        return full.relative_to(top).as_posix()
    except ValueError:
        return PurePath(path).as_posix()


def uri(path: str) -> str:
    """A path with forward slashes as a reference in a URI, its bytes quoted where they must be."""
    return quote(os.fsencode(path))
