"""The report for people: each finding with its code, its reason, its remedy and the edit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TextIO

from memlint.finding import Applicability, FileReport, Finding, Fix, Note
from memlint.report import minidiff, repeats, statistics
from memlint.report.frame import Frame, Mark, SourceText, draw, gutter, shown_lines, split
from memlint.report.layout import clean, place, width_of, wrap
from memlint.report.style import Line, paint, summary_lines
from memlint.report.summary import RenderOptions, Summary, is_fixable, ordered

CONTINUED = "  "
"""Before further lines of a headline."""


def render(reports: Sequence[FileReport], summary: Summary, out: TextIO, options: RenderOptions) -> None:
    """Write the findings, an empty line after each, and the closing sentence."""
    if options.statistics:
        statistics.render(reports, summary, out, options)
        return
    sources: dict[tuple[str, int | None], SourceText] = {}
    for report in (report for report in reports if report.findings):
        sources |= {(report.path, number): split(text) for number, text in report.cells}
        if report.text is not None:
            sources[report.path, None] = split(report.text)
    found = ordered(reports)
    more = {} if options.full else repeats.later([finding for finding, _ in found])
    left_out = {id(finding) for rows in more.values() for finding in rows}
    for finding, report in found:
        if id(finding) not in left_out:
            source = sources.get((report.path, finding.cell), SourceText())
            paint([*_finding(finding, source, options), []], out, color=options.color)
    paint(repeats.lines(more), out, color=options.color)
    if not options.quiet:
        paint(summary_lines(reports, summary, options.width), out, color=options.color)


def _finding(finding: Finding, source: SourceText, options: RenderOptions) -> Iterator[Line]:
    marks, notes = _sort_notes(finding)
    fix = finding.fix
    here = tuple(edit for edit in fix.edits if edit.cell == finding.cell) if fix else ()
    diff = minidiff.rows(source, here) if source.lines else []
    numbers = shown_lines(source.lines, marks) + [row.number for row in diff[: minidiff.MOST_LINES]]
    size = max([len(str(number)) for number in numbers], default=1)
    frame = Frame(finding.severity.value, size, options.width, options.code_width)
    yield from _headline(finding, options.width)
    yield from draw(source.lines, marks, frame)
    for kind in ("why", "note", "help"):
        for note in (note for note in notes if note.kind == kind):
            yield from _entry(kind, note.text, frame)
    yield from _remedy(finding, diff, frame)
    few = options.full or len(finding.secondary) <= repeats.MOST
    shown = finding.secondary if few else finding.secondary[: repeats.FIRST]
    for other in shown:
        yield from _entry("also", f"{place(other)}: {other.code} {clean(other.message)}", frame)
    if not few:
        left = len(finding.secondary) - len(shown)
        yield from _entry("also", f"{left} more places: --full lists them", frame)
    if finding.url or finding.pack:
        yield from _entry("docs", f"memlint rule {finding.code}", frame)


def _headline(finding: Finding, width: int) -> Iterator[Line]:
    """Place, severity, code and message, which goes on below where it is too long for one line."""
    style, mark = finding.severity.value, "  [*]" if is_fixable(finding) else ""
    said = f"{style}[{finding.code}]"
    head = width_of(f"{place(finding)}: {said} ")
    first, *rest = wrap(finding.message, width - len(mark) - len(CONTINUED), head - len(CONTINUED))
    lines: list[Line] = [[(place(finding), "head"), (": ", ""), (said, style), (f" {first}", "head")]]
    lines += [[(CONTINUED, ""), (text, "head")] for text in rest]
    lines[-1].append((mark, "fixable"))
    yield from lines


def _sort_notes(finding: Finding) -> tuple[list[Mark], list[Note]]:
    """What goes under the code, the primary mark first, and what goes below the frame.

    A reason that speaks of the primary place stays below the frame: under the caret stands its label.
    """
    own: list[str] = []
    others: list[Mark] = []
    below: list[Note] = []
    for note in finding.notes:
        span = note.span or finding.span
        if note.span is not None and note.cell != finding.cell:
            below.append(Note("note", f"{note.text} (cell {note.cell}, line {span.line})"))
        elif note.kind in ("label", "why") and span != finding.span:
            others.append(Mark(span, note.text))
        elif note.kind == "label":
            own.append(note.text)
        else:
            below.append(note)
    primary = Mark(finding.span, "; ".join(own), primary=True)
    return [primary, *sorted(others, key=lambda mark: mark.span)], below


def _remedy(finding: Finding, diff: Sequence[minidiff.Row], frame: Frame) -> Iterator[Line]:
    fix = finding.fix
    if fix is not None:
        if not any(note.kind == "help" for note in finding.notes):
            yield from _entry("help", fix.title, frame)
        if diff:
            yield gutter("", frame.gutter)
            yield from minidiff.draw(diff, frame)
            yield gutter("", frame.gutter)
        for edit in (edit for edit in fix.edits if edit.cell != finding.cell):
            yield from _entry("and", f"in cell {edit.cell}: `{edit.text.strip()}`", frame)
        if fix.applicability is Applicability.UNSAFE:
            yield from _entry("unsafe fix", fix.caution or "applied by --unsafe-fixes only", frame)
        elif fix.applicability is Applicability.DISPLAY:
            yield from _entry("suggestion", fix.caution or "shown only, --fix leaves it to you", frame)
    for other in finding.alternatives:
        yield from _entry("or", _alternative(other), frame)


def _alternative(fix: Fix) -> str:
    if fix.applicability is not Applicability.UNSAFE:
        return fix.title
    return f"{fix.title} (unsafe: {fix.caution})" if fix.caution else f"{fix.title} (unsafe)"


def _entry(name: str, text: str, frame: Frame) -> Iterator[Line]:
    """`= name: text`, wrapped, its further lines under the text."""
    indent = frame.gutter + 1
    first, *rest = wrap(text, frame.width - indent - len(f"= {name}: "))
    head = f"= {name}:"
    yield [(" " * indent, ""), (head, "gutter"), (f" {first}", "")]
    for line in rest:
        yield [(" " * (indent + width_of(head) + 1) + line, "")]
