"""Suppression comments: which findings they silence, and which of them silence nothing.

Comments come from the stdlib tokenizer, so that text inside strings never counts. Suppression is
applied after the findings exist; only so can an unused comment be told from a needed one.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from memlint.catalogue import Rule
from memlint.finding import Applicability, Edit, Finding, Fix, Note, Span
from memlint.packs import prefix
from memlint.records import dataclass

_OWN = re.compile(
    r"#\s*memlint:\s*(?P<word>[\w-]*)(?P<list>\s*\[(?P<codes>[^\]]*)\])?(?:(?!\s#[\s!]).)*", re.IGNORECASE
)
_NOQA = re.compile(r"#\s*noqa:\s*(?P<codes>[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*)", re.IGNORECASE)
_BARE = re.compile(r"#\s*noqa(?!\s*:|\w)", re.IGNORECASE)


@cache
def _hint(prefixes: frozenset[str]) -> re.Pattern[str]:
    """What stands in every text with a suppression comment for codes with these letters."""
    letters = "|".join(sorted(prefixes))
    return re.compile(rf"#\s*memlint:|#\s*noqa:[^\n]*({letters})\d", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Comment:
    """One suppression directive.

    `span` covers the directive up to the end of the comment, or of its code list for `noqa`; `first`
    to `last` are the lines that it silences.
    """

    span: Span
    codes: tuple[str, ...]
    first: int
    last: int
    problem: str = ""
    hint: str = ""

    def covers(self, finding: Finding) -> bool:
        """Whether the finding has one of the codes and starts on one of the lines."""
        return finding.code in self.codes and self.first <= finding.span.line <= self.last


@dataclass(frozen=True, slots=True)
class _Known:
    """The codes that exist, each with the name of its rule, and the letters that they begin with."""

    names: Mapping[str, str]
    prefixes: frozenset[str]

    @classmethod
    def of(cls, rules: Sequence[Rule]) -> _Known:
        names = {rule.code: rule.name for rule in rules}
        return cls(names, frozenset(map(prefix, names)))

    def is_ours(self, code: str) -> bool:
        """Whether a code of a `noqa` is one of memlint or of its packs, and not of another linter."""
        return code[-1:].isdigit() and prefix(code.upper()) in self.prefixes


@dataclass(frozen=True, slots=True)
class Meta:
    """Something to report about a comment: a rule code with the text's words, a place, a fix."""

    code: str
    span: Span
    values: dict[str, str]
    fix: Fix | None = None


def may_stand_in(text: str, rules: Sequence[Rule]) -> bool:
    """Whether a text has any word of a suppression comment; `rules` are those that exist."""
    return _hint(_Known.of(rules).prefixes).search(text) is not None


def collect(text: str, tree: ast.AST | None, rules: Sequence[Rule]) -> list[Comment]:
    """The suppression comments of a file; `tree` gives the extent of statements, where there is one.

    `rules` are those that exist. A file that cannot be tokenized gives the comments before the error.
    """
    if not may_stand_in(text, rules):
        return []
    known = _Known.of(rules)
    found = [
        (token, match, inside)
        for token, inside in _comments(text)
        if (match := _directive(token.string, known))
    ]
    if not found:
        return []
    statements = _statements(tree) if tree is not None else []
    return [_comment(token, match, inside, statements, known) for token, match, inside in found]


def silence(
    findings: Iterable[Finding], comments: Sequence[Comment]
) -> tuple[list[Finding], set[tuple[int, str]]]:
    """The findings that no comment covers, and the (comment index, code) pairs that were of use."""
    kept: list[Finding] = []
    used: set[tuple[int, str]] = set()
    for finding in findings:
        indices = [index for index, comment in enumerate(comments) if comment.covers(finding)]
        used.update((index, finding.code) for index in indices)
        if not indices:
            kept.append(finding)
    return kept, used


def explained(findings: Sequence[Finding], text: str) -> list[Finding]:
    """The findings, the first of them on a line with a bare `# noqa` with a word about that.

    flake8 takes such a comment for all of its rules; but it is written for style, and must not hide a leak.
    """
    if not findings or not _BARE.search(text):
        return list(findings)
    lines = {token.start[0] for token, _ in _comments(text) if _BARE.search(token.string)}
    first = next((at for at, finding in enumerate(findings) if finding.span.line in lines), None)
    if first is None:
        return list(findings)
    found = findings[first]
    said = Note("note", f"a bare `# noqa` does not silence memlint; write `# noqa: {found.code}`")
    return [*findings[:first], replace(found, notes=(*found.notes, said)), *findings[first + 1 :]]


def complaints(
    comments: Sequence[Comment], used: Collection[tuple[int, str]], ran: Collection[str], text: str
) -> Iterator[Meta]:
    """What is wrong with the comments themselves: invalid ones, then those that silence nothing.

    Only codes of rules that `ran` can be called unused.
    """
    for index, comment in enumerate(comments):
        if comment.problem:
            yield Meta("MEM003", comment.span, {"problem": comment.problem, "hint": comment.hint})
        idle = [c for c in dict.fromkeys(comment.codes) if c in ran and (index, c) not in used]
        if idle and "MEM002" not in comment.codes:
            codes = ", ".join(f"`{code}`" for code in idle)
            yield Meta("MEM002", comment.span, {"codes": codes}, _removal(comment, idle, text))


def _comments(text: str) -> Iterator[tuple[tokenize.TokenInfo, bool]]:
    """Every comment up to the first error, and whether it stands inside brackets."""
    depth = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline=None).readline):
            if token.type == tokenize.OP:
                depth += (token.string in "([{") - (token.string in ")]}")
            elif token.type == tokenize.COMMENT:
                yield token, depth > 0
    except (tokenize.TokenError, SyntaxError):
        return


