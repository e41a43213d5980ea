"""Styled text as plain data, and the one place that turns it into terminal codes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TextIO

from memlint.finding import FileReport
from memlint.report.summary import Summary, describe

Line = list[tuple[str, str]]
"""One output line: pieces of text, each with the name of a style in `STYLES` or ""."""

STYLES = {
    "error": "bold red",
    "warning": "bold yellow",
    "advice": "bold cyan",
    "head": "bold",
    "gutter": "bright_blue",
    "secondary": "bright_blue",
    "fixable": "bold green",
    "removed": "red",
    "added": "green",
    "hunk": "cyan",
    "dim": "dim",
}


def paint(lines: Iterable[Line], out: TextIO, *, color: bool) -> None:
    """Write the lines; trailing blanks are left out, so that golden files and logs stay clean."""
    style = colored if color else _plain
    for line in lines:
        out.write("".join(style(text, name) for text, name in _trimmed(line)) + "\n")


def summary_lines(reports: Sequence[FileReport], summary: Summary, width: int) -> list[Line]:
    """The closing sentences on one line, or on one each where they do not fit."""
    sentences = describe(reports, summary)
    if len(" ".join(sentences)) <= width:
        sentences = [" ".join(sentences)]
    worst = "error" if summary.errors else "warning" if summary.warnings else "advice"
    passed = sentences[0].startswith("All")
    first = worst if summary.findings else "fixable" if passed else "head"
    return [[(sentence, first if number == 0 else "head")] for number, sentence in enumerate(sentences)]


def _trimmed(line: Line) -> Line:
    pieces = list(line)
    while pieces and not pieces[-1][0].strip():
        pieces.pop()
    if pieces:
        pieces[-1] = (pieces[-1][0].rstrip(), pieces[-1][1])
    return pieces


def _plain(text: str, name: str) -> str:
    return text


def colored(text: str, name: str) -> str:
    """`text` between the codes of a style of `STYLES`; as it is for ""."""
    if not name or not text:
        return text
    # rich costs some 30 ms at start, which a run without colour does not pay.
    from rich.color import ColorSystem
    from rich.style import Style

    return Style.parse(STYLES[name]).render(text, color_system=ColorSystem.STANDARD)
