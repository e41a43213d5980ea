"""Annotations of a GitHub workflow: one command on a line for each finding.

https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from memlint.finding import FileReport, Finding
from memlint.report.ci.places import below, top_folder
from memlint.report.layout import clean, place
from memlint.report.summary import RenderOptions, Summary, ordered

_COMMANDS = {"error": "error", "warning": "warning", "advice": "notice"}


def render(reports: Sequence[FileReport], summary: Summary, out: TextIO, options: RenderOptions) -> None:
    """Write the commands, and nothing for a run without findings."""
    top = top_folder()
    for finding, _ in ordered(reports):
        file = below(finding.path, top)
        properties = {"title": f"memlint ({finding.code})", "file": file, **_range(finding)}
        told = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
        # The log of the run shows the text alone: so it names its place too.
        text = f"{place(finding)}: {finding.code} {clean(finding.message)}"
        out.write(f"::{_COMMANDS[finding.severity.value]} {told}::{_data(text)}\n")


def _range(finding: Finding) -> dict[str, int]:
    """Lines and columns in the file; none for a notebook, whose cells have lines of their own."""
    if finding.cell is not None:
        return {}
    span = finding.span
    return {"line": span.line, "col": span.column, "endLine": span.end_line, "endColumn": span.end_column}


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(clean(text)).replace(":", "%3A").replace(",", "%2C")
