"""The lines that move with a statement: its own, and the comments that speak of it."""

from __future__ import annotations

import re
from dataclasses import replace

import libcst as cst

from memlint.edit.places import Gap, Page, Place, RefusedError

_HEADING = re.compile(r"#(\s*(%%|In\[|region\b|endregion\b|fmt:|isort:|yapf:|pylint:|ruff:)|!|\W*$)")
"""Comments that divide a file, or speak to a tool about all that follows: they stay where they are."""


def moved_lines(page: Page, place: Place, *, led: bool) -> tuple[int, list[str]]:
    """The offset where the lines of a statement begin, and the lines without the indentation of its block.

    The comment lines right above come along where another statement does not follow below the same
    comment, or always if `led`.

    Raises:
        RefusedError: the statement shares its line with others, or a string goes over several lines.
    """
    statement = place.siblings[place.index]
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) > 1:
        raise RefusedError("the statement shares its line with others")
    begin = place.first
    if led or not _goes_on(page, place.last, place.indent):
        begin = _below_heading(page, place)
    first, last = page.layout.line(begin), page.layout.line(place.last - 1)
    if any(page.layout.starts[number] in page.frozen for number in range(first, last + 1)):
        raise RefusedError("a string of the statement goes over several lines")
    lines = page.text[begin : place.last].splitlines()
    return begin, [line.removeprefix(place.indent).rstrip() for line in lines]


def gap_above(page: Page, place: Place) -> Gap:
    """The gap before a statement, above the comments right over it: they speak of what stands below them."""
    if place.before.cuts or place.opening is not None:
        return place.before
    begin = _below_heading(page, place)
    return replace(place.before, begin=begin, end=begin)


def _below_heading(page: Page, place: Place) -> int:
    """The offset where the comment lines right above a statement begin.

    Comments that begin the file speak of the file: they hold its licence or its encoding.
    """
    begin, speaks = place.first, True
    top = begin
    while top > 0:
        above = page.layout.line_start(top - 1)
        line = page.text[above:top]
        if not line.startswith(f"{place.indent}#"):
            return begin
        speaks = speaks and not _HEADING.match(line.strip())
        top = above
        begin = top if speaks else begin
    return place.first


def _goes_on(page: Page, offset: int, indent: str) -> bool:
    """Whether another statement of the same block follows without an empty line between."""
    line = page.text[offset : page.layout.next_line(offset)] if offset < len(page.text) else ""
    rest = line.removeprefix(indent)
    return bool(line.strip()) and line.startswith(indent) and rest[:1] not in " \t#"
