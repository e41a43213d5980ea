"""Where a statement stands in its file, and between which characters whole lines can be put beside it.

A statement may have its lines to itself, share a line with others (`a; b`) or sit behind a colon
(`if a: b`); places hide the difference from the code that inserts, removes and wraps.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol

import libcst as cst

from memlint.records import dataclass
from memlint.source.text import line_starts
from memlint.syntax.spans import Layout

# A foreign list such as `noqa: E501` says nothing about memlint's findings and blocks no fix.
_SUPPRESSION = re.compile(r"#\s*(memlint:\s*ignore|noqa(?!\s*:)|noqa\s*:.*\b(MEM|MTF)\d)", re.IGNORECASE)

_COMMENT = re.compile(r"#[^\r\n]*")


class Tree(Protocol):
    """What placing and editing need to know of a script."""

    @property
    def module(self) -> cst.Module:
        """The parsed file."""

    @property
    def text(self) -> str:
        """The text it was parsed from."""

    @property
    def notebook(self) -> bool:
        """Whether the text is that of a notebook's cells."""

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node that directly holds `node`, None for the module."""


class RefusedError(Exception):
    """A change that cannot be made; the plan it belongs to gives no fix."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch of text that whole lines can replace.

    `opens` ends the code before the lines and `closes` begins the code after them; both are empty
    where the gap lies between two lines. `order` sorts lines put at one offset: those that follow a
    deeper block come first, those that precede a statement last.
    """

    begin: int
    end: int
    indent: str
    order: int
    opens: str = ""
    closes: str = ""
    at_end: bool = False

    @property
    def cuts(self) -> bool:
        """Whether the gap lies within a line, which it cuts in two."""
        return bool(self.opens) and not self.at_end

    def filled(self, lines: Iterable[str], newline: str) -> str:
        """The text that puts `lines` (without indentation) into the gap."""
        text = "".join(f"{self.indent}{line}{newline}" if line else newline for line in lines)
        if self.at_end:
            text = text.removesuffix(newline)
        return self.opens + text + self.closes


@dataclass(frozen=True, slots=True)
class Place:
    """One statement in its text.

    `begin` to `end` is the statement with its decorators; `first` to `last` is all that belongs to it
    alone: its whole lines with trailing comments, or no more than itself on a shared line.
    `opening` is the gap behind the colon of a one-line suite that must be opened with any other.
    """

    siblings: Sequence[cst.CSTNode]
    index: int
    begin: int
    end: int
    first: int
    last: int
    indent: str
    before: Gap
    after: Gap
    opening: Gap | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A script with the extents of its statements, comments and strings.

    `frozen` holds the offsets of lines that begin inside a string and must not be indented, `bounds`
    those where a top-level statement begins, `lines` the extent of each statement in whole lines in the
    order of the text, and `outer` for each of these where that of the statement around it is, or -1.
    """

    tree: Tree
    layout: Layout
    comments: tuple[tuple[int, int], ...]
    frozen: frozenset[int]
    bounds: tuple[int, ...]
    lines: tuple[tuple[int, int], ...]
    outer: tuple[int, ...]

    @property
    def text(self) -> str:
        """The text of the script."""
        return self.layout.text

    @property
    def newline(self) -> str:
        """The line end the file uses."""
        return self.tree.module.default_newline

    def extent(self, node: cst.CSTNode) -> tuple[int, int]:
        """Begin and end offset of a node.

        Raises:
            RefusedError: the node is not part of the script.
        """
        return _extent(self.layout, node)

    def step(self, node: cst.CSTNode) -> str:
        """One step of indentation as the block around `node` has it."""
        parent = self.tree.parent(node)
        while parent is not None and not isinstance(parent, cst.IndentedBlock):
            parent = self.tree.parent(parent)
        return (parent.indent if parent is not None else None) or self.tree.module.default_indent

    def comments_in(self, begin: int, end: int) -> list[str]:
        """The comments that begin in a stretch of text."""
        return [self.text[b:e] for b, e in self.comments if begin <= b < end]


