"""GitLab's code quality report: a JSON array that its merge requests show.

https://docs.gitlab.com/ci/testing/code_quality/
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TextIO

from memlint.finding import FileReport, Finding
from memlint.report.ci.places import below, top_folder
from memlint.report.layout import clean
from memlint.report.summary import RenderOptions, Summary, ordered

_SEVERITIES = {"error": "critical", "warning": "major", "advice": "minor"}


def render(reports: Sequence[FileReport], summary: Summary, out: TextIO, options: RenderOptions) -> None:
    """Write the array; a run without findings is an empty one, which takes old findings back."""
    top = top_folder()
    found = [_issue(finding, below(finding.path, top)) for finding, _ in ordered(reports)]
    json.dump(found, out, indent=2)
    out.write("\n")


def _issue(finding: Finding, path: str) -> dict[str, Any]:
    span, cell = finding.span, finding.cell
    where = "" if cell is None else f"cell {cell}, line {span.line}: "
    first, last = (span.line, span.end_line) if cell is None else (1, 1)
    return {
        "description": f"{finding.code} {where}{clean(finding.message)}",
        "check_name": finding.code,
        "fingerprint": finding.fingerprint,
        "severity": _SEVERITIES[finding.severity.value],
        "location": {"path": path, "lines": {"begin": first, "end": last}},
    }
