"""A file that a change is written into: its syntax tree, and the edits that leave all else as it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

INDENT = "    "


class RefusedError(Exception):
    """A change cannot be written here; the message says why."""


@dataclass(slots=True)
class Page:
    """The text of a file, and what is to change in it; lines count from 1, columns are bytes.

    `blocks` holds, by their first and last line, the headers that lines are put under, and `footers` what
    comes below them, as deep as the headers; `parts` holds, by line
    and column, the bytes that are replaced there and what by (with line ends, where it is several
    statements); `imports` are lines above the first statement, and `dropped` lines are left out.
    """

    text: str
    tree: ast.Module
    lines: list[str]
    blocks: dict[tuple[int, int], list[str]] = field(default_factory=dict)
    footers: dict[tuple[int, int], str] = field(default_factory=dict)
    parts: list[tuple[int, int, int, str]] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)
    dropped: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, text: str) -> Page:
        """A file as it is.

        Raises:
            RefusedError: it is no Python.
        """
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError) as error:
            raise RefusedError("the file is no Python") from error
        return cls(text, tree, text.split("\n"))

    def source(self, node: ast.AST) -> str:
        """What stands at a node."""
        return ast.get_source_segment(self.text, node) or ""

    def put_before(self, node: ast.expr, text: str) -> None:
        """Insert text in front of an expression."""
        self.parts.append((node.lineno, node.col_offset, 0, text))

    def put_behind(self, node: ast.expr, text: str) -> None:
        """Insert text behind an expression."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        self.parts.append((node.end_lineno, node.end_col_offset, 0, text))

    def replace(self, node: ast.expr, text: str) -> None:
        """Write something else for an expression that stands on one line."""
        assert node.end_col_offset is not None
        if node.lineno != node.end_lineno:
            raise RefusedError("an expression goes over several lines")
        self.parts.append((node.lineno, node.col_offset, node.end_col_offset - node.col_offset, text))

    def put_above(self, statement: ast.stmt, code: str) -> None:
        """Insert a statement above one that begins its line, as deep as that."""
        first = min([statement.lineno, *(each.lineno for each in getattr(statement, "decorator_list", ()))])
        margin = self.lines[first - 1].encode()[: statement.col_offset].decode()
        if margin.strip():
            raise RefusedError("a statement shares its line with others")
        self.parts.append((first, len(margin.encode()), 0, f"{code}\n{margin}"))

    def put_below(self, statement: ast.stmt, code: str) -> None:
        """Insert a statement below one that has its line for itself, as deep as that."""
        margin = self.lines[statement.lineno - 1].encode()[: statement.col_offset].decode()
        if margin.strip() or self._shares(statement):
            raise RefusedError("a statement shares its line with others")
        last = _end(statement)
        self.parts.append((last, len(self.lines[last - 1].encode()), 0, f"\n{margin}{code}"))

    def drop(self, statement: ast.stmt) -> None:
        """Leave out a statement that has its line for itself."""
        row = self.lines[statement.lineno - 1].encode()
        if row[: statement.col_offset].strip() or self._shares(statement):
            raise RefusedError("a statement shares its line with others")
        self.dropped.update(range(statement.lineno, _end(statement) + 1))

    def put_under(self, statements: Sequence[ast.stmt], header: str, footer: str = "") -> None:
        """Indent statements that follow each other below a header ("if ready:"), which may be several lines.

        Raises:
            RefusedError: a string goes over several lines, or a statement shares its line with others.
        """
        first, last = statements[0].lineno, _end(statements[-1])
        first = min([first, *(each.lineno for each in getattr(statements[0], "decorator_list", ()))])
        before = self.lines[first - 1].encode()[: statements[0].col_offset]
        if before.strip() or self._shares(statements[-1]):
            raise RefusedError("a statement shares its line with others")
        for node in (node for statement in statements for node in ast.walk(statement)):
            if isinstance(node, (ast.Constant, ast.JoinedStr)) and _end(node) > node.lineno:
                raise RefusedError("a string goes over several lines")
        self.blocks.setdefault((first, last), []).append(header)
        if footer:
            self.footers[first, last] = footer

    def torch(self) -> str:
        """The name of torch in the file; it is imported where it has none."""
        for statement in ast.walk(self.tree):
            for alias in statement.names if isinstance(statement, ast.Import) else ():
                if alias.name == "torch" and alias.asname:
                    return alias.asname
                if alias.name.partition(".")[0] == "torch" and not alias.asname:
                    return "torch"
        if "import torch" not in self.imports:
            self.imports.append("import torch")
        return "torch"

    def names(self) -> frozenset[str]:
        """Every name in the file."""
        return frozenset(node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name))

    def changed(self) -> str:
        """The text with all edits.

        Raises:
            RefusedError: what comes of them is no Python.
        """
        rows = list(self.lines)
        # What is put at one place stands in the order in which it was put there.
        order = sorted(range(len(self.parts)), key=lambda number: (*self.parts[number][:2], number))
        for line, column, length, new in (self.parts[number] for number in reversed(order)):
            row = rows[line - 1].encode()
            rows[line - 1] = (row[:column] + new.encode() + row[column + length :]).decode()
        made = "\n".join(self._indented(rows))
        try:
            ast.parse(made)
        except SyntaxError as error:
            raise RefusedError("what was written is no Python") from error
        return made

    def _indented(self, rows: Sequence[str]) -> Iterator[str]:
        top = self._top()
        margins: dict[tuple[int, int], str] = {}
        for number, row in enumerate(rows, 1):
            if number == top:
                yield from self.imports
            depth = 0
            for first, last in sorted(self.blocks, key=lambda block: (block[0], -block[1])):
                if first == number:
                    margins[first, last] = row[: len(row) - len(row.lstrip())] + depth * INDENT
                    for line in _joined(self.blocks[first, last]).split("\n"):
                        yield margins[first, last] + line
                depth += first <= number <= last
            for part in row.split("\n") if number not in self.dropped else ():
                yield depth * INDENT + part if part.strip() else part
            for block in sorted(self.footers):
                if block[1] == number:
                    yield margins[block] + self.footers[block]

    def _top(self) -> int:
        """The line of the first statement that is neither a docstring nor an import from the future."""
        for statement in self.tree.body:
            future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
            said = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            if not future and not said:
                return statement.lineno
        return 1

    def _shares(self, statement: ast.stmt) -> bool:
        rest = self.lines[_end(statement) - 1].encode()[statement.end_col_offset :]
        return rest.strip().startswith(b";")


