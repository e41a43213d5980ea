"""Cached results: reports of files that have not changed since they were checked, in a folder of the project.

A report depends on the text of its file, on the rules in force, on memlint itself, and on other files of the
project. An entry holds these `Dependencies`, each a question about the disk with its answer; where one is
answered differently today, the file is checked again. Entries are JSON: nothing in them is run. Their first
line is the hash of the rest: a damaged one is not believed, even where it still is JSON.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from memlint import packs
from memlint.catalogue import rules_directory
from memlint.engine.check import modules_below
from memlint.engine.checks import Checks
from memlint.errors import SourceError
from memlint.finding import (
    Applicability,
    Claim,
    Edit,
    FileReport,
    Finding,
    Fix,
    Note,
    Requirement,
    Severity,
    Span,
)
from memlint.project.dependencies import Dependencies
from memlint.records import dataclass
from memlint.source import files

FOLDER = ".memlint_cache"

TEMPORARY = ".tmp"
"""The ending of an entry that is not written to its end."""

ABANDONED = 3600
"""Seconds after which nobody is still writing an entry; one who is keeps no entry."""

_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# Reports of memlint: https://bford.info/cachedir/\n"
"""What the Cache Directory Tagging Specification wants in `CACHEDIR.TAG`, so that backups pass it over."""


def folder_for(root: Path) -> Path | None:
    """Where the reports of a project are kept; None for scripts that belong to none: they stay alone."""
    return root / FOLDER if files.is_project(root) else None


@dataclass(frozen=True, slots=True)
class Entry:
    """The place of one file's report, and the `key` of all that the report rests on in the file itself."""

    place: Path
    key: str

    @classmethod
    def of(cls, folder: Path, path: str, text: str, checks: Checks) -> Entry:
        """The entry for a text at a path as it was given; other rules in force have an entry of their own."""
        chosen = (checks.codes, checks.advice, checks.named or (), checks.errors_only)
        sets = [sorted(codes) for codes in chosen]
        settings: list[object] = [path, *sets, checks.identity, checks.torch_version, checks.root]
        settings += [checks.check_tests, checks.torch_origin, checks.packs, checks.pinned, checks.limits]
        settings.append(checks.test_functions)
        name = _hash(json.dumps(settings))[:32]
        return cls(folder / f"{name}.json", _hash(f"{_memlint()} {packs.digest(checks.packs)} {text}"))

    def recall(self, checks: Checks) -> FileReport | None:
        """The report, None when there is none that still holds."""
        try:
            digest, _, known = files.read_regular(str(self.place)).partition(b"\n")
            if digest != _digest(known):
                return None
            document = json.loads(known)
            if document["key"] != self.key:
                return None
            behind = Dependencies.from_json(document["dependencies"])
            if not behind.is_empty and (
                checks.root is None or not modules_below(checks.root).still_hold(behind)
            ):
                return None
            report = document["report"]
            findings = tuple(map(_finding, report["findings"]))
            return FileReport(report["path"], findings, text=report["text"], left_out=report["left_out"])
        except (OSError, SourceError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            # Missing, or not as it was written: the file is checked, and the entry written again.
            return None

    def keep(self, report: FileReport, dependencies: Dependencies) -> None:
        """Keep a report; where the folder cannot be written to, nothing is kept."""
        if report.failed:
            return
        findings = list(map(asdict, report.findings))
        content: dict[str, Any] = {"path": report.path, "findings": findings, "text": report.text}
        content["left_out"] = report.left_out
        known = {"key": self.key, "dependencies": dependencies.as_json(), "report": content}
        document = json.dumps(known).encode()
        with suppress(OSError):
            _prepare(self.place.parent)
            _put(self.place, _digest(document) + b"\n" + document)


def _put(place: Path, data: bytes) -> None:
    """Put an entry in its place, all of it or nothing, whatever is there."""
    temporary = place.with_suffix(f".{os.getpid()}{TEMPORARY}")
    try:
        temporary.write_bytes(data)
        if place.is_dir() and not place.is_symlink():
            import shutil

            shutil.rmtree(place)
        temporary.replace(place)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def _digest(document: bytes) -> bytes:
    return hashlib.sha256(document).hexdigest().encode()


def _prepare(folder: Path) -> None:
    """Make the folder, with what keeps it out of version control and of backups."""
    folder.mkdir(exist_ok=True)
    _clear(folder)
    # A link may lead to a folder of something else.
    if not (folder / ".gitignore").exists() and not folder.is_symlink():
        (folder / ".gitignore").write_text("*\n", encoding="utf-8")
        (folder / "CACHEDIR.TAG").write_text(_TAG, encoding="utf-8")


@cache
def _clear(folder: Path) -> None:
    """Remove what killed processes have left of entries, once in a run."""
    for name in os.listdir(folder):
        if name.endswith(TEMPORARY):
            with suppress(OSError):
                if time.time() - (folder / name).lstat().st_mtime > ABANDONED:
                    (folder / name).unlink()


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@cache
def _memlint() -> str:
    """What stands for this installation: Python, and the state of the files of memlint and libcst."""
    libcst = find_spec("libcst")
    origin = libcst.origin if libcst is not None else None
    places = {Path(__file__).parents[1], rules_directory()}
    found = (file for place in places for file in _files(place))
    here = [f"{path} {status.st_size} {status.st_mtime_ns}" for path, status in found]
    parser = str(os.stat(origin).st_mtime_ns) if origin else ""
    return _hash("\n".join([sys.version, parser, *sorted(here)]))


def _files(folder: str | Path) -> Iterator[tuple[str, os.stat_result]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _files(entry.path) if entry.name != "__pycache__" else ()
            else:
                yield entry.path, entry.stat()


# --- from JSON ------------------------------------------------------------------------------------------


def _finding(data: dict[str, Any]) -> Finding:
    fields = {
        **data,
        "severity": Severity(data["severity"]),
        "span": Span(**data["span"]),
        "notes": tuple(_note(note) for note in data["notes"]),
        "fix": _fix(data["fix"]) if data["fix"] else None,
        "alternatives": tuple(_fix(fix) for fix in data["alternatives"]),
        "claim": _claim(data["claim"]) if data["claim"] else None,
        "secondary": tuple(map(_finding, data["secondary"])),
        "causes": tuple(data["causes"]),
        "requires": tuple(Requirement(**one) for one in data["requires"]),
    }
    return Finding(**fields)


def _claim(data: dict[str, Any]) -> Claim:
    return Claim(**{**data, "raises": tuple(data["raises"])})


def _note(data: dict[str, Any]) -> Note:
    return Note(**{**data, "span": Span(**data["span"]) if data["span"] else None})


def _fix(data: dict[str, Any]) -> Fix:
    edits = tuple(Edit(Span(**edit["span"]), edit["text"], edit["cell"]) for edit in data["edits"])
    return Fix(Applicability(data["applicability"]), data["title"], edits, data["caution"])
