"""One line per finding, clickable in terminals and editors: `path:line:col: severity: CODE [*] message`.

The severity stands where compilers and mypy have it, so that the error formats of editors read it too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from memlint.finding import FileReport
from memlint.report import statistics
from memlint.report.layout import clean, place
from memlint.report.summary import RenderOptions, Summary, is_fixable, ordered


def render(reports: Sequence[FileReport], summary: Summary, out: TextIO, options: RenderOptions) -> None:
    """Write the lines, and nothing else, so that other programs can read them."""
    if options.statistics:
        statistics.render(reports, summary, out, options)
        return
    for finding, _ in ordered(reports):
        mark = "[*] " if is_fixable(finding) else ""
        said = f"{finding.severity.value}: {finding.code} {mark}{clean(finding.message)}"
        out.write(f"{place(finding)}: {said}\n")
