"""A rule with many findings in a text report: the first ones in full, the others counted, errors by place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from memlint.finding import Finding, Severity
from memlint.report.layout import clean
from memlint.report.style import Line
from memlint.units import plural

FIRST = 3
"""Findings of a rule that are shown in full where there are more than `MOST`."""

MOST = 5
"""Findings of a rule up to which all are shown in full: a report of one or two screens."""


def later(findings: Iterable[Finding]) -> dict[str, list[Finding]]:
    """The findings beyond the first few, by the code of their rule; errors come before all others."""
    by_rule: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        by_rule[finding.code].append(finding)
    most_severe = {code: sorted(rows, key=_rank) for code, rows in by_rule.items() if len(rows) > MOST}
    return {code: rows[FIRST:] for code, rows in most_severe.items()}


def lines(more: Mapping[str, Sequence[Finding]]) -> Iterator[Line]:
    """A sentence for each rule on what is not shown, and below it where the errors among them are."""
    for code, rows in sorted(more.items(), key=lambda item: (_rank(item[1][0]), item[0])):
        files = plural(len({row.path for row in rows}), "file")
        said = f"and {len(rows)} more of {code} in {files}: --full lists {'them' if len(rows) > 1 else 'it'}"
        yield [(said, rows[0].severity.value)]
        yield from ([(f"  {text}", "")] for text in _places(rows))
    if more:
        yield []


def _rank(finding: Finding) -> int:
    return tuple(Severity).index(finding.severity)


def _places(rows: Sequence[Finding]) -> list[str]:
    """`path:line, line` of the errors, a text for each file."""
    by_file: dict[str, list[str]] = defaultdict(list)
    for row in (row for row in rows if row.severity is Severity.ERROR):
        cell = "" if row.cell is None else f"cell {row.cell}:"
        by_file[row.path].append(f"{cell}{row.span.line}")
    return [f"{clean(path)}:{', '.join(dict.fromkeys(places))}" for path, places in by_file.items()]