def read_page(tree: Tree, found: Layout) -> Page | None:
    """A script as it is laid out, with the extents of all `KINDS`. None if libcst changed its text."""
    code = found.extents[tree.module.body[-1]][1] if tree.module.body else 0
    # libcst can lose white space behind the last statement, where only comments are of interest.
    if found.text[:code] != tree.text[:code] or found.text[code:].split() != tree.text[code:].split():
        return None
    found = replace(found, text=tree.text, starts=line_starts(tree.text))
    comments = [match.span() for match in _COMMENT.finditer(tree.text, code)]
    lines: list[tuple[int, int]] = []
    frozen: set[int] = set()
    for node, (begin, end) in found.extents.items():
        if type(node) is cst.Comment and begin < code:
            comments.append((begin, end))
        elif type(node) in _STRINGS:
            frozen.update(found.starts[found.line(begin) + 1 : found.line(end) + 1])
        elif type(node) in _STATEMENTS and isinstance(tree.parent(node), _BLOCKS):
            lines.append((found.line_start(_begin(found, node)), found.next_line(end)))
    bounds = {found.line_start(_begin(found, statement)) for statement in tree.module.body[1:]}
    ordered = (0, *sorted(bounds), len(tree.text))
    lines.sort(key=lambda extent: (extent[0], -extent[1]))
    outer = tuple(_around(lines))
    return Page(tree, found, tuple(sorted(comments)), frozenset(frozen), ordered, tuple(lines), outer)


def _around(extents: Sequence[tuple[int, int]]) -> Iterator[int]:
    """Where the smallest extent around each one is, -1 for none; they are sorted, and none cuts another."""
    open_now: list[int] = []
    for place, (_, end) in enumerate(extents):
        while open_now and extents[open_now[-1]][1] < end:
            open_now.pop()
        yield open_now[-1] if open_now else -1
        open_now.append(place)


def place_of(page: Page, statement: cst.CSTNode) -> Place:
    """The place of a statement: a line, a compound statement, or one part of a shared line.

    Raises:
        RefusedError: it is no statement of this file, or an `elif`, which has no place of its own.
    """
    parent = page.tree.parent(statement)
    if isinstance(statement, cst.BaseSmallStatement):
        if isinstance(parent, cst.SimpleStatementLine):
            return _in_line(page, statement, parent)
        if isinstance(parent, cst.SimpleStatementSuite):
            return _in_suite(page, statement, parent)
    elif isinstance(parent, (cst.Module, cst.IndentedBlock)) and statement in parent.body:
        return _on_lines(page, statement, parent.body)
    raise RefusedError("not a statement of a block")


def enclosing_statement(page: Page, node: cst.CSTNode) -> cst.CSTNode:
    """The innermost line or compound statement that holds `node`, or `node` itself.

    Raises:
        RefusedError: no statement holds it.
    """
    current: cst.CSTNode | None = node
    while current is not None and not isinstance(current, cst.BaseStatement):
        current = page.tree.parent(current)
    if current is None:
        raise RefusedError("the node stands in no statement")
    return current


def is_suppressed(page: Page, statement: cst.CSTNode) -> bool:
    """Whether a comment on the statement (its header, if it is compound) or right above tells memlint off.

    Raises:
        RefusedError: the header's place in the text is not known.
    """
    begin = page.layout.line_start(_begin(page.layout, statement))
    body = getattr(statement, "body", None)
    if isinstance(body, cst.IndentedBlock):
        end = page.extent(body.header)[1]
    elif isinstance(statement, cst.Match):
        end = page.layout.next_line(begin)
    else:
        end = page.layout.next_line(page.extent(statement)[1])
    while begin > 0:
        above = page.layout.line_start(begin - 1)
        if not page.text[above:begin].lstrip().startswith("#"):
            break
        begin = above
    return any(_SUPPRESSION.search(comment) for comment in page.comments_in(begin, end))


def _on_lines(page: Page, statement: cst.CSTNode, siblings: Sequence[cst.CSTNode]) -> Place:
    begin, end = _begin(page.layout, statement), page.extent(statement)[1]
    first = page.layout.line_start(begin)
    margin = page.text[first:begin]
    if margin.strip():
        raise RefusedError("code stands before the statement on its line")
    indent = margin.rpartition("\f")[2]
    last = _last(page, statement, end, indent)
    before, after = Gap(first, first, indent, 1), _below(page, last, indent)
    return Place(siblings, siblings.index(statement), begin, end, first, last, indent, before, after)


