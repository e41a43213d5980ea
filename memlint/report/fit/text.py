"""`memlint fit` for the terminal: the answer, what it is made of, the phases, the kinds, the modules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from memlint.report.fit.tree import Row, rows_of
from memlint.report.fit.words import (
    STYLES,
    TIGHT,
    about_remedies,
    about_together,
    best,
    breaks,
    details,
    facts,
    figures,
    for_so_long,
    gib,
    headline,
    known_as,
    of_remedy,
    saving,
    tried,
    written_alone,
)
from memlint.report.layout import cells, clean, width_of, wrap
from memlint.report.session.text import FIRST, flowing_lines, held, invented, merged, remarks
from memlint.report.style import Line, paint
from memlint.report.summary import RenderOptions
from memlint.session import Fit, Growing, OnCard, Search, Session, Term
from memlint.session.fit import BREAKS, FITS, MAY_NOT, UNKNOWN
from memlint.units import size

NAMES = {
    "parameter": "parameters", "gradient": "gradients", "optimizer state": "optimizer",
    "activation": "activations", "temporary": "temporaries", "input": "batches", "other": "other",
}  # fmt: skip
"""How the kinds of tensors are called here."""

SIZE = 12
DETAIL = 8
"""Columns before what a change costs, and how to write it."""


def render(session: Session, out: TextIO, options: RenderOptions) -> None:
    """Write the report."""
    fit = session.fit
    assert fit is not None
    width = options.width
    answer = flowing_lines(_answer(session), width)
    known = fit.first.verdict != UNKNOWN
    _write([answer, *(_details(session, fit, width) if known else []), remarks(session, width)], out, options)


def _details(session: Session, fit: Fit, width: int) -> list[list[Line]]:
    return [
        _cards(fit, width),
        _search(fit.search, fit.first, width),
        _remedies(fit, width),
        _terms(fit, width),
        _shares("where the peak of tensors comes from", _kinds(session), session.original.peak.bytes),
        _shares("highest in each phase", session.original.tops, 0),
        _modules(session, width),
        _lines(session, width),
        invented(session, width),
    ]


def _write(parts: Iterable[list[Line]], out: TextIO, options: RenderOptions) -> None:
    lines: list[Line] = []
    for part in filter(None, parts):
        lines += [*([[]] if lines else []), *part]
    paint(lines, out, color=options.color)


def _answer(session: Session) -> list[Line]:
    style, said = headline(session)
    return [[(clean(said), style)], *([(f"  {clean(fact)}", "")] for fact in facts(session))]


def _cards(fit: Fit, width: int) -> list[Line]:
    """One row for each card, where there are several."""
    if len(fit.cards) < 2:
        return []
    lines: list[Line] = [[(f"{'card':<12}{'has':>9}{'needs':>9}{'free':>9}  ", "head"), ("verdict", "head")]]
    for row in fit.cards:
        needs, free = figures(row)
        numbers = f"{row.card or row.title:<12}{gib(row.total):>9}{needs:>9}{free:>9}  "
        said = wrap(verdict(row, fit.growing), max(20, width - len(numbers)))
        lines.append([(numbers, ""), (said[0], STYLES[row.verdict])])
        lines += [[(" " * len(numbers), ""), (text, STYLES[row.verdict])] for text in said[1:]]
    return [*lines, [("  in GiB", "dim")]]


def verdict(row: OnCard, growing: Growing | None = None) -> str:
    """Whether a script fits a card, in a few words; `growing` is what it leaves behind with every step."""
    if row.verdict == BREAKS:
        return breaks(row)
    if row.verdict == MAY_NOT and growing is not None and growing.decides(row):
        return for_so_long(row, growing)
    if row.verdict == MAY_NOT:
        return f"may not fit ({gib(row.least)} to {gib(row.most)})"
    if row.verdict == FITS and row.retries:
        return TIGHT
    return row.verdict


def _search(search: Search | None, card: OnCard, width: int) -> list[Line]:
    if search is None:
        return []
    style = STYLES[FITS if search.best else BREAKS]
    lines: list[Line] = [[(text, style)] for text in wrap(best(search), width)]
    lines += [[(f"  {text}", "dim")] for text in wrap(f"{search.name} is {search.given:,} in the script "
                                                      f"({search.what})", width - 2)]  # fmt: skip
    for row in search.trials:
        needs = f"{gib(row.needs)} GiB" if row.needs else ""
        said = clean(row.problem) or tried(row, card)
        lines.append([(f"  {row.value:>10,}  {needs:>10}  ", ""), (said, STYLES[row.verdict])])
    return lines


def _remedies(fit: Fit, width: int) -> list[Line]:
    """The changes that were tried with success, and the diff of those that make it fit."""
    title = about_remedies(fit)
    if not title:
        return []
    lines: list[Line] = [[(text, "head")] for text in wrap(title, width)]
    for row in fit.remedies or ():
        lead = f"  {saving(row):>{SIZE + 5}}  "
        first, *rest = wrap(of_remedy(row), max(20, width - len(lead)))
        lines.append([(lead, STYLES[FITS]), (clean(first), "")])
        lines += [[(" " * len(lead) + clean(text), "")] for text in rest]
        for label, text in details(row):
            lines += _filled(f"{' ' * DETAIL}{label}: ", text, width)
    if said := about_together(fit):
        assert fit.together is not None
        lines += [[], *([(text, STYLES[fit.together.verdict])] for text in wrap(said, width))]
        lines += _diff(fit.together.diff)
    for row in written_alone(fit):
        lines += [[], *([(text, "head")] for text in wrap(known_as(row, fit.remedies or ()), width))]
        lines += _diff(row.diff)
    return lines


def _diff(text: str) -> list[Line]:
    styles = {"-": "removed", "+": "added", "@": "hunk"}
    return [[(cells(row).text, styles.get(row[:1], ""))] for row in text.rstrip().splitlines()]


def _terms(fit: Fit, width: int) -> list[Line]:
    if not fit.terms:
        return []
    lines: list[Line] = [[("what the need is made of", "head")]]
    for term in fit.terms:
        if not term.most and term.basis != "unknown":
            continue
        lead = f"  {_amount(term):>{SIZE}}  {term.name:<8} "
        if term.basis == "unknown":
            lead = "  not in the numbers: "
            lines += _filled(lead, term.what, width)
            continue
        lines += _filled(lead, f"{term.basis}: {term.what}", width)
    return lines


def _filled(lead: str, text: str, width: int) -> list[Line]:
    first, *rest = wrap(text, max(20, width - width_of(lead)))
    lines: list[Line] = [[(lead, ""), (first, "dim")]]
    return lines + [[(" " * width_of(lead) + line, "dim")] for line in rest]


def _amount(term: Term) -> str:
    if term.least == term.most:
        return size(term.least)
    low, unit = size(term.least).split()
    high = size(term.most)
    return f"{low}-{high}" if high.endswith(unit) else f"{low} {unit}-{high}"


def _kinds(session: Session) -> dict[str, int]:
    kinds = session.original.kinds
    return {name: kinds[kind] for kind, name in NAMES.items() if kinds.get(kind)}


def _shares(title: str, parts: dict[str, int], whole: int) -> list[Line]:
    if not parts:
        return []
    lines: list[Line] = [[(title, "head")]]
    for name, count in sorted(parts.items(), key=lambda item: -item[1]):
        share = f"{100 * count / whole:>4.0f} %" if whole else ""
        lines.append([(f"  {size(count):>{SIZE}}  {name:<12} {share}", "")])
    return lines


def _modules(session: Session, width: int) -> list[Line]:
    rows = rows_of(session.original.tree, session.original.peak.bytes)
    if not rows:
        return []
    heads = "".join(f"{name:>{SIZE}}" for name in ("in all", "lasting", "activation"))
    lines: list[Line] = [[(f"{'modules at the peak':<{width - len(heads)}}{heads}", "head")]]
    return lines + [[(_module(row, width - 3 * SIZE), "")] for row in rows]


def _module(row: Row, room: int) -> str:
    name = f"{'  ' * (row.depth + 1)}{clean(row.name)} {clean(row.kind)}".rstrip()
    if width_of(name) > room - 1:
        name = name[: room - 4] + "..."
    shown = "".join(f"{size(count) if count else '':>{SIZE}}" for count in row.columns)
    return f"{name:<{room}}{shown}"


def _lines(session: Session, width: int) -> list[Line]:
    rows = merged(session.original.lines)[:FIRST]
    return [[("lines at the peak", "head")], *held(session, width, rows)] if rows else []
