"""The torch that a project pins: in a lock file, in its requirements, in `pyproject.toml`.

Only an exact version counts; a lower bound says nothing about the torch that is there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from memlint.config.keys import Layer, parse_version, shown

_VERSION = r"\s*(?P<version>\d[\w.+]*)(?![\w.+*])"
_EXACT = re.compile(r"""^\s*["']?torch(?:\[[^\]]*\])?\s*={2,3}""" + _VERSION, re.MULTILINE)
_CONDA = re.compile(r"^\s*-\s*(?:[\w-]+::)?pytorch\s*={1,2}" + _VERSION, re.MULTILINE)


@cache
def pinned(folder: Path) -> Layer:
    """The `torch-version` of the nearest folder upwards whose files pin one; an empty layer for none."""
    for name, read in _READERS.items():
        for file in sorted(folder.glob(name)) if "*" in name else [folder / name]:
            if os.path.isfile(file) and (found := _version(file, read)) is not None:
                return Layer(shown(file), {"torch-version": found})
    if folder.parent == folder or os.path.exists(folder / ".git"):
        return Layer("project", {})
    return pinned(folder.parent)


def _version(file: Path, read: Callable[[str], Iterator[str]]) -> tuple[int, ...] | None:
    """What a file pins. Other tools read it, and it is theirs to say what is wrong with it."""
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
        return next((parse_version(_release(version)) for version in read(text)), None)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _release(version: str) -> str:
    """The numbers of a version: 2.3.0 of 2.3.0rc1, 2.3.1 of 2.3.1.post2+cu121."""
    match = re.match(r"\d+(\.\d+){0,2}", version)
    return match[0] if match else version


def _locked(text: str) -> Iterator[str]:
    """uv.lock, poetry.lock, pdm.lock, pylock.toml: tables of packages with their versions."""
    import tomli

    data: dict[str, Any] = tomli.loads(text)
    for package in (*data.get("package", ()), *data.get("packages", ())):
        if package.get("name") == "torch" and "version" in package:
            yield package["version"]


def _pipfile(text: str) -> Iterator[str]:
    import json

    locked = json.loads(text).get("default", {}).get("torch", {}).get("version", "")
    yield from [locked.lstrip("=")] if locked.startswith("==") else []


def _required(text: str) -> Iterator[str]:
    """Requirements, or strings like them, one on a line."""
    yield from (match["version"] for match in _EXACT.finditer(text))


def _conda(text: str) -> Iterator[str]:
    yield from (match["version"] for match in _CONDA.finditer(text))
    yield from _required(re.sub(r"^\s*-\s*", "", text, flags=re.MULTILINE))


def _project(text: str) -> Iterator[str]:
    import tomli

    data: dict[str, Any] = tomli.loads(text)
    project = data.get("project", {})
    for requirement in project.get("dependencies", ()):
        yield from _required(requirement)
    poetry = data.get("tool", {}).get("poetry", {}).get("dependencies", {}).get("torch", "")
    written = poetry.get("version", "") if isinstance(poetry, dict) else poetry
    yield from [written.lstrip("= ")] if re.match(r"\s*(==)?\s*\d[\w.+]*\s*$", written) else []


_READERS: dict[str, Callable[[str], Iterator[str]]] = {
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
"""By name of a file: the versions of torch that its text pins. In this order: a lock file knows best."""
