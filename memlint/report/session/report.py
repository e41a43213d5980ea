"""A replay for the terminal. First: does it fit, where is the peak, who holds it, what grows, what to do."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any, TextIO

from memlint.finding import Edit, Span
from memlint.report import minidiff
from memlint.report.frame import Frame, split
from memlint.report.layout import clean, width_of, wrap
from memlint.report.session.allocator_text import how
from memlint.report.session.answer import answer
from memlint.report.session.growth_words import about_leak, host_growth, is_leak, leak_in_words, unit_of
from memlint.report.session.next_command import judged_fix, next_command
from memlint.report.session.text import (
    FIRST,
    STATUS_STYLES,
    STATUS_WORDS,
    by_bytes,
    details,
    ending,
    flowing_lines,
    grows,
    headline,
    held,
    measured,
    merged,
    tally,
)
from memlint.report.style import Line, paint
from memlint.report.summary import RenderOptions
from memlint.session import ENOUGH, Judged, Leak, Session, is_measured
from memlint.units import plural

UNTOLD = ("not_reached", "not_measurable")
"""Verdicts of findings that are named in short: nothing was measured about them."""

WORTH_A_FIX = ("confirmed", "host_only", "inconclusive")


def render(session: Session, out: TextIO, options: RenderOptions) -> None:
    """Write the report."""
    width = options.width
    parts = [
        flowing_lines(_heading(session), width),
        flowing_lines(_answer(session), width),
        _holders(session, width),
        flowing_lines(growth_lines(session), width),
        _findings(session, width),
        _next(session, width),
        *details(session, options),
    ]
    lines: list[Line] = []
    for part in filter(None, parts):
        lines += [*([[]] if lines else []), *part]
    paint(lines, out, color=options.color)


def _heading(session: Session) -> list[Line]:
    first = session.original
    command = " ".join((session.script, *session.arguments))
    machine = session.environment.device_name
    device = first.device if machine == first.device else f"{machine} ({first.device})"
    there = f"{device}, torch {session.environment.torch}"
    lines: list[Line] = [
        [("replay of ", "head"), (clean(command), "head")],
        [(f"{plural(len(first.steps), unit_of(first.unit))} on {there}; {ending(first)}", "dim")],
    ]
    lines += [[(clean(error), "error")] for error in session.errors]
    if first.failure is not None:
        failure = first.failure
        place = f" at {failure.file}:{failure.line}" if failure.line else ""
        word = "it ended" if failure.out_of_memory else "the script failed"
        said = f"{word}{clean(place)}: {failure.type}: {headline(failure)}"
        if failure.is_doubtful:
            said = f"the simulation ended{clean(place)}: {clean(failure.message)}"
        lines.append([(said, "error")])
    return lines


def _answer(session: Session) -> list[Line]:
    found = answer(session)
    return [[(found.headline, found.style)], *([(f"  {clean(fact)}", "")] for fact in found.facts)]


def _holders(session: Session, width: int) -> list[Line]:
    rows = merged(session.original.lines)[:FIRST]
    return [[("who holds it", "head")], *held(session, width, rows)] if rows else []


def growth_lines(session: Session) -> list[Line]:
    """What stays from step to step: the leaks, else what grows, else that nothing does."""
    first = session.original
    host = [[(clean(text), "warning")] for text in host_growth(session)]
    if session.leaks:
        return [*(line for leak in session.leaks for line in _leak(session, leak)), *host]
    if not is_measured(first.device) or not first.steps:
        return host
    if found := grows(first.growth):
        places = dict.fromkeys(f"{row.file}:{row.line}" for row in first.growth if row.line)
        made = f", made at {', '.join(list(places)[:3])}" if places else ""
        return [[(f"grows: {found} of tensors{clean(made)}", "warning")], *host]
    if host:
        return host
    if len(first.steps) < ENOUGH:
        few = f"{plural(len(first.steps), unit_of(first.unit))} of at least {ENOUGH}"
        return [[(f"what grows is not known: {few}", "dim")]]
    where = " on the GPU" if first.host_growth and first.device != "cpu" else ""
    seen = plural(len(first.steps), unit_of(first.unit))
    return [[(f"no growth of tensors{where}, over {seen}", "fixable")]]


def _leak(session: Session, leak: Leak) -> Iterator[Line]:
    """How fast, made where, held by what."""
    style = "error" if is_leak(leak) else "advice"
    word = "grows, within bounds" if leak.bound else "leak" if is_leak(leak) else "grows, replaced each time"
    yield [(f"{word}: ", style), (clean(leak_in_words(session, leak)), "head")]
    yield from ([("    ", ""), (clean(text), "dim")] for text in about_leak(session, leak))


def _findings(session: Session, width: int) -> list[Line]:
    if not session.findings:
        none = "no findings to judge in the script and what it imported from its project"
        return [[(text, "fixable")] for text in wrap(none, width)]
    lines: list[Line] = [[(text, "head")] for text in wrap(tally(session), width) if text]
    for row in by_bytes(session):
        lines += _finding(session, row, width)
    return lines


def _finding(session: Session, row: Judged, width: int) -> Iterator[Line]:
    finding, verdict = row.finding, row.verdict
    style = STATUS_STYLES.get(verdict.status, "advice")
    effect = measured(verdict)
    if effect != "-":
        effect = how(session.original) + effect
    place = clean(f"{finding['path']}:{finding['line']}")
    head = f"{STATUS_WORDS[verdict.status]}  "
    told = f"{finding['code']} {place}{f'  {effect}' if effect != '-' else ''}"
    yield from flowing_lines([[(head, style), (told, "head")]], width)
    message = "" if verdict.status in UNTOLD else finding["message"]
    yield from ([(f"    {text}", "")] for text in wrap(message, width - 4) if text)
    yield from ([(f"    {text}", "dim")] for text in wrap(verdict.reason, width - 4))
    for other in finding.get("secondary", ()):
        said = f"also {clean(other['path'])}:{other['line']}: {other['code']} {clean(other['label'])}"
        yield from ([(f"    {text}", "dim")] for text in wrap(said, width - 4))
    if verdict.status in WORTH_A_FIX:
        yield from ([("  ", ""), *line] for line in _diff(session, row, width - 2))


def diff_of(session: Session, row: Judged) -> list[minidiff.Row]:
    """What the fix of a finding changes; [] without a fix, or where the session has not the lines."""
    fix, lines = judged_fix(row), session.sources.get(row.finding["path"], {})
    try:
        edits = [_edit(edit) for edit in (fix or {}).get("edits", ()) if edit.get("cell") is None]
    except (AttributeError, KeyError, TypeError):
        return []
    # A line that goes away as a whole ends at the first column of the next, which there may not be.
    ends = [(edit.span.line, edit.span.end_line + (edit.span.end_column > 1)) for edit in edits]
    wanted = {str(n) for first, end in ends for n in range(first, end)}
    if not edits or not wanted <= lines.keys():
        return []
    last = max(*map(int, lines), *(edit.span.end_line for edit in edits))
    return minidiff.rows(split("".join(f"{lines.get(str(n), '')}\n" for n in range(1, last + 1))), edits)


def _edit(edit: dict[str, Any]) -> Edit:
    return Edit(Span(edit["line"], edit["column"], edit["end_line"], edit["end_column"]), edit["text"])


def _diff(session: Session, row: Judged, width: int) -> list[Line]:
    found = diff_of(session, row)
    gutter = max((len(str(line.number)) for line in found[: minidiff.MOST_LINES]), default=1)
    return minidiff.draw(found, Frame("", gutter, width, width)) if found else []


def _next(session: Session, width: int) -> list[Line]:
    found = next_command(session)
    if found is None:
        return []
    first, *rest = _broken(found.command, width - len("next: "))
    lines: list[Line] = [[("next: ", "head"), (first, "fixable")]]
    lines += [[(f"      {text}", "fixable")] for text in rest]
    return lines + [[(f"  {text}", "dim")] for text in wrap(found.why, width - 2)]


def _broken(command: str, room: int) -> list[str]:
    """A command as a shell takes it that is pasted from several lines."""
    lines = [""]
    for word in map(shlex.quote, shlex.split(clean(command))):
        longer = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and width_of(longer) > room - len(" \\"):
            lines.append(word)
        else:
            lines[-1] = longer
    return [*(f"{line} \\" for line in lines[:-1]), lines[-1]]
