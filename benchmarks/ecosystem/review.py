"""What was found and judged before, and how it differs from what is found now."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import asdict, dataclass

from benchmarks.ecosystem.packages import Key, Linted, Place

VERDICTS = ("right", "useless", "wrong")
"""True and worth its severity; true but not worth a line there, or said twice; not true."""

JUDGED = ("error", "warning")
"""The severities of which every finding is read; advice is shown on request only."""

COLUMNS = ("package", "path", "line", "code", "severity", "verdict", "reason")


@dataclass(frozen=True, slots=True)
class Count:
    """How many files of a package mention a framework, how many of them could not be checked, and how many
    findings there are of each "CODE severity"."""

    files: int
    unchecked: int
    findings: Mapping[str, int]


Counts = Mapping[str, Count]
"""For each package, by its name."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A finding that somebody has read in its surroundings."""

    place: Place
    verdict: str
    reason: str


@dataclass(frozen=True, slots=True)
class Row:
    """One rule at one severity: how often it is reported, how many reports were read, and what they are."""

    code: str
    severity: str
    found: int
    read: int
    right: int
    useless: int
    wrong: int


def counted(linted: Linted) -> Count:
    """The findings of one package, counted by rule and severity."""
    findings = Counter(_kind(place) for place in linted.places)
    return Count(linted.files, len(linted.unchecked), dict(sorted(findings.items())))


def _kind(place: Place) -> str:
    return f"{place.code} {place.severity}"


def as_json(counts: Counts) -> str:
    """The counts as the text of the committed file."""
    return json.dumps({name: asdict(count) for name, count in counts.items()}, indent=2) + "\n"


def from_json(text: str) -> dict[str, Count]:
    """The counts that such a text holds."""
    return {name: Count(**count) for name, count in json.loads(text).items()}


def judgements(text: str) -> list[Judgement]:
    """The committed judgements: tab-separated, under a line that names the columns.

    Raises:
        ValueError: a line is malformed.
    """
    found = []
    for number, row in enumerate(csv.DictReader(io.StringIO(text), delimiter="\t"), 2):
        if tuple(row) != COLUMNS or None in row.values() or row["verdict"] not in VERDICTS:
            raise ValueError(f"line {number} of the review is no judgement: {row}")
        place = Place(row["package"], row["path"], int(row["line"]), row["code"], row["severity"])
        found.append(Judgement(place, row["verdict"], row["reason"]))
    return found


def differences(before: Counts, now: Mapping[str, Linted], reviewed: Sequence[Judgement]) -> list[str]:
    """What has changed since the counts were committed, and errors and warnings that nobody has judged.

    Only the packages of `now` are compared.
    """
    judged = {judgement.place.key for judgement in reviewed}
    said: list[str] = []
    for package, linted in now.items():
        said += _changes(package, before.get(package, Count(0, 0, {})), linted, judged)
    places = [place for linted in now.values() for place in linted.places]
    known = {place.key for place in places}
    said += [
        f"{_where(place)}: {place.code} {place.severity} that nobody has judged: {place.message}"
        for place in places
        if place.severity in JUDGED and place.key not in judged
    ]
    said += [
        f"{_where(judgement.place)}: {judgement.place.code}: was judged, and is no longer reported"
        for judgement in reviewed
        if judgement.place.package in now and judgement.place.key not in known
    ]
    return said


def _changes(package: str, before: Count, linted: Linted, judged: Set[Key]) -> list[str]:
    """Where the counts of a package differ; under a finding's, those that nobody has judged: the new ones
    are among them."""
    now = counted(linted)
    old = {"files": before.files, "files not checked": before.unchecked, **before.findings}
    new = {"files": now.files, "files not checked": now.unchecked, **now.findings}
    said: list[str] = []
    for what in dict.fromkeys([*old, *new]):
        if old.get(what, 0) == new.get(what, 0):
            continue
        said.append(f"{package}: {what}: {old.get(what, 0)} before, {new.get(what, 0)} now")
        said += [
            f"    {place.path}:{place.line}: {place.message}"
            for place in linted.places
            if _kind(place) == what and place.key not in judged
        ]
    return said


def _where(place: Place) -> str:
    return f"{place.package}/{place.path}:{place.line}"


def table(counts: Counts, reviewed: Sequence[Judgement]) -> list[Row]:
    """How often each rule was reported, read and right, useless or wrong, errors first."""
    found: Counter[tuple[str, str]] = Counter()
    for count in counts.values():
        for what, number in count.findings.items():
            code, severity = what.split()
            found[severity, code] += number
    read = Counter((j.place.severity, j.place.code, j.verdict) for j in reviewed)
    return [
        Row(code, severity, number, sum(verdicts), *verdicts)
        for (severity, code), number in sorted(found.items())
        for verdicts in [[read[severity, code, verdict] for verdict in VERDICTS]]
    ]


def extent(counts: Counts) -> str:
    """What the table is about: packages, files, and files that could not be checked."""
    files = sum(count.files for count in counts.values())
    unchecked = sum(count.unchecked for count in counts.values())
    return f"{len(counts)} packages, {files} files, {unchecked} of them not checked"


def rendered(rows: Sequence[Row]) -> str:
    """The table in Markdown, with a total for each severity."""
    lines = ["| severity | rule | found | read | right | useless | wrong |", "|---|---|--:|--:|--:|--:|--:|"]
    for severity in dict.fromkeys(row.severity for row in rows):
        chosen = [row for row in rows if row.severity == severity]
        lines += [_line(row) for row in [*chosen, total(chosen)]]
    return "\n".join(lines) + "\n"


def total(rows: Sequence[Row]) -> Row:
    """The sum of the rows of one severity."""
    figures = [(row.found, row.read, row.right, row.useless, row.wrong) for row in rows]
    return Row("all", rows[0].severity, *(sum(column) for column in zip(*figures, strict=True)))


def _line(row: Row) -> str:
    cells = (row.severity, row.code, row.found, row.read, row.right, row.useless, row.wrong)
    return f"| {' | '.join(map(str, cells))} |"
