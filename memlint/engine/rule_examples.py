"""The examples of a rule, run: bad ones are reported as marked, good ones not, fixes give their text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import zip_longest

from memlint.catalogue import Rule
from memlint.edit.apply import fix_text
from memlint.engine.check import check
from memlint.engine.checks import Checks
from memlint.examples import MARK, Example
from memlint.finding import Finding

PATH = "example.py"
TestFailure = tuple[str, str, str]
"""Whether the example is "bad" or "good", its title, and what is wrong with it."""


def failures(rule: Rule) -> Iterator[TestFailure]:
    """What the examples of a rule show to be wrong, in the order of its file; none of them is executed."""
    for kind, examples in (("bad", rule.bad), ("good", rule.good)):
        for example in examples:
            yield from ((kind, example.title, text) for text in _wrong(rule, example))


def _wrong(rule: Rule, example: Example) -> Iterator[str]:
    lines = example.code.splitlines()
    plain = "\n".join(MARK.sub("", line) for line in lines) + "\n"
    try:
        ast.parse(plain)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        where = f"line {error.lineno}: " if isinstance(error, SyntaxError) and error.lineno else ""
        yield f"{where}is no Python: {error.msg if isinstance(error, SyntaxError) else error}"
        return
    marks = {at: mark for at, line in enumerate(lines, 1) if (mark := MARK.search(line))}
    found = {one.span.line: one for one in _findings(rule, plain)}
    for at in sorted(marks.keys() | found.keys()):
        severity = marks[at][2] if at in marks else None
        if at not in found:
            yield f"line {at}: not reported: {lines[at - 1].strip()}"
        elif at not in marks:
            yield f"line {at}: reported: {found[at].message}"
        elif severity is not None and severity != found[at].severity.value:
            yield f"line {at}: reported as {found[at].severity.value}, marked as {severity}"
    if example.fixed is not None:
        yield from _wrong_fix(rule, plain, example)


def _wrong_fix(rule: Rule, plain: str, example: Example) -> Iterator[str]:
    """The first line in which the fixed script is not the expected one."""
    fixed = fix_text(plain, PATH, lambda text: _findings(rule, text), unsafe=example.fix == "unsafe")
    if fixed.refused:
        yield f"the fix was taken back: {fixed.refused}"
        return
    pairs = zip_longest(fixed.text.rstrip().splitlines(), (example.fixed or "").rstrip().splitlines())
    for at, (got, wanted) in enumerate(pairs, 1):
        if got != wanted:
            yield f"line {at} after the fix: {_spoken(got)}, expected {_spoken(wanted)}"
            return


def _spoken(line: str | None) -> str:
    return "nothing" if line is None else f"`{line.strip()}`"


def _findings(rule: Rule, text: str) -> tuple[Finding, ...]:
    codes = frozenset({rule.code})
    packs = (rule.pack,) if rule.pack else ()
    report = check(text, PATH, Checks(codes, codes, PATH, packs=packs))
    return tuple(finding for finding in report.findings if finding.code == rule.code)
