"""Where packs lie: a path, or an installed package that offers one by the entry point `memlint.rules`.

The package is found, but not imported: nothing of a pack is run.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from memlint.errors import PackError
from memlint.records import dataclass
from memlint.source.files import shown

GROUP = "memlint.rules"
MOST_BYTES = 256 * 1024
"""Of one file: a rule with fifty examples has a tenth of it."""
MOST_FILES = 300


@dataclass(frozen=True, slots=True)
class PackFile:
    """One file of a pack as it was read; `pack` is the folder or file that the settings name."""

    path: Path
    data: bytes
    pack: str


def files_of(pack: str) -> list[PackFile]:
    """The rule files of a pack, by name.

    Raises:
        PackError: it is not there, cannot be read, holds no rule, or is larger than any pack is.
    """
    place = Path(pack)
    if not os.path.isdir(place):
        return [_read(place, pack)]
    try:
        inside = sorted(path for path in place.iterdir() if path.suffix == ".toml")
        found = [path for path in inside if path.name[0] not in "._"]
    except OSError as error:
        raise PackError(f"{shown(place)}: cannot be read: {error.strerror}") from error
    if not found:
        raise PackError(f"{shown(place)}: no rules in this folder", "a rule is a file of its own, NAME.toml")
    if len(found) > MOST_FILES:
        text = f"{shown(place)}: {len(found)} rules, {MOST_FILES} at most are allowed"
        raise PackError(text, "make several packs")
    return [_read(path, pack) for path in found]


def _read(path: Path, pack: str) -> PackFile:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise PackError(f"{shown(path)}: is no file", "a rule is a file, NAME.toml")
        if status.st_size > MOST_BYTES:
            text = f"{shown(path)}: larger than {MOST_BYTES // 1024} KiB"
            raise PackError(text, "one file is one rule; shorten its examples")
        with path.open("rb") as file:
            return PackFile(path, file.read(MOST_BYTES + 1), pack)
    except OSError as error:
        raise PackError(f"{shown(path)}: cannot be read: {error.strerror}") from error


def placed(entry: str, where: str) -> str:
    """The path of a pack that settings at `where` name by a path from the root, or by an entry point.

    Raises:
        PackError: there is no such path, and no package with a pack of this name.
    """
    if os.path.exists(entry):
        return os.path.abspath(entry)
    name, known = os.path.basename(entry), installed()
    if name in known:
        return str(known[name])
    there = f"installed: {', '.join(sorted(known))}; " if known else ""
    text = f"{where}: there is no rule pack {shown(Path(entry))}, and no installed package offers one"
    raise PackError(f"{text} called `{name}`", f"{there}correct the path")


@cache
def installed() -> dict[str, Path]:
    """The packs of installed packages: the name of the entry point, and the folder of the package it names.

    Raises:
        PackError: two packages offer a pack under one name.
    """
    from importlib.metadata import entry_points  # 30 ms at start, which only this needs

    found: dict[str, Path] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        folder = _folder(point.module)
        if folder is None:
            continue
        if found.setdefault(point.name, folder) != folder:
            text = f"two installed packages have a rule pack `{point.name}`: {found[point.name]}, {folder}"
            raise PackError(text, "name one of the folders instead")
    return found


def _folder(module: str) -> Path | None:
    """The folder of a package; of the packages on the way only the first is looked up, and none imported."""
    first, *rest = module.split(".")
    try:
        spec = find_spec(first)
    except (ImportError, ValueError):
        return None
    places: Sequence[str] = (spec.submodule_search_locations or ()) if spec is not None else ()
    folders = (Path(place, *rest) for place in places)
    return next((folder for folder in folders if folder.is_dir()), None)