def _directive(comment: str, known: _Known) -> re.Match[str] | None:
    noqa = _NOQA.search(comment)
    if noqa and any(known.is_ours(code) for code in re.split(r"[,\s]+", noqa["codes"])):
        return noqa
    return _OWN.search(comment)


def _comment(
    token: tokenize.TokenInfo,
    match: re.Match[str],
    inside: bool,
    statements: Sequence[tuple[int, int, int]],
    known: _Known,
) -> Comment:
    line, column = token.start
    noqa = match.re is _NOQA
    span = Span(line, column + match.start() + 1, line, column + len(match[0].rstrip()) + match.start() + 1)
    written = [code for code in re.split(r"[,\s]+", match["codes"] or "") if code]
    if noqa:
        written = [code for code in written if known.is_ours(code)]
    codes = tuple(code.upper() for code in written)
    problem, hint = _problem(match, written, known)
    own_line = not token.line[:column].strip()
    word = "ignore" if noqa else match["word"].lower()
    if word == "file-ignore":
        first, last = 1, 10**9
    else:
        first, last = _reach(line, own_line and not inside and not noqa, statements)
    valid = tuple(code for code in codes if code in known.names) if word in ("ignore", "file-ignore") else ()
    return Comment(span, valid, first, last, problem, hint)


def _problem(match: re.Match[str], written: Sequence[str], known: _Known) -> tuple[str, str]:
    """What is wrong with a directive and what to write instead; two empty strings when it is fine."""
    if match.re is not _NOQA:
        word = match["word"].lower()
        if word not in ("ignore", "file-ignore"):
            return f"unknown directive `memlint: {word}`", "write `ignore[CODE]` or `file-ignore[CODE]`"
        if not written:
            return "a suppression needs a code", f"write `# memlint: {word}[MEM101] reason`"
    for code in written:
        if code.upper() not in known.names:
            return f"no rule has the code `{code}`", _better(code, known)
    return "", ""


def _better(word: str, known: _Known) -> str:
    """What to write in place of a word that is no code."""
    if any(code.startswith(word.upper()) for code in known.names):
        return "name the rules one by one: a suppression takes no prefix"
    import difflib

    for code, name in known.names.items():
        if name == word.lower():
            return f"write its code, {code}"
    near = difflib.get_close_matches(word.upper(), sorted(known.names), 1, cutoff=0.75)
    return f"did you mean {near[0]}?" if near else "`memlint rule --all` lists the codes"


def _statements(tree: ast.AST) -> list[tuple[int, int, int]]:
    """First line, last line of the header, last line of each statement; decorators are in the header.

    Statements that a semicolon joins are one: they share their lines, and the comment behind these.
    """
    found = []
    simple: list[tuple[int, int]] = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt):
            continue
        end = node.end_lineno or node.lineno
        body = getattr(node, "body", None) or getattr(node, "cases", None)
        if not body:
            simple.append((node.lineno, end))
            continue
        first = min([d.lineno for d in getattr(node, "decorator_list", [])], default=node.lineno)
        inner = getattr(body[0], "lineno", None) or body[0].pattern.lineno
        inner = min([d.lineno for d in getattr(body[0], "decorator_list", [])], default=inner)
        found.append((first, max(node.lineno, inner - 1), end))
    joined: list[tuple[int, int]] = []
    for first, end in sorted(simple):
        if joined and joined[-1][1] == first:
            first = joined.pop()[0]
        joined.append((first, end))
    return sorted([*found, *((first, end, end) for first, end in joined)])


def _reach(line: int, above: bool, statements: Sequence[tuple[int, int, int]]) -> tuple[int, int]:
    """The lines a comment on `line` silences: the whole next statement, or the statement it trails."""
    if above:
        inside = [(first, end) for first, _, end in statements if first > line]
        if not inside:
            return line, line + 1
        start = min(first for first, _ in inside)
        return line, max(end for first, end in inside if first == start)
    around = [(header - first, first, header) for first, header, _ in statements if first <= line <= header]
    if not around:
        return line, line
    _, first, header = min(around)
    return first, header


def _removal(comment: Comment, idle: Sequence[str], text: str) -> Fix:
    """Take the idle codes out of their list, or the whole comment away when no other code is in it."""
    lines = io.StringIO(text, newline=None).read().split("\n")
    span, source = comment.span, lines[comment.span.line - 1]
    shorter = _without_codes(source[span.column - 1 : span.end_column - 1], idle)
    if shorter is not None:
        return Fix(Applicability.SAFE, "delete the unused code", (Edit(span, shorter),))
    before = source[: span.column - 1].rstrip()
    after = source[span.end_column - 1 :].strip()
    line_end = Span(span.line, span.column, span.line, len(source) + 1)
    if after:
        edit = Edit(line_end, after if after.startswith("#") else f"# {after}")
    elif not before and span.line < len(lines):
        edit = Edit(Span(span.line, 1, span.line + 1, 1), "")
    else:
        edit = Edit(replace(line_end, column=len(before) + 1), "")
    return Fix(Applicability.SAFE, "delete the unused suppression", (edit,))


def _without_codes(directive: str, idle: Sequence[str]) -> str | None:
    """The directive with codes taken out of its list; None when none would be left."""
    match = _NOQA.search(directive) or _OWN.search(directive)
    assert match is not None
    codes = [code for code in re.split(r"[,\s]+", match["codes"]) if code]
    kept = [code for code in codes if code.upper() not in idle]
    if not kept:
        return None
    return directive[: match.start("codes")] + ", ".join(kept) + directive[match.end("codes") :]
