"""What a fix would change, as a few `-` and `+` lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from memlint.finding import Edit, Span
from memlint.records import dataclass
from memlint.report.frame import Frame, SourceText, split
from memlint.report.layout import ELLIPSIS, aligned, cells
from memlint.report.style import Line
from memlint.source.text import apply_edits
from memlint.units import plural

MOST_LINES = 12


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the diff: `number` counts in the old text for "-", in the new one for "+".

    The sign "~" stands for `count` lines that only change their indentation. Of two rows that replace one
    another, `other` is the text of the other one, and `focus` the characters that differ, in both of them.
    """

    sign: str
    number: int
    text: str
    focus: tuple[int, int] = (0, 0)
    count: int = 0
    other: str = ""


def rows(source: SourceText, edits: Sequence[Edit]) -> list[Row]:
    """The lines that the edits change, in the order of the file.

    Raises:
        ValueError: two edits overlap.
    """
    out: list[Row] = []
    shift = 0
    for group in _groups(edits):
        first = group[0].span.line
        last = min(max(edit.span.end_line for edit in group), len(source.lines))
        old = source.text[source.starts[first - 1] : source.starts[last]]
        new = apply_edits(old, [replace(edit, span=_rebased(edit.span, first)) for edit in group])
        before, after = _content(old), _content(new)
        out += compare(before, after, first, first + shift)
        shift += len(after) - len(before)
    return out


def compare(old: Sequence[str], new: Sequence[str], old_first: int = 1, new_first: int = 1) -> Iterator[Row]:
    """Compare without indentation, so that wrapping a loop in `with` shows the header, not the loop."""
    matcher = SequenceMatcher(None, [line.strip() for line in old], [line.strip() for line in new], False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            moved = sum(x != y for x, y in zip(old[a:b], new[c:d], strict=True))
            if moved:
                yield Row("~", old_first + a, "", count=moved)
            continue
        yield from _replaced("-", old[a:b], new[c:d], old_first + a)
        yield from _replaced("+", new[c:d], old[a:b], new_first + c)


def _replaced(sign: str, lines: Sequence[str], others: Sequence[str], first: int) -> Iterator[Row]:
    for at, text in enumerate(lines):
        other = others[at] if at < len(others) else ""
        yield Row(sign, first + at, text, _changed(text, other), other=other)


def draw(diff: Sequence[Row], frame: Frame) -> list[Line]:
    """The rows in the gutter of the code frame, at most `MOST_LINES` of them."""
    kept = diff if len(diff) <= MOST_LINES else diff[: MOST_LINES - 1]
    out = [_draw_row(row, frame) for row in kept]
    if len(kept) < len(diff):
        rest = plural(len(diff) - len(kept), "more line")
        out.append([(" " * (frame.gutter + 3) + f"{ELLIPSIS} {rest}", "dim")])
    return out


def _draw_row(row: Row, frame: Frame) -> Line:
    if row.sign == "~":
        note = f"{ELLIPSIS} {plural(row.count, 'line')} re-indented"
        return [(" " * (frame.gutter + 3) + note, "dim")]
    here, there = cells(row.text), cells(row.other)
    begin, end = (here.column(at + 1) for at in row.focus)
    style = "removed" if row.sign == "-" else "added"
    shown = aligned([here.text, there.text], (begin, end), frame.room)[0]
    return [(f"{row.number:>{frame.gutter}} ", "gutter"), (f"{row.sign} {shown}", style)]


def _groups(edits: Sequence[Edit]) -> list[list[Edit]]:
    """Edits by the lines they touch: those that share a line belong together."""
    groups: list[list[Edit]] = []
    last = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        if groups and edit.span.line <= last:
            groups[-1].append(edit)
        else:
            groups.append([edit])
        last = max(last, edit.span.end_line)
    return groups


def _rebased(span: Span, first: int) -> Span:
    return replace(span, line=span.line - first + 1, end_line=span.end_line - first + 1)


def _changed(text: str, other: str) -> tuple[int, int]:
    """Where two lines differ: the first character that does, and the end of the longer difference."""
    if not other:
        return 0, 0
    first = _alike(text, other)
    return first, max(len(text), len(other)) - _alike(text[first:][::-1], other[first:][::-1])


def _alike(one: str, other: str) -> int:
    """How many characters two texts have in common from their beginning on."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _content(block: str) -> Sequence[str]:
    """Lines of a block; the empty string after its last line end is not one of them."""
    lines = split(block).lines
    return lines[:-1] if lines[-1] == "" else lines
