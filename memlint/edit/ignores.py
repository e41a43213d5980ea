"""Suppression comments for findings, written at the end of the line where each of them is reported."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Sequence

from memlint.edit.verify import comments, still_compiles
from memlint.finding import Edit, Finding, Span, each
from memlint.source.text import apply_edits

_LIST = re.compile(r"(#\s*memlint:\s*ignore\s*\[)([^\]]*)\]", re.IGNORECASE)
_OF_THE_RUN = "MEM00"
"""Findings about the run itself (a syntax error, an unused suppression): there is nothing to put up with."""


def with_ignores(text: str, findings: Sequence[Finding], reason: str) -> tuple[str, tuple[Finding, ...]]:
    """The text with `# memlint: ignore[CODE] reason` for each finding, and the findings that have one now.

    A finding's secondary places get one too: they would be findings of their own without it.
    Codes of one line share a comment; one that is there gets the new codes. A line that cannot take a
    comment (within a string, before a backslash) leaves it to the next line of its statement that can.
    """
    ends = _ends(text)
    codes: dict[int, list[str]] = defaultdict(list)
    written: list[Finding] = []
    for finding in each(findings):
        line = next((line for line in sorted(ends) if line >= finding.span.line), None)
        if line is not None and not finding.code.startswith(_OF_THE_RUN):
            codes[line].append(finding.code)
            written.append(finding)
    edits = [_edit(line, ends[line], list(dict.fromkeys(found)), reason) for line, found in codes.items()]
    new = apply_edits(text, edits)
    told = tuple(finding for finding in findings if finding in written)
    return (new, told) if _is_the_same(text, new) else (text, ())


def _ends(text: str) -> dict[int, str]:
    """The source lines, without their ends, behind which a comment may stand; by number, from 1."""
    found: dict[int, str] = {}
    lines = io.StringIO(text, newline=None).read().split("\n")
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline=None).readline):
            if token.type in (tokenize.NEWLINE, tokenize.NL):
                found[token.start[0]] = lines[token.start[0] - 1]
    except (tokenize.TokenError, SyntaxError):
        return found
    return found


def _edit(line: int, source: str, codes: list[str], reason: str) -> Edit:
    if there := _LIST.search(source):
        listed = [code.strip() for code in there[2].split(",") if code.strip()]
        every = ", ".join(dict.fromkeys([*listed, *codes]))
        return Edit(Span(line, there.start(2) + 1, line, there.end(2) + 1), every)
    bare = source.rstrip()
    said = f" {reason}" if reason else ""
    end = Span(line, len(bare) + 1, line, len(source) + 1)
    return Edit(end, f"  # memlint: ignore[{', '.join(codes)}]{said}")


def _is_the_same(old: str, new: str) -> bool:
    """Whether the texts are the same program, and every other comment is as it was."""
    if not still_compiles(new, old):
        return False
    try:
        same = ast.dump(ast.parse(old)) == ast.dump(ast.parse(new))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    lost = comments(old) - comments(new)
    return same and all(_LIST.search(comment) or _extended(comment, new) for comment in lost)


def _extended(comment: str, new: str) -> bool:
    return any(other.startswith(comment) for other in comments(new))
