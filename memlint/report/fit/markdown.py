"""`memlint fit` as Markdown: a comment on a merge request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TextIO

from memlint.report.fit.text import NAMES, verdict
from memlint.report.fit.words import (
    about_remedies,
    about_together,
    best,
    details,
    facts,
    figures,
    gib,
    headline,
    known_as,
    of_remedy,
    tried,
    written_alone,
)
from memlint.report.layout import clean
from memlint.report.summary import RenderOptions
from memlint.session import Remedy, Session
from memlint.units import size


def render(session: Session, out: TextIO, options: RenderOptions) -> None:
    """Write the comment."""
    fit = session.fit
    assert fit is not None
    command = " ".join((session.script, *session.arguments))
    out.write(f"### `{_code(command)}`: {_text(headline(session)[1])}\n\n")
    out.writelines(f"- {_text(fact)}\n" for fact in facts(session))
    if fit.search is not None:
        out.write(f"- {_text(best(fit.search))}\n")
    if len(fit.cards) > 1:
        cards = [
            (row.card or row.title, gib(row.total), *figures(row), verdict(row, fit.growing))
            for row in fit.cards
        ]
        _table(out, ("card", "has (GiB)", "needs (GiB)", "free (GiB)", "verdict"), cards)
    if fit.terms:
        counted = [term for term in fit.terms if term.basis != "unknown"]
        amounts = [(size(term.least), size(term.most)) for term in counted]
        rows = [
            (term.name, low if low == high else f"{low} to {high}", term.basis, term.what)
            for term, (low, high) in zip(counted, amounts, strict=True)
        ]
        _table(out, ("part", "size", "known", "what"), rows)
    kinds = session.original.kinds
    parts = [(name, size(kinds[kind])) for kind, name in NAMES.items() if kinds.get(kind)]
    if parts and fit.terms:
        _table(out, ("tensors at the peak", "size"), parts)
    if fit.search is not None:
        trials = [
            (f"{row.value:,}", gib(row.needs), row.problem or tried(row, fit.first))
            for row in fit.search.trials
        ]
        _table(out, (fit.search.name, "needs (GiB)", "verdict"), trials)
    if title := about_remedies(fit):
        out.write(f"\n{_text(title)}\n")
        changes = [
            (size(row.saved) if row.saved else "nothing alone", of_remedy(row), *_details(row))
            for row in fit.remedies or ()
        ]
        if changes:
            _table(out, ("saves", "change", "price", "how to write it"), changes)
    if fit.together is not None:
        _diff(out, about_together(fit), fit.together.diff)
    for row in written_alone(fit):
        _diff(out, known_as(row, fit.remedies or ()), row.diff)


def _diff(out: TextIO, title: str, diff: str) -> None:
    fence = "`" * 3
    while fence in diff:
        fence += "`"
    shown = "\n".join(map(clean, diff.rstrip().splitlines()))
    out.write(f"\n{_text(title)}\n\n{fence}diff\n{shown}\n{fence}\n")


def _details(row: Remedy) -> tuple[str, str]:
    found = dict(details(row))
    return found.get("price", ""), found.get("write", "the diff" if row.applicability else "")


def _table(out: TextIO, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    out.write(f"\n| {' | '.join(_text(head) for head in heads)} |\n|{'---|' * len(heads)}\n")
    out.writelines(f"| {' | '.join(_text(cell) for cell in row)} |\n" for row in rows)


def _text(text: str) -> str:
    """A text in which Markdown finds nothing of its own."""
    said = clean(text)
    for mark in "\\`*_[]<>|":
        said = said.replace(mark, f"\\{mark}")
    return said


def _code(text: str) -> str:
    return clean(text).replace("`", "'")
