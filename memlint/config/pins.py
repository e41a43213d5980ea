"""The version of a package that a project pins: in a lock file, its requirements, or `pyproject.toml`.

Only an exact version counts; a lower bound says nothing about the version that is there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from memlint.config.keys import parse_version
from memlint.records import dataclass
from memlint.source.files import listed, shown

LONGEST_LINE = 1000
"""Characters of a line beyond which it is passed over."""
_VERSION = r"\s*(?P<version>\d[\w.+]*)(?![\w.+*])"
_OF_CONDA = {"torch": "pytorch"}
"""Names of packages that conda calls otherwise."""


@dataclass(frozen=True, slots=True)
class Pin:
    """An exact version, and where it is written: `requirements.txt:3`."""

    version: tuple[int, ...]
    where: str


def pin_of(folder: Path, package: str) -> Pin | None:
    """What the files of the nearest folder upwards that pin a package say; None where none does."""
    pins = (_pin_in(place, package) for place in _upwards(folder))
    return next((pin for pin in pins if pin is not None), None)


def limit_of(folder: Path, package: str) -> tuple[int, ...] | None:
    """The first version of a package that a project cannot have: what the files of the nearest folder upwards
    that require the package leave no room for. None where one of them sets no end, or none requires it."""
    limits = (_limits_in(place, package) for place in _upwards(folder))
    found = next((those for those in limits if those), (None,))
    return None if None in found else max(limit for limit in found if limit is not None)


def forget() -> None:
    """Files have changed on disk: what was read from them no longer holds."""
    _pin_in.cache_clear()
    _limits_in.cache_clear()


def _upwards(folder: Path) -> Iterator[Path]:
    """The folder and those above it, up to the top of the repository."""
    for place in (folder, *folder.parents):
        yield place
        if os.path.exists(place / ".git"):
            return


@cache
def _pin_in(folder: Path, package: str) -> Pin | None:
    for name, read in _READERS.items():
        for file in listed(folder, name) if "*" in name else [folder / name]:
            if os.path.isfile(file) and (found := _pin(file, package, read)) is not None:
                return found
    return None


@cache
def _limits_in(folder: Path, package: str) -> tuple[tuple[int, ...] | None, ...]:
    files = [file for name in _REQUIRING for file in listed(folder, name)]
    # A folder with several packages is where packages are installed: none speaks for the others.
    if sum(file.name == "METADATA" for file in files) > 1:
        files = [file for file in files if file.name != "METADATA"]
    return tuple(limit for file in files if os.path.isfile(file) for limit in _limits(file, package))


_REQUIRING = (
    "setup.py", "setup.cfg", "pyproject.toml", "Pipfile", "*requirements*.txt", "requirements/*.txt",
    "environment.yml", "environment.yaml", "PKG-INFO", "*.dist-info/METADATA",
)  # fmt: skip
_BUILT = ("PKG-INFO", "METADATA")
"""What archives of a package have of its requirements, beside a description in which anything may stand."""
_DISTRIBUTIONS = {
    "torch": ("torch", "pytorch"),
    "tensorflow": ("tensorflow", "tensorflow-gpu", "tensorflow-cpu"),
    "keras": ("keras",),
    "lightning": ("lightning", "pytorch-lightning"),
}
"""By package: the names under which it is required."""
LIMITED = tuple(_DISTRIBUTIONS)
"""The packages of which rules ask for the versions that a project leaves room for."""
_SPECIFIERS = r"(?:(?:[<>=~!]=?|===|\^)\s*v?\d[\w.*+]*[\s,]*)+"


def _limits(file: Path, package: str) -> Iterator[tuple[int, ...] | None]:
    """The end that each requirement of a package in a file sets, None for those that set none."""
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    names = "|".join(map(_spelled, _DISTRIBUTIONS.get(package, (package,))))
    extras = r"(?:\[[^\]\n]*\])?"
    opened = r"""["']?\s*(?:=\s*(?:\{\s*(?:.*,\s*)?version\s*=\s*)?["'])?\(?\s*"""
    # As in `name>=1,<2`, `"name (>=1,<2)"`, `name = "^1.2"`, `name = {version = "~1.9"}`, `- name=1.2`.
    bounded = re.compile(rf"""(?:^|["'\s])(?:{names}){extras}{opened}({_SPECIFIERS})""", re.IGNORECASE)
    bare = re.compile(rf"^\s*(?:-\s*)?(?:{names}){extras}\s*(?:;.*)?$", re.IGNORECASE)
    for line in (line.partition("#")[0] for line in _short_lines(text)):
        if file.name in _BUILT and not line.startswith("Requires-Dist:"):
            continue
        # A name alone sets no end where it can be nothing else: elsewhere it may be a keyword or a sentence.
        if file.suffix in (".txt", ".yml", ".yaml") and bare.match(line):
            yield None
        for match in bounded.finditer(line):
            yield _end(match[1])


def _short_lines(text: str) -> list[str]:
    """The lines that may name a requirement; what is longer costs time that grows with its square."""
    return [line for line in text.splitlines() if 0 < len(line) <= LONGEST_LINE]


def _end(specifiers: str) -> tuple[int, ...] | None:
    """The first version above what specifiers such as `>=1.6,<1.7` or `~=1.13` allow."""
    ends = []
    for sign, written in re.findall(r"([<>=~!^]=*)\s*v?(\d[\w.*+]*)", specifiers):
        version = parse_version(_release(written))
        if sign == "<":
            ends.append(version)
        elif sign == "^":
            ends.append((version[0] + 1,))
        elif sign == "=" or (sign in ("==", "===") and "*" in written):
            ends.append((*version[:-1], version[-1] + 1))
        elif sign in ("<=", "==", "==="):
            ends.append((*version, 1))
        elif sign.startswith("~") and len(version) > 1:
            ends.append((*version[:-2], version[-2] + 1))
    return min(ends, default=None)


def _pin(file: Path, package: str, read: Callable[[str, str], Iterator[str]]) -> Pin | None:
    """What a file pins. Other tools read it, and it is theirs to say what is wrong with it."""
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
        written = next(read(text, package), None)
        if written is None:
            return None
        line = _line(text, package, written)
        return Pin(parse_version(_release(written)), f"{shown(file)}:{line}" if line else shown(file))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _line(text: str, package: str, version: str) -> int:
    """The line that names a package, with its version if there is such a line; 0 for none."""
    name = re.compile(rf"(?<![\w.-])(py)?{_spelled(package)}(?![\w.-])", re.IGNORECASE)
    lines = text.splitlines()
    named = [n for n, line in enumerate(lines, 1) if name.search(line.partition("#")[0])]
    # A lock file also names a package where others need it; its own table begins with the name.
    named.sort(key=lambda n: (version not in lines[n - 1], not lines[n - 1].startswith("name")))
    return named[0] if named else 0


def _release(version: str) -> str:
    """The numbers of a version: 2.3.0 of 2.3.0rc1, 2.3.1 of 2.3.1.post2+cu121."""
    match = re.match(r"\d{1,9}(\.\d{1,9}){0,2}", version)
    return match[0] if match else version


def _spelled(package: str) -> str:
    """A pattern of all spellings of a package's name."""
    return "[-_.]+".join(map(re.escape, re.split("[-_.]+", package)))


def _is(name: object, package: str) -> bool:
    return isinstance(name, str) and re.fullmatch(_spelled(package), name, re.IGNORECASE) is not None


def _locked(text: str, package: str) -> Iterator[str]:
    """uv.lock, poetry.lock, pdm.lock, pylock.toml: tables of packages with their versions."""
    import tomli

    data: dict[str, Any] = tomli.loads(text)
    for entry in (*data.get("package", ()), *data.get("packages", ())):
        if _is(entry.get("name"), package) and "version" in entry:
            yield entry["version"]


def _pipfile(text: str, package: str) -> Iterator[str]:
    import json

    for name, entry in json.loads(text).get("default", {}).items():
        locked = entry.get("version", "") if _is(name, package) else ""
        yield from [locked.lstrip("=")] if locked.startswith("==") else []


def _required(text: str, package: str) -> Iterator[str]:
    """Requirements, or strings like them, one on a line."""
    exact = rf"""^[ \t]*["']?{_spelled(package)}(?:\[[^\]]*\])?\s*={{2,3}}{_VERSION}"""
    lines = "\n".join(_short_lines(text))
    yield from (match["version"] for match in re.finditer(exact, lines, re.MULTILINE | re.IGNORECASE))


def _conda(text: str, package: str) -> Iterator[str]:
    name = _spelled(_OF_CONDA.get(package, package))
    exact = rf"^[ \t]*-[ \t]*(?:[\w-]+::)?{name}\s*={{1,2}}{_VERSION}"
    lines = "\n".join(_short_lines(text))
    yield from (match["version"] for match in re.finditer(exact, lines, re.MULTILINE))
    yield from _required(re.sub(r"^[ \t]*-[ \t]*", "", lines, flags=re.MULTILINE), package)


def _project(text: str, package: str) -> Iterator[str]:
    import tomli

    data: dict[str, Any] = tomli.loads(text)
    project = data.get("project", {})
    for requirement in project.get("dependencies", ()):
        yield from _required(requirement, package)
    for name, entry in data.get("tool", {}).get("poetry", {}).get("dependencies", {}).items():
        written = entry.get("version", "") if isinstance(entry, dict) else entry
        exact = _is(name, package) and re.match(r"\s*(==)?\s*\d[\w.+]*\s*$", written)
        yield from [written.lstrip("= ")] if exact else []


_READERS: dict[str, Callable[[str, str], Iterator[str]]] = {
    "uv.lock": _locked,
    "poetry.lock": _locked,
    "pdm.lock": _locked,
    "pylock.toml": _locked,
    "Pipfile.lock": _pipfile,
    "requirements*.txt": _required,
    "environment.yml": _conda,
    "environment.yaml": _conda,
    "pyproject.toml": _project,
}
"""By name of a file: the versions of a package that its text pins. In this order: a lock file knows best."""
