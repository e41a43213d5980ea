"""Text on a grid of terminal columns: widths, tabs, wrapping, and cutting a window out of a long line."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from memlint.finding import Finding
from memlint.plain import clean as clean
from memlint.plain import is_plain, visible
from memlint.records import dataclass

TAB = 4
ELLIPSIS = "..."


@dataclass(frozen=True, slots=True)
class Cells:
    """A source line as it is displayed.

    `columns[i]` is the display column (from 0) of code point i; the last entry is the column after the
    line, so that an empty span at the end of a line has a place too.
    """

    text: str
    columns: tuple[int, ...]

    def column(self, source_column: int) -> int:
        """Display column of a 1-based source column; beyond the end of the line it is the end."""
        return self.columns[min(source_column - 1, len(self.columns) - 1)]


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a displayed line that fits: `text` shows it, its first column was `start`."""

    text: str
    start: int
    end: int

    def place(self, column: int) -> int:
        """Where a display column of the whole line stands in `text`; outside, the nearest edge."""
        lead = len(ELLIPSIS) if self.start else 0
        return min(max(column, self.start), self.end) - self.start + lead


def place(finding: Finding) -> str:
    """`path:line:col` of a finding, with the cell where it is in a notebook."""
    cell = "" if finding.cell is None else f"cell {finding.cell}:"
    return f"{clean(finding.path)}:{cell}{finding.span.line}:{finding.span.column}"


def short_path(path: str, room: int) -> str:
    """The last folders of a path that fit into `room` columns, the file at least: `.../engine/train.py`."""
    shown = clean(path)
    while width_of(shown) > room and (rest := shown.removeprefix(".../").partition("/")[2]):
        shown = f".../{rest}"
    return shown


def width_of(text: str) -> int:
    """Terminal columns that `text` takes: wide East Asian characters two, combining marks none."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def cells(line: str) -> Cells:
    """Expand the tabs of a source line and note where each of its characters is displayed."""
    if is_plain(line):
        return Cells(line, tuple(range(len(line) + 1)))
    shown: list[str] = []
    columns = [0]
    for char in line:
        drawn = " " * (TAB - columns[-1] % TAB) if char == "\t" else visible(char)
        shown.append(drawn)
        columns.append(columns[-1] + width_of(drawn))
    return Cells("".join(shown), tuple(columns))


def window(text: str, focus: tuple[int, int], limit: int) -> Window:
    """Cut `text` to `limit` columns so that the display columns `focus` (start, end) are inside.

    A focus wider than the limit is shown from its start, with what is left of it where there is room.
    """
    total = width_of(text)
    if total <= limit:
        return Window(text, 0, total)
    room = limit - 2 * len(ELLIPSIS)
    begin, end = focus
    centred = begin - max(0, (room - (end - begin)) // 2)
    from_start = begin < room // 2 if end - begin > room else end <= limit - len(ELLIPSIS)
    first = 0 if from_start else centred
    last = min(total, first + (room if first else limit - len(ELLIPSIS)))
    first = max(0, last - limit + len(ELLIPSIS)) if last == total else first
    before, after = ELLIPSIS if first else "", ELLIPSIS if last < total else ""
    return Window(before + _slice(text, first, last) + after, first, last)


def aligned(texts: Sequence[str], focus: tuple[int, int], limit: int) -> list[str]:
    """Lines that are read below one another, cut as `window` does and all from the same column on."""
    first = window(max(texts, key=width_of), focus, limit).start
    if not first:
        return [window(text, focus, limit).text for text in texts]
    shown = []
    for text in texts:
        total, most = width_of(text), limit - len(ELLIPSIS)
        cut = total - first > most
        last = first + most - len(ELLIPSIS) if cut else total
        shown.append(ELLIPSIS + _slice(text, first, last) + (ELLIPSIS if cut else ""))
    return shown


def wrap(text: str, width: int, taken: int = 0) -> list[str]:
    """Words of `text` on lines of at most `width` columns; a longer word has a line of its own.

    Code between backticks is not torn apart where it fits on one line, nor a number from its unit. Of the
    first line, `taken` columns are in use: it is empty where no word fits behind them.
    """
    lines: list[list[str]] = [[]]
    begun = taken
    for word in re.findall(r"(?:`[^`]*`|(?<=\d) (?=(?:%|[KMGT]?i?B\b))|\S)+", clean(text)):
        pieces = [word] if width_of(word) <= width else word.split()
        for piece in pieces:
            size = width_of(piece)
            if (lines[-1] and taken + 1 + size > width) or (begun and not lines[-1] and taken + size > width):
                lines.append([])
                begun = taken = 0
            taken += 1 + size if lines[-1] else size
            lines[-1].append(piece)
    return [" ".join(line) for line in lines]


def pack(items: Iterable[str], width: int) -> list[str]:
    """A list with commas on lines of at most `width` columns; none of its items is torn apart."""
    lines: list[str] = []
    for item in items:
        if lines and width_of(lines[-1]) + 2 + width_of(item) < width:
            lines[-1] += f", {item}"
        else:
            lines.append(item)
    return [*(f"{line}," for line in lines[:-1]), *lines[-1:]]


def _slice(text: str, first: int, last: int) -> str:
    """The characters displayed in columns first to last; half a wide character becomes a blank."""
    picked: list[str] = []
    at = 0
    for char in text:
        size = _columns(char)
        if first <= at and at + size <= last:
            picked.append(char)
        elif at < last and at + size > first:
            picked.append(" " * (min(at + size, last) - max(at, first)))
        at += size
    return "".join(picked)


def _columns(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