def _in_line(page: Page, statement: cst.BaseSmallStatement, line: cst.SimpleStatementLine) -> Place:
    whole = place_of(page, line)
    if len(line.body) == 1:
        return whole
    index = line.body.index(statement)
    begin, end = page.extent(statement)
    head, tail = index == 0, index == len(line.body) - 1
    return Place(
        line.body,
        index,
        begin,
        end,
        whole.first if head else begin,
        whole.last if tail else end,
        whole.indent,
        whole.before if head else _between(page, line.body, index, whole.indent),
        whole.after if tail else _between(page, line.body, index + 1, whole.indent),
    )


def _in_suite(page: Page, statement: cst.BaseSmallStatement, suite: cst.SimpleStatementSuite) -> Place:
    owner = page.tree.parent(suite)
    if owner is None:
        raise RefusedError("the suite is not in this file")
    start = page.layout.line_start(page.extent(owner)[0])
    margin = re.match(r"[ \t\f]*", page.text[start:])
    indent = (margin[0] if margin else "").rpartition("\f")[2] + page.step(owner)
    index = suite.body.index(statement)
    begin, end = page.extent(statement)
    colon = page.extent(suite.body[0])[0]
    opening = Gap(colon - len(suite.leading_whitespace.value), colon, indent, 1, page.newline, indent)
    tail = index == len(suite.body) - 1
    last = page.layout.next_line(end) if tail else end
    return Place(
        suite.body,
        index,
        begin,
        end,
        begin,
        last,
        indent,
        opening if index == 0 else _between(page, suite.body, index, indent),
        _below(page, last, indent) if tail else _between(page, suite.body, index + 1, indent),
        opening,
    )


def _between(page: Page, siblings: Sequence[cst.CSTNode], index: int, indent: str) -> Gap:
    """The semicolon in front of a statement, with the white space around it."""
    begin, end = page.extent(siblings[index - 1])[1], page.extent(siblings[index])[0]
    return Gap(begin, end, indent, 1, page.newline, indent)


def _below(page: Page, offset: int, indent: str) -> Gap:
    unfinished = offset == len(page.text) and not page.text.endswith(("\n", "\r"))
    return Gap(offset, offset, indent, -len(indent), page.newline if unfinished else "", "", unfinished)


def _extent(found: Layout, node: cst.CSTNode) -> tuple[int, int]:
    extent = found.extents.get(node)
    if extent is None:
        raise RefusedError("the node is not in this file")
    return extent


def _begin(found: Layout, statement: cst.CSTNode) -> int:
    if isinstance(statement, (cst.FunctionDef, cst.ClassDef)) and statement.decorators:
        statement = statement.decorators[0]
    return _extent(found, statement)[0]


def _last(page: Page, statement: cst.CSTNode, end: int, indent: str) -> int:
    """Offset of the line after a statement and after the comments that close its last block."""
    last = offset = page.layout.next_line(end)
    while isinstance(statement, cst.BaseCompoundStatement) and offset < len(page.text):
        below = page.layout.next_line(offset)
        line = page.text[offset:below]
        margin = len(line) - len(line.lstrip())
        if line.strip():
            if line[margin] != "#" or margin <= len(indent):
                break
            last = below
        offset = below
    return last


def _kinds(base: Any) -> frozenset[type[cst.CSTNode]]:
    """A node class with all classes derived from it, also those that only newer versions of libcst have."""
    return frozenset([base]).union(*map(_kinds, base.__subclasses__()))


_STRINGS = _kinds(cst.BaseString) - {cst.ConcatenatedString}
_CLAUSES: frozenset[type[cst.CSTNode]] = frozenset(
    {cst.Else, cst.ExceptHandler, cst.ExceptStarHandler, cst.Finally, cst.MatchCase, cst.Decorator}
)
_TRIVIA: frozenset[type[cst.CSTNode]] = frozenset({cst.Comment, cst.TrailingWhitespace})
_STATEMENTS = _kinds(cst.BaseStatement)
_BLOCKS = (cst.Module, cst.IndentedBlock)

KINDS = _STRINGS | _STATEMENTS | _kinds(cst.BaseSmallStatement) | _CLAUSES | _TRIVIA
"""The nodes whose extents a page needs."""
