"""A comparison as a comment on a merge request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memlint.report.ci.markdown import escaped, in_code
from memlint.report.compare.words import about_changes, headline, sentences, share
from memlint.session.comparison import Comparison, Row
from memlint.units import size

MOST = 40
"""Rows of a table: comments may have 65,536 characters on GitHub."""


def render(found: Comparison) -> str:
    """The comment: the headline, what else is to be said, and the tables below it, folded."""
    said = [*sentences(found), *about_changes(found)]
    lines = [f"### memlint: {escaped(headline(found))}", "", *(f"- {escaped(sentence)}" for sentence in said)]
    for title, rows in (
        ("At the peak, by line", found.lines),
        ("At the peak, by module", found.modules),
        ("At the peak, by kind", found.kinds),
        ("Growth per step, by line", found.growth),
    ):
        lines += _table(title, rows)
    return "\n".join(lines).rstrip() + "\n"


def _table(title: str, rows: Sequence[Row]) -> Iterable[str]:
    if not rows:
        return
    yield from ("", f"<details><summary>{title}</summary>", "")
    yield from ("| | before | now | change |", "|---|--:|--:|--:|")
    for row in rows[:MOST]:
        source = f" `{in_code(row.source).replace('`', chr(39))}`" if row.source else ""
        name = f"`{in_code(row.name).replace('`', chr(39))}`{source}"
        yield f"| {name} | {size(row.before)} | {size(row.after)} | {share(row)} |"
    if len(rows) > MOST:
        yield f"| and {len(rows) - MOST} more | | | |"
    yield from ("", "</details>")
