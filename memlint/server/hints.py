"""Bytes that a replay has measured, beside the lines that they belong to, until those lines change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from memlint.errors import SourceError
from memlint.report.session.by_line import costs
from memlint.session import Session
from memlint.session_file import from_json
from memlint.source import files

LARGEST = 100 << 20
"""Bytes of a session file that is still read while somebody types."""
_HEAD = 300
"""Bytes at the start of a JSON file by which a session is known."""


@dataclass(frozen=True, slots=True)
class Hint:
    """What one line (from 1) of a document costs, and where that was measured."""

    line: int
    text: str
    origin: str


def hints(path: str, lines: Sequence[str], root: Path) -> list[Hint]:
    """The hints of a file, by the newest session in its folder, or in one above it up to `root`."""
    file = Path(path).absolute()
    for session_file in _sessions(file.parent, root):
        found = _session(str(session_file), session_file.stat().st_mtime_ns)
        name = _name(file, session_file, found) if found is not None else None
        if found is not None and name is not None:
            return sorted(_placed(found, name, lines, session_file), key=lambda hint: hint.line)
    return []


def _sessions(folder: Path, root: Path) -> list[Path]:
    """Session files from a folder up to the top of its project, the newest first."""
    above = [folder, *(parent for parent in folder.parents if parent.is_relative_to(root))]
    found = [file for place in above for file in files.listed(place, "*.json") if _is_session(file)]
    return sorted(found, key=lambda file: file.stat().st_mtime_ns, reverse=True)


def _is_session(file: Path) -> bool:
    try:
        # A pipe would wait for its writer.
        if not file.is_file() or file.stat().st_size > LARGEST:
            return False
        with file.open("rb") as stream:
            head = stream.read(_HEAD)
    except OSError:
        return False
    return b'"schema_version"' in head and b'"script"' in head


@lru_cache(maxsize=4)
def _session(file: str, changed: int) -> Session | None:
    """A session; `changed` is the time of its last change, so that a new one is read again."""
    try:
        return from_json(Path(file).read_text(encoding="utf-8"), file)
    except (OSError, UnicodeDecodeError, SourceError):
        return None


def _name(file: Path, session_file: Path, session: Session) -> str | None:
    """What a session calls a file: its names are relative to where the replay was started."""
    names = (str(file), files.seen_from(file, session_file.parent))
    return next((name for name in names if name in session.sources), None)


def _placed(session: Session, name: str, lines: Sequence[str], origin: Path) -> Iterator[Hint]:
    """The hints of lines that still are what they were; one that has moved is looked for by its text."""
    known = session.sources[name]
    first = session.original
    told = f"Measured by memlint replay on {first.device}, {session.started}, in {origin.name}"
    bare = [line.rstrip() for line in lines]
    for (file, number), cost in costs(session).items():
        text = known.get(str(number), "").rstrip()
        if file != name or not text or not cost.in_words:
            continue
        here = number <= len(bare) and bare[number - 1] == text
        places = [number] if here else [n for n, line in enumerate(bare, 1) if line == text]
        if len(places) == 1:
            yield Hint(places[0], cost.in_words, told)