def suites(statement: ast.AST) -> Iterator[list[ast.stmt]]:
    """The blocks of statements directly in a statement."""
    for name in ("body", "orelse", "finalbody"):
        found = getattr(statement, name, None)
        if isinstance(found, list) and found:
            yield found
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield part.body


def between(tree: ast.Module, first: int, last: int) -> tuple[list[ast.stmt], int, int]:
    """The block in which two lines belong to different statements, and the numbers of these.

    Raises:
        RefusedError: there is none.
    """
    waiting: list[list[ast.stmt]] = [tree.body]
    while waiting:
        suite = waiting.pop()
        start, end = _at(suite, first), _at(suite, last)
        if start is None or end is None:
            continue
        if start != end:
            return suite, start, end
        waiting = list(suites(suite[start]))
    raise RefusedError("forward pass and backward are one statement")


def _at(suite: Sequence[ast.stmt], line: int) -> int | None:
    return next((n for n, statement in enumerate(suite) if statement.lineno <= line <= _end(statement)), None)


def _end(node: ast.AST) -> int:
    return int(getattr(node, "end_lineno", 0) or 0)


def _joined(headers: Sequence[str]) -> str:
    """Several `with` as one."""
    if len(headers) == 1:
        return headers[0]
    return "with " + ", ".join(header.removeprefix("with ").removesuffix(":") for header in headers) + ":"
