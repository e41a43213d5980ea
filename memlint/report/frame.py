"""The code frame: source lines with a gutter, and marks with labels under them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from memlint.finding import Span
from memlint.records import dataclass
from memlint.report.layout import ELLIPSIS, Cells, Window, cells, width_of, window, wrap
from memlint.report.style import Line
from memlint.source.text import line_starts

CONTEXT = 2
MOST_LINES_OF_A_SPAN = 6
NARROWEST_LABEL = 30


@dataclass(frozen=True, slots=True)
class SourceText:
    """A file's text with the offset of every line, and of its end, and the lines without their ends."""

    text: str = ""
    starts: tuple[int, ...] = ()
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in the source to underline: `^^^^` for the primary one, `----` for those that explain it."""

    span: Span
    label: str = ""
    primary: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """What the lines of one frame share: the style of the primary mark, gutter and line widths.

    `gutter` is the number of digits; `width` and `code_width` count the gutter, as in RenderOptions.
    """

    style: str
    gutter: int
    width: int
    code_width: int

    @property
    def room(self) -> int:
        """Columns for a code line beside the gutter."""
        return self.code_width - self.gutter - len(" | ")


def split(text: str) -> SourceText:
    """Split `text` where Python splits it; a line without an end follows the last line end."""
    starts = (*line_starts(text), len(text))
    return SourceText(text, starts, tuple(text[a:b].rstrip("\r\n") for a, b in pairwise(starts)))


def shown_lines(lines: Sequence[str], marks: Sequence[Mark]) -> list[int]:
    """Numbers of the lines to show: the marked ones, and around the primary mark its context.

    A gap of one line is filled, since the dots would take that line too.
    """
    wanted = {mark.span.line for mark in marks}
    for mark in marks:
        if mark.primary:
            last = mark.span.end_line - (mark.span.end_column == 1 and mark.span.end_line > mark.span.line)
            long = last - mark.span.line >= MOST_LINES_OF_A_SPAN
            below = CONTEXT if long else max(last - mark.span.line, CONTEXT)
            wanted |= _context(lines, mark.span.line - CONTEXT, mark.span.line, mark.span.line + below)
    wanted |= {number + 1 for number in wanted if number + 2 in wanted}
    return sorted(number for number in wanted if 1 <= number <= len(lines))


def draw(lines: Sequence[str], marks: Sequence[Mark], frame: Frame) -> list[Line]:
    """The frame between two empty gutter lines; nothing where the marks lie outside of the text."""
    numbers = shown_lines(lines, marks)
    out: list[Line] = []
    for previous, number in pairwise([0, *numbers]):
        if previous and number > previous + 1:
            out.append([(ELLIPSIS, "gutter")])
        here = [mark for mark in marks if mark.span.line == number]
        out += _code_line(lines[number - 1], number, here, frame)
    edge: Line = gutter("", frame.gutter)
    return [edge, *out, edge] if out else []


def gutter(number: str, size: int, sign: str = "|") -> Line:
    """The left edge of a line: its number, right-aligned, and a bar."""
    return [(f"{number:>{size}} {sign} ", "gutter")]


def _context(lines: Sequence[str], first: int, at: int, last: int) -> set[int]:
    """Lines first to last, without the blank ones at either end."""
    first, last = max(first, 1), min(last, len(lines))
    while first < min(at, last) and not lines[first - 1].strip():
        first += 1
    while last > at and not lines[last - 1].strip():
        last -= 1
    return set(range(first, last + 1))


def _code_line(line: str, number: int, marks: Sequence[Mark], frame: Frame) -> list[Line]:
    grid = cells(line.rstrip())
    view = window(grid.text, _focus(grid, marks, frame.room), frame.room)
    out: list[Line] = [[*gutter(str(number), frame.gutter), (view.text, "")]]
    for row in _rows(marks, grid):
        out += _mark_row(row, grid, view, frame)
    return out


def _extent(mark: Mark, grid: Cells) -> tuple[int, int]:
    """Display columns of the mark on its first line, at least one column wide."""
    begin = grid.column(mark.span.column)
    end = grid.columns[-1] if mark.span.end_line > mark.span.line else grid.column(mark.span.end_column)
    return begin, max(end, begin + 1)


def _focus(grid: Cells, marks: Sequence[Mark], limit: int) -> tuple[int, int]:
    """All marks where they fit into one window, else the primary one (it comes first)."""
    extents = [_extent(mark, grid) for mark in marks] or [(0, 0)]
    begin, end = min(a for a, _ in extents), max(b for _, b in extents)
    return (begin, end) if end - begin < limit // 2 else extents[0]


def _rows(marks: Sequence[Mark], grid: Cells) -> list[list[Mark]]:
    """Marks that can share a row: side by side, and only the rightmost has a label."""
    rows: list[list[Mark]] = []
    for mark in marks:
        begin, _ = _extent(mark, grid)
        if rows and all(_extent(other, grid)[1] < begin and not other.label for other in rows[-1]):
            rows[-1].append(mark)
        else:
            rows.append([mark])
    return rows


def _mark_row(row: Sequence[Mark], grid: Cells, view: Window, frame: Frame) -> list[Line]:
    line = gutter("", frame.gutter)
    at = 0
    for mark in row:
        begin, end = (view.place(column) for column in _extent(mark, grid))
        begin = min(begin, max(end - 1, 0))
        sign, style = ("^", frame.style) if mark.primary else ("-", "secondary")
        line += [(" " * (begin - at), ""), (sign * max(end - begin, 1), style)]
        at = max(end, begin + 1)
    label, style = row[-1].label, frame.style if row[-1].primary else "secondary"
    if not label:
        return [line]
    room = frame.width - width_of(line[0][0])
    beside = wrap(label, max(room - at - 1, NARROWEST_LABEL))
    if at + 1 + max(map(width_of, beside)) <= room:
        line.append((f" {beside[0]}", style))
        return [line, *(_below(text, at + 1, style, frame) for text in beside[1:])]
    indent = max(0, min(begin, room - 2 * NARROWEST_LABEL))
    return [line, *(_below(text, indent, style, frame) for text in wrap(label, room - indent))]


def _below(text: str, indent: int, style: str, frame: Frame) -> Line:
    return [*gutter("", frame.gutter), (" " * indent + text, style)]
