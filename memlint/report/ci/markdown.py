"""A comment on a merge request: what was found in a table, what costs most first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TextIO

from memlint.finding import FileReport, Finding, Severity
from memlint.report.ci.places import below, top_folder
from memlint.report.layout import clean
from memlint.report.summary import RenderOptions, Summary, describe, is_fixable, ordered
from memlint.units import plural

MOST = 100
"""Rows of the table: comments may have 65,536 characters on GitHub."""

_ORDER = list(Severity)


def render(reports: Sequence[FileReport], summary: Summary, out: TextIO, options: RenderOptions) -> None:
    """Write a heading, the table, and the closing sentences."""
    top = top_folder()
    found = sorted((finding for finding, _ in ordered(reports)), key=lambda f: _ORDER.index(f.severity))
    lines = [f"### memlint: {plural(len(found), 'finding')}" if found else "### memlint: no findings", ""]
    if found:
        lines += ["| severity | place | finding | fix |", "|---|---|---|---|"]
        lines += [_row(finding, below(finding.path, top)) for finding in found[:MOST]]
        lines += ["", *([f"And {len(found) - MOST} more.", ""] if len(found) > MOST else [])]
    lines += [escaped(sentence) for sentence in describe(reports, summary)]
    out.write("\n".join(lines) + "\n")


def _row(finding: Finding, path: str) -> str:
    cell = "" if finding.cell is None else f":cell {finding.cell}"
    name = in_code(path).replace("`", "'")
    where = f"`{name}{cell}:{finding.span.line}`"
    if is_fixable(finding):
        fix = "`--fix`"
    else:
        fix = "`--fix --unsafe-fixes`" if finding.fix and finding.fix.applicability.value == "unsafe" else ""
    return f"| {finding.severity.value} | {where} | {finding.code}: {escaped(finding.message)} | {fix} |"


def escaped(text: str) -> str:
    """A sentence in which only its code spans mean more than their characters."""
    parts = re.split(r"(`[^`]*`)", clean(text))
    return "".join(
        in_code(part) if number % 2 else re.sub(r"([\\*_<>|#\[\]`@])", r"\\\1", part)
        for number, part in enumerate(parts)
    )


def in_code(text: str) -> str:
    """Within a table a bar must be escaped even in code."""
    return clean(text).replace("|", "\\|")
