"""Findings that are known and put up with: a file of fingerprints, against which a run reports what is new.

A finding is known by its fingerprint, which survives moved lines; in a file that was renamed by what the
fingerprint is made of without the path. One with secondary places is known if each of these is, too.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from memlint.errors import ConfigError, UsageError
from memlint.finding import FileReport, Finding, each
from memlint.records import dataclass
from memlint.source import files

VERSION = 1


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """One known finding; `path` is relative to the folder of the baseline, with forward slashes."""

    path: str
    code: str
    severity: str
    fingerprint: str
    content: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class Compared:
    """A run against a baseline.

    `reports` hold what is new, and `gone` are the entries whose finding is no longer there.
    """

    reports: list[FileReport]
    gone: tuple[Entry, ...]


def load(path: str) -> tuple[Entry, ...]:
    """The entries of a baseline.

    Raises:
        UsageError: there is no such file.
        ConfigError: it is none that `--write-baseline` wrote.
    """
    try:
        if os.path.exists(path) and not os.path.isfile(path):  # a pipe or a device may never end
            raise ConfigError(f"{path}: the baseline is not a regular file")
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise UsageError(f"{path}: there is no such baseline", "make it with --write-baseline") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: the baseline cannot be read: {error}") from error
    try:
        document: Any = json.loads(text)
        if document["version"] != VERSION:
            raise ValueError(f"version {document['version']}, this memlint reads {VERSION}")
        return tuple(Entry(**entry) for entry in document["findings"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise ConfigError(f"{path}: not a baseline of memlint: {error}", "write it again") from error


def compare(
    reports: Sequence[FileReport], entries: Sequence[Entry], path: str, in_force: Callable[[Entry], bool]
) -> Compared:
    """What of a run is new against the baseline at `path`.

    `in_force` says of an entry whether the run would have reported its finding, if its file was checked.
    """
    folder = os.path.dirname(os.path.abspath(path))
    lost = {entry.path for entry in entries if not os.path.exists(os.path.join(folder, entry.path))}
    left = Counter(entry.fingerprint for entry in entries)
    moved = Counter(entry.content for entry in entries if entry.path in lost)
    new: list[FileReport] = []
    for report in reports:
        kept = tuple(finding for finding in report.findings if not _take(finding, left, moved))
        new.append(replace(report, findings=kept, known=len(report.findings) - len(kept)))
    checked = {_relative(report.path, folder) for report in reports if not (report.skipped or report.failed)}
    gone = []
    for entry in entries:
        counter, key = (moved, entry.content) if entry.path in lost else (left, entry.fingerprint)
        looked = entry.path in lost or (entry.path in checked and in_force(entry))
        if looked and counter[key] > 0:
            counter[key] -= 1
            gone.append(entry)
    return Compared(new, tuple(gone))


def _take(finding: Finding, left: Counter[str], moved: Counter[str]) -> bool:
    """Whether a finding and its secondary places are all known; what they are known by is then used up."""
    used: list[tuple[Counter[str], str]] = []
    for member in each([finding]):
        there = ((left, member.fingerprint), (moved, member.content_fingerprint))
        counter, key = next(((c, k) for c, k in there if c[k] > 0), (None, ""))
        if counter is None:
            for taken, name in used:
                taken[name] += 1
            return False
        counter[key] -= 1
        used.append((counter, key))
    return True


def written(reports: Sequence[FileReport], old: Iterable[Entry], path: str) -> str:
    """The text of a baseline with all findings of a run; entries of files that were not checked stay."""
    folder = os.path.dirname(os.path.abspath(path))
    looked = [report for report in reports if not report.failed]
    names = {_relative(report.path, folder) for report in looked}
    kept = [e for e in old if e.path not in names and os.path.exists(os.path.join(folder, e.path))]
    found = [
        Entry(
            _relative(member.path, folder),
            member.code,
            member.severity.value,
            member.fingerprint,
            member.content_fingerprint,
            member.message,
        )
        for report in looked
        for member in each(report.findings)
    ]
    # One entry on a line: so that two branches that change it can be merged.
    rows = [json.dumps(asdict(entry), ensure_ascii=True) for entry in sorted(dict.fromkeys([*kept, *found]))]
    body = ",\n  ".join(rows)
    return f'{{"version": {VERSION}, "findings": [\n  {body}\n]}}\n' if rows else _EMPTY


_EMPTY = f'{{"version": {VERSION}, "findings": []}}\n'


def _relative(path: str, folder: str) -> str:
    return Path(files.seen_from(path, folder)).as_posix()
