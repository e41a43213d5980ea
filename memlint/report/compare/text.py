"""A comparison for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memlint.report.compare.words import about_changes, headline, sentences, share
from memlint.report.layout import clean, width_of, window, wrap
from memlint.report.style import Line
from memlint.session.comparison import Comparison, Row
from memlint.units import plural, size

SHOWN = 8
"""Rows of a table, unless all are asked for."""

NUMBERS = 12
"""Columns of each number."""


def render(found: Comparison, width: int, *, full: bool) -> list[Line]:
    """The lines of the report, `width` columns wide."""
    lines: list[Line] = [[(part, "head")] for part in wrap(headline(found), width)]
    lines += [[(part, "")] for sentence in sentences(found) for part in wrap(sentence, width)]
    for title, rows in (
        ("at the peak, by line", found.lines),
        ("at the peak, by module", found.modules),
        ("at the peak, by kind", found.kinds),
        ("growth per step, by line", found.growth),
    ):
        lines += _table(title, rows, width, len(rows) if full else SHOWN)
    said = list(about_changes(found))
    lines += [[]] if said else []
    return lines + [[(part, "")] for sentence in said for part in wrap(sentence, width)]


def _table(title: str, rows: Sequence[Row], width: int, most: int) -> Iterable[Line]:
    if not rows:
        return
    room = width - 3 * NUMBERS
    heads = "".join(f"{head:>{NUMBERS}}" for head in ("before", "now", "change"))
    yield []
    yield [(f"{title:<{room}}", "head"), (heads, "dim")]
    for row in rows[:most]:
        name = clean(_named(row))
        shown = window(name, (0, 1), room - 2).text
        numbers = f"{_size(row.before):>{NUMBERS}}{_size(row.after):>{NUMBERS}}"
        blank = " " * (room - 2 - width_of(shown))
        style = "removed" if row.more > 0 else "added"
        yield [(f"  {shown}{blank}{numbers}", ""), (f"{share(row):>{NUMBERS}}", style)]
    if len(rows) > most:
        yield [(f"  and {plural(len(rows) - most, 'row')} more: --full lists them", "dim")]


def _named(row: Row) -> str:
    was = "" if row.was in ("", row.name) else f" (was {row.was.rpartition(':')[2]})"
    return f"{row.name}{was}  {row.source}".rstrip()


def _size(count: int) -> str:
    return size(count) if count else "-"
