"""A source file with what its lines cost in the margin: for the terminal, and as a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from itertools import pairwise
from typing import TextIO

from memlint.report.layout import cells, clean, window
from memlint.report.session.by_line import Cost, costs
from memlint.report.style import Line, paint
from memlint.report.summary import RenderOptions
from memlint.session import Session
from memlint.source.text import line_starts
from memlint.units import size

_MARGIN = 11
"""Columns of each of the two figures: "1023.9 MiB" is the longest."""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_HOT = 0.1
"""Share of the peak from which on a line stands out."""


@dataclass(frozen=True, slots=True)
class Annotated:
    """One line of a file, what it costs, and whether it still is what it was when that was measured."""

    text: str
    cost: Cost
    is_current: bool = True


def annotated(session: Session, name: str, text: str) -> list[Annotated] | None:
    """The lines of a file that the session calls `name`; None where it has measured nothing in it."""
    found = {line: cost for (file, line), cost in costs(session).items() if file == name}
    if not found:
        return None
    starts = [*line_starts(text), len(text)]
    lines = [text[a:b].rstrip("\r\n") for a, b in pairwise(starts) if b > a]
    known = session.sources.get(name, {})
    rows = []
    for number, line in enumerate(lines, 1):
        cost = found.get(number, Cost())
        # Without source lines in the session (--no-source) nothing can be compared.
        stale = str(number) in known and known[str(number)].rstrip() != line.rstrip()
        rows.append(Annotated(line, cost, not (stale and cost.in_words)))
    return rows


def render(
    session: Session, path: str, rows: Sequence[Annotated], out: TextIO, options: RenderOptions
) -> None:
    """Write a heading, then every line behind its bytes at the peak and its bytes per step."""
    room = max(20, options.code_width - 2 * _MARGIN - 8)
    lines: list[Line] = [
        [(f"{clean(path)}: {_headline(session)}", "head")],
        [(f"{'at peak':>{_MARGIN}}{'per step':>{_MARGIN}}", "dim")],
    ]
    for number, row in enumerate(rows, 1):
        hot = row.cost.peak >= _HOT * max(session.original.peak.bytes, 1)
        shown = cells(row.text).text
        lines.append(
            [
                (f"{_figure(row.cost.peak):>{_MARGIN}}", "error" if hot else ""),
                (f"{_figure(row.cost.per_step):>{_MARGIN}}", "warning"),
                (f"{number:>6} ", "gutter"),
                (window(shown, (0, 0), room).text, "" if row.is_current else "dim"),
            ]
        )
    lines += [[(text, "warning")] for text in _stale(rows)]
    paint(lines, out, color=options.color)


def render_html(session: Session, path: str, rows: Sequence[Annotated]) -> str:
    """The same as a page of its own, without network."""
    style = (files("memlint.report") / "assets" / "session.css").read_text(encoding="utf-8")
    most = max(session.original.peak.bytes, 1)
    body = ""
    for number, row in enumerate(rows, 1):
        heat = 100 * row.cost.peak / most
        much = f'<em style="--heat:{heat:.1f}%">{_figure(row.cost.peak):>{_MARGIN}}</em>'
        grown = f"<em>{_figure(row.cost.per_step):>{_MARGIN}}</em>"
        body += f'<span id="L{number}">{much}{grown}<b>{number:>5}</b> {escape(row.text)}</span>\n'
    title = escape(f"{path}: {_headline(session)}")
    notes = "".join(f"<p>{escape(text)}</p>" for text in _stale(rows))
    legend = "<p>bytes at the peak of what each line made, and bytes that it leaves behind per step</p>"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>{title}</title><style>{style}</style></head>\n"
        f"<body><main><h1>{title}</h1>{legend}{notes}<pre>{body}</pre></main></body></html>\n"
    )


def _headline(session: Session) -> str:
    first = session.original
    return f"peak {size(first.peak.bytes)} on {clean(first.device)}, measured {clean(session.started)}"


def _figure(count: int) -> str:
    return size(count) if count else ""


def _stale(rows: Sequence[Annotated]) -> list[str]:
    """What is to be said of lines that have changed since: their figures belong to what was there."""
    changed = [str(number) for number, row in enumerate(rows, 1) if not row.is_current]
    if not changed:
        return []
    these = f"lines {', '.join(changed)} have" if len(changed) > 1 else f"line {changed[0]} has"
    return [f"{these} changed since the replay: the bytes are those of what was there"]
