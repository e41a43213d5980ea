"""What must hold of memlint's answer to any script that Python accepts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import libcst

from memlint import catalogue
from memlint.commands.batch import Mode, Task, process_text
from memlint.edit.ignores import with_ignores
from memlint.edit.verify import comments, still_parses
from memlint.engine.check import Checks
from memlint.finding import FileReport, Finding, Fix, Span, each
from memlint.source.text import Source, apply_edits

CODES = frozenset(rule.code for rule in catalogue.load())
CHECKS = Checks(CODES, CODES, "train.py")
OF_THE_RUN = frozenset({"MEM002", "MEM003"})


def report_of(text: str, mode: Mode | None = None) -> FileReport:
    """What is said of a text with every rule on."""
    return process_text(Source("train.py", text), Task("train.py", CHECKS, mode or Mode())).report


def broken(text: str) -> list[str]:
    """What does not hold of the answer to a program, in words; nothing when all is as it should be."""
    report = report_of(text)
    if report.failed:
        return [f"crash: {report.failed}"]
    if _is_beyond_libcst(text):
        # Where no rule has anything to ask, the file is not given to libcst.
        said = {f.code for f in report.findings} - {"MEM001"}
        return [f"libcst refuses it, and {code} speaks" for code in said]
    return [
        *(f"no program, says {f.code}: {f.message}" for f in report.findings if f.code == "MEM001"),
        *_outside(text, report.findings),
        *_unfit(text, report.findings),
        *_unsettled(text),
        *_ill_silenced(text, report.findings),
    ]


def _is_beyond_libcst(text: str) -> bool:
    """Whether libcst's parser refuses a program, as it does some that mix tabs with spaces."""
    try:
        libcst.parse_module(text)
    except libcst.ParserSyntaxError:
        return True
    return False


def unreadable(data: bytes) -> list[str]:
    """What does not hold of the answer to any bytes at all: it crashes, or points outside of the text."""
    from memlint.errors import SourceError

    try:
        source = Source.decode("train.py", data)
    except SourceError:
        return []
    report = process_text(source, Task("train.py", CHECKS, Mode())).report
    if report.failed:
        return [f"crash: {report.failed}"]
    return list(_outside(source.text, report.findings))


def _outside(text: str, findings: Sequence[Finding]) -> Iterator[str]:
    widths = [len(line) for line in _lines(text)]
    for finding in each(findings):
        notes = [note.span for note in finding.notes if note.span is not None]
        edits = [edit.span for fix in _fixes(finding) for edit in fix.edits]
        for span in (finding.span, *notes, *edits):
            if not _is_inside(span, widths):
                yield f"{finding.code}: {span} is no place of the text"


def _lines(text: str) -> list[str]:
    from memlint.source.text import line_starts

    starts = [*line_starts(text), len(text)]
    return [text[a:b].rstrip("\r\n") for a, b in pairwise(starts)]


def _is_inside(span: Span, widths: Sequence[int]) -> bool:
    begin, end = (span.line, span.column), (span.end_line, span.end_column)
    points = all(
        (1 <= line <= len(widths) and 1 <= column <= widths[line - 1] + 1)
        # An edit may take whole lines: it ends where the next line would begin.
        or (line == len(widths) + 1 and column == 1)
        for line, column in (begin, end)
    )
    return points and begin <= end


def _fixes(finding: Finding) -> list[Fix]:
    return [fix for fix in (finding.fix, *finding.alternatives) if fix is not None]


def _unfit(text: str, findings: Sequence[Finding]) -> Iterator[str]:
    """Fixes that cannot be put in, or after which the text is no program."""
    for finding in each(findings):
        for fix in _fixes(finding):
            if fix.edits and not still_parses(apply_edits(text, list(fix.edits)), text):
                yield f"{finding.code}: {fix.title!r} leaves no program"


def _unsettled(text: str) -> Iterator[str]:
    """What `--fix`, with unsafe fixes and without, loses or does not finish."""
    for unsafe in (False, True):
        mode = Mode(fix=True, unsafe=unsafe)
        task = Task("train.py", CHECKS, mode)
        fixed = process_text(Source("train.py", text), task)
        if fixed.report.failed or "internal error" in fixed.refused:
            yield f"fix: {fixed.report.failed or fixed.refused}"
        after = fixed.after if fixed.after is not None else text
        again = process_text(Source("train.py", after), task)
        if again.after != after:
            yield f"fix: a second run changes more: {[f.code for f in again.applied]}"
        # Nothing but a suppression that silences nothing may be removed.
        lost = comments(text) - comments(after)
        gone = {f.code for f in fixed.applied} & OF_THE_RUN
        if lost and not (gone and all("memlint" in c or "noqa" in c for c in lost)):
            yield f"fix: lost {next(iter(lost))!r}"


def _ill_silenced(text: str, findings: Sequence[Finding]) -> Iterator[str]:
    """A finding that its own suppression comment leaves, or another one that it takes away."""
    for finding in [f for f in findings if f.code not in OF_THE_RUN][:2]:
        silenced, written = with_ignores(text, [finding], "")
        if not written:
            continue
        after = report_of(silenced)
        if after.failed:
            yield f"crash: {after.failed}"
            continue
        own = {(f.code, f.span.line) for f in each([finding])}
        old = Counter(_told(f) for f in each(findings) if (f.code, f.span.line) not in own)
        new = Counter(_told(f) for f in each(after.findings))
        if left := [f for f in after.findings if (f.code, f.span) == (finding.code, finding.span)]:
            yield f"ignore: {left[0].code} in line {left[0].span.line} is still there"
        for code, line in new - old:
            yield f"ignore[{finding.code}] in line {finding.span.line} brings up {code} in line {line}"
        for code, line in old - new:
            if code != finding.code:
                yield f"ignore[{finding.code}] in line {finding.span.line} hides {code} in line {line}"


def _told(finding: Finding) -> tuple[str, int]:
    return finding.code, finding.span.line
