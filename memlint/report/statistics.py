"""Counts per rule, the most frequent first: an overview of a tree that is checked for the first time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TextIO

from memlint.finding import FileReport
from memlint.report.style import Line, paint, summary_lines
from memlint.report.summary import RenderOptions, Summary, is_fixable, ordered


def render(reports: Sequence[FileReport], summary: Summary, out: TextIO, options: RenderOptions) -> None:
    """Write the table and the closing sentence. No table where there is no finding."""
    findings = [finding for finding, _ in ordered(reports)]
    counts = Counter((finding.code, finding.name) for finding in findings)
    fixable = Counter(finding.code for finding in findings if is_fixable(finding))
    lines: list[Line] = []
    if findings:
        lines.append([("count  fixable  rule", "head")])
    for (code, name), count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        lines.append([(f"{count:5}  {fixable[code]:7}  ", ""), (code, "head"), (f" {name}", "")])
    if not options.quiet:
        lines += [[]] if findings else []
        lines += summary_lines(reports, summary, options.width)
    paint(lines, out, color=options.color)
