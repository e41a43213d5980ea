"""From a planned change of the tree to byte-exact edits of the text.

Everything the plan does not name keeps its bytes: layout, comments, line ends, other statements.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from itertools import groupby

import libcst as cst

from memlint.analysis.match import (
    AddImport,
    Change,
    Decorate,
    InsertAfter,
    InsertBefore,
    Move,
    Plan,
    Remove,
    Replace,
    Wrap,
)
from memlint.edit.imports import import_gap, is_missing
from memlint.edit.moved import gap_above, moved_lines
from memlint.edit.places import (
    KINDS,
    Gap,
    Page,
    Place,
    RefusedError,
    Tree,
    enclosing_statement,
    is_suppressed,
    place_of,
    read_page,
)
from memlint.edit.verify import is_pragma, still_parses
from memlint.finding import Edit, Fix
from memlint.records import dataclass
from memlint.syntax.spans import Layout, layout

_DECORATOR_ORDER = 2
_STEP_ORDER = 3
_LISTED = (cst.Arg, cst.BaseElement, cst.BaseDictElement)
_WEAK = (cst.Tuple, cst.Yield, cst.NamedExpr)
_STRONG = (
    cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.BaseNumber, cst.SimpleString,
    cst.FormattedString, cst.List, cst.Set, cst.Dict, cst.BaseComp, cst.Ellipsis,
)  # fmt: skip


def lower(plan: Plan, model: Tree) -> Fix | None:
    """The plan as a fix, or None when it cannot be carried out on this text.

    Refused are statements that carry a suppression comment, nodes of another file, changes that
    overlap, edits that would lose a comment, and results that do not parse.
    """
    fix = lower_all([plan], model, lay_out([plan], model))[0]
    return fix if isinstance(fix, Fix) else None


def lay_out(plans: Sequence[Plan], model: Tree, nodes: Iterable[cst.CSTNode] = ()) -> Layout:
    """A script with the extents of `nodes` and of everything that lowering the plans asks for."""
    replaced = [change.node for plan in plans for change in plan.changes if isinstance(change, Replace)]
    return layout(model.module, [*nodes, *replaced], KINDS if plans else frozenset())


@dataclass(frozen=True, slots=True)
class Refused:
    """A plan that cannot be written into its text; `reason` says why, as the end of a sentence."""

    reason: str


def lower_all(plans: Sequence[Plan], model: Tree, found: Layout) -> list[Fix | Refused]:
    """Several plans for one script that `lay_out` laid out for them, each as `lower` does it."""
    if not plans:
        return []
    page = read_page(model, found)
    unread = Refused("the layout of this file cannot be edited safely")
    return [_lower(plan, page) if page is not None else unread for plan in plans]


def _lower(plan: Plan, page: Page) -> Fix | Refused:
    try:
        pieces = _Draft(page).joined(plan.changes)
    except RefusedError as refused:
        return Refused(str(refused))
    if all(page.text[piece.begin : piece.end] == piece.text for piece in pieces):
        return Refused("nothing would change")
    if not _parses(page, pieces):
        return Refused("the edited code would not compile")
    edits = tuple(Edit(page.layout.span(piece.begin, piece.end), piece.text) for piece in pieces)
    return Fix(plan.applicability, plan.title, edits, plan.caution)


def _parses(page: Page, pieces: Sequence[_Piece]) -> bool:
    """Whether the edited text parses; only the statements around the edits need to be read."""
    inner = {_statement_around(page, piece) for piece in pieces}
    if None not in inner and all(_window_parses(page, pieces, *window) for window in inner if window):
        return True
    windows = set()
    for piece in pieces:
        first = max(bisect_left(page.bounds, piece.begin) - 1, 0)
        last = min(bisect_right(page.bounds, piece.end), len(page.bounds) - 1)
        windows.add((page.bounds[first], page.bounds[last]))
    return all(_window_parses(page, pieces, begin, end) for begin, end in windows)


def _statement_around(page: Page, piece: _Piece) -> tuple[int, int] | None:
    """The lines of the smallest statement that holds a piece and more than it; None at top level."""
    place = bisect_left(page.lines, (piece.begin,)) - 1
    while place >= 0 and page.lines[place][1] <= piece.end:
        place = page.outer[place]
    return page.lines[place] if place >= 0 else None


def _window_parses(page: Page, pieces: Sequence[_Piece], begin: int, end: int) -> bool:
    inside = [piece for piece in pieces if begin <= piece.begin and piece.end <= end]
    new, old = _spliced(page.text, inside, begin, end), page.text[begin:end]
    opener = "if 1:\n" if old[:1] in (" ", "\t") else ""
    return still_parses(opener + new, opener + old)


def _spliced(text: str, pieces: Sequence[_Piece], begin: int, end: int) -> str:
    """A stretch of text with pieces put in.

    Raises:
        RefusedError: two pieces overlap.
    """
    parts: list[str] = []
    for piece in pieces:
        if piece.begin < begin:
            raise RefusedError("two changes overlap")
        parts += [text[begin : piece.begin], piece.text]
        begin = piece.end
    return "".join(parts) + text[begin:end]


@dataclass(frozen=True, slots=True, order=True)
class _Piece:
    """One replacement; `order` sorts insertions at the same offset."""

    begin: int
    end: int
    order: int
    text: str


@dataclass(slots=True)
class _Draft:
    """The pieces of one plan while they are collected."""

    page: Page
    pieces: set[_Piece] = field(default_factory=set)
    lines: dict[Gap, list[str]] = field(default_factory=dict)
    steps: dict[Gap, str] = field(default_factory=dict)
    hulls: list[tuple[int, int]] = field(default_factory=list)
    wrapped: list[Place] = field(default_factory=list)
    filled: set[cst.CSTNode] = field(default_factory=set)
    moved: dict[cst.CSTNode, int] = field(default_factory=dict)

    def joined(self, changes: Sequence[Change]) -> list[_Piece]:
        """The pieces of all changes in file order; those of a wrapped stretch, or at one offset, are one.

        Raises:
            RefusedError: two changes exclude each other, a comment would be lost, or a place is not sure.
        """
        for change in changes:
            self._add(change)
        self._add_imports([change.code for change in changes if isinstance(change, AddImport)])
        self._remove([change.statement for change in changes if isinstance(change, (Remove, Move))])
        self._keep_unfinished()
        self._check_wrapped()
        for gap, lines in self.lines.items():
            text = gap.filled(lines, self.page.newline) + self.steps.get(gap, "")
            self.pieces.add(_Piece(gap.begin, gap.end, gap.order, text))
        self._close_gaps()
        groups = [list(group) for _, group in groupby(sorted(self.pieces), self._group)]
        pieces = [
            _Piece(first.begin, last.end, 0, _spliced(self.page.text, group, first.begin, last.end))
            for group in groups
            for first, last in [(group[0], group[-1])]
        ]
        _spliced(self.page.text, pieces, 0, len(self.page.text))
        return pieces

    def _add(self, change: Change) -> None:
        match change:
            case Replace(node, code):
                self._allowed(node)
                self._replace(node, code)
            case InsertBefore(statement, code) | InsertAfter(statement, code):
                self._allowed(statement)
                place = place_of(self.page, statement)
                above = isinstance(change, InsertBefore)
                gap = gap_above(self.page, place) if above else place.after
                lines = self._code_lines(statement, code)
                apart = above and isinstance(statement, (cst.FunctionDef, cst.ClassDef)) and lines[-1]
                if apart and gap not in self.lines:
                    lines += [""] * _empty_lines_above(self.page, gap.begin)
                self._put(place, gap, lines)
                self.filled.add(_block(self.page, statement))
            case Wrap(statements, header):
                self._wrap(statements, header)
            case Decorate(function, code):
                self._allowed(function)
                self._decorate(function, code)
            case Move(statement, beside):
                self._move(change, statement, beside)
            case Remove(statement):
                self._allowed(statement)

    def _move(self, change: Move, statement: cst.CSTNode, beside: cst.CSTNode) -> None:
        """Put the lines of a statement to their new place; `_remove` takes them from the old one."""
        self._allowed(statement)
        self._allowed(beside)
        begin, lines = moved_lines(self.page, place_of(self.page, statement), led=change.led)
        place = place_of(self.page, beside)
        self._put(place, place.after if change.below else gap_above(self.page, place), lines)
        self.filled.add(_block(self.page, beside))
        self.moved[statement] = begin

    def _allowed(self, node: cst.CSTNode) -> None:
        if is_suppressed(self.page, enclosing_statement(self.page, node)):
            raise RefusedError("the statement carries a suppression comment")

    def _put(self, place: Place, gap: Gap, lines: Sequence[str]) -> None:
        self.lines.setdefault(gap, []).extend(lines)
        if place.opening is not None:
            self.lines.setdefault(place.opening, [])

    def _code_lines(self, near: cst.CSTNode, code: str) -> list[str]:
        """New code line by line, empty ones too, its steps of four spaces turned into those of the block."""
        if '"""' in code or "'''" in code:
            raise RefusedError("new lines must not hold a string of several lines")
        step = self.page.step(near)
        lines = []
        for line in code.removesuffix("\n").split("\n"):
            rest = line.lstrip(" ")
            depth, extra = divmod(len(line) - len(rest), 4)
            lines.append(step * depth + " " * extra + rest if rest else "")
        return lines

    def _replace(self, node: cst.CSTNode, code: str) -> None:
        if isinstance(node, (cst.BaseStatement, cst.BaseSmallStatement)):
            place = place_of(self.page, node)
            begin, end = place.begin, place.end
            lines = self._code_lines(node, code)
            if len(lines) > 1:
                for gap in (place.before, place.after):
                    if gap.cuts:
                        self._put(place, gap, [])
            below = (f"{place.indent}{line}" if line else "" for line in lines[1:])
            new = self.page.newline.join([lines[0], *below])
        else:
            begin, end = self.page.extent(node)
            new = self._expression(node, code).replace("\n", self.page.newline)
        if any(comment not in code for comment in self.page.comments_in(begin, end)):
            raise RefusedError("a comment would be lost")
        self.pieces.add(_Piece(begin, end, 0, new))

    def _expression(self, node: cst.CSTNode, code: str) -> str:
        """New code for an expression, in parentheses where it would bind looser than its surroundings."""
        if not isinstance(node, cst.BaseExpression) or node.lpar:
            return code
        try:
            new = cst.parse_expression(code)
        except cst.ParserSyntaxError:
            raise RefusedError("the new code is no expression") from None
        parent = self.page.tree.parent(node)
        if isinstance(parent, (cst.BaseExpression, cst.ComparisonTarget)):
            loose = not isinstance(new, _STRONG)
        else:
            loose = isinstance(new, _WEAK) and isinstance(parent, _LISTED)
        return f"({code})" if loose and not new.lpar else code

    def _decorate(self, function: cst.FunctionDef, code: str) -> None:
        place = place_of(self.page, function)
        start = self.page.layout.line_start(self.page.extent(function)[0])
        gap = Gap(start, start, place.indent, _DECORATOR_ORDER)
        self._put(place, gap, self._code_lines(function, code))

    def _wrap(self, statements: Sequence[cst.CSTNode], header: str) -> None:
        for statement in statements:
            self._allowed(statement)
        places = [place_of(self.page, statement) for statement in statements]
        if not _are_consecutive(places):
            raise RefusedError("the statements do not follow each other in one block")
        first, last = places[0], places[-1]
        step = self.page.step(statements[0])
        self._put(first, first.before, [header])
        if first.before.cuts:
            self.steps[first.before] = step
        end = first.before.end
        for offset in self._indentable(first.first, last.last):
            self.pieces.add(_Piece(offset, offset, _STEP_ORDER, step))
            end = offset
        if last.after.cuts:
            self._put(last, last.after, [])
            end = last.after.end
        self.hulls.append((first.before.begin, end))
        self.wrapped.append(replace(first, last=last.last))

    def _check_wrapped(self) -> None:
        """Inside of a wrapped stretch nothing may change its lines: they would miss the new indentation."""
        for place in self.wrapped:
            for gap, lines in self.lines.items():
                deeper = gap.begin == place.last and len(gap.indent) > len(place.indent)
                if lines and (place.first < gap.begin < place.last or deeper):
                    raise RefusedError("lines would be put into a wrapped statement")
            for piece in self.pieces:
                changed = piece.text + self.page.text[piece.begin : piece.end]
                if place.first <= piece.begin < place.last and ("\n" in changed or "\r" in changed):
                    raise RefusedError("lines of a wrapped statement would change")

    def _indentable(self, begin: int, end: int) -> Iterator[int]:
        """The starts of the lines in a stretch that hold something and do not begin inside a string."""
        layout = self.page.layout
        for offset in layout.starts[layout.line(begin) :]:
            if offset >= end:
                return
            line = self.page.text[offset : layout.next_line(offset)]
            if offset >= begin and offset not in self.page.frozen and line.strip():
                yield offset

    def _add_imports(self, codes: Sequence[str]) -> None:
        wanted = [code for code in dict.fromkeys(codes) if is_missing(self.page.tree.module, code)]
        if wanted:
            gap, above, below = import_gap(self.page)
            self.lines.setdefault(gap, [])[:0] = [*above, *wanted, *below]

    def _remove(self, statements: Sequence[cst.CSTNode]) -> None:
        """Take statements away, all at once: only together do they say which blocks are left empty."""
        gone = set(statements)
        for statement in statements:
            line = self.page.tree.parent(statement)
            if isinstance(line, cst.SimpleStatementLine) and gone.issuperset(line.body):
                gone.difference_update(line.body)
                gone.add(line)
        for statement in gone:
            if isinstance(statement, cst.BaseSmallStatement):
                self._remove_part(statement, gone)
            else:
                self._remove_lines(statement, gone)

    def _remove_lines(self, statement: cst.CSTNode, gone: set[cst.CSTNode]) -> None:
        place = place_of(self.page, statement)
        moves = statement in self.moved
        first = self.moved.get(statement, place.first)
        # What is moved takes its comments along, and a note to another tool goes with its lines.
        around = () if moves else self.page.comments_in(place.first, place.last)
        kept = [c for c in around if not is_pragma(c)]
        block = _block(self.page, statement)
        needs_body = isinstance(block, cst.IndentedBlock) and block not in self.filled
        if needs_body and gone.issuperset(place.siblings) and place.index == len(place.siblings) - 1:
            kept.insert(0, "pass")
        text = "".join(f"{place.indent}{line}{self.page.newline}" for line in kept)
        if place.after.at_end:
            text = text.removesuffix(self.page.newline)
        last = place.last
        while not (first or text) and self.page.text.startswith(self.page.newline, last):
            last += len(self.page.newline)  # a file does not begin with empty lines
        self.pieces.add(_Piece(first, last, 0, text))

    def _close_gaps(self) -> None:
        """Where whole lines go from between empty lines, those above them are enough."""
        end, above = -1, 0
        for piece in sorted(self.pieces) if not self.hulls else ():
            begins_line = self.page.layout.line_start(piece.begin) == piece.begin
            if piece.text or piece.begin == piece.end or not begins_line:
                continue
            above = above if piece.begin == end else _empty_lines_above(self.page, piece.begin)
            end = _below_empty_lines(self.page, piece.end, above)
            if end == len(self.page.text) or any(piece.end <= p.begin < end for p in self.pieces):
                end = piece.end
            self.pieces.remove(piece)
            self.pieces.add(_Piece(piece.begin, end, piece.order, ""))

    def _remove_part(self, statement: cst.BaseSmallStatement, gone: set[cst.CSTNode]) -> None:
        """Take one statement out of a line of several, with the semicolon that it leaves over."""
        place = place_of(self.page, statement)
        if self.page.comments_in(place.begin, place.end):
            raise RefusedError("a comment would be lost")
        extents = [self.page.extent(sibling) for sibling in place.siblings]
        leading = gone.issuperset(place.siblings[: place.index])
        if gone.issuperset(place.siblings):
            text = "pass" if place.index == len(extents) - 1 else ""
            begin = extents[place.index - 1][1] if place.index else place.begin
            self.pieces.add(_Piece(begin, place.end, 0, text))
        elif leading:
            self.pieces.add(_Piece(place.begin, extents[place.index + 1][0], 0, ""))
        else:
            self.pieces.add(_Piece(extents[place.index - 1][1], place.end, 0, ""))

    def _keep_unfinished(self) -> None:
        """A file that ends within a line does so, too, when its last lines are taken away."""
        text = self.page.text
        begin, gone = len(text), set()
        for piece in sorted(self.pieces, reverse=True):
            if piece.text or piece.end != begin or text.endswith(("\n", "\r")):
                break
            begin = piece.begin
            gone.add(piece)
        above = text[:begin].removesuffix("\n").removesuffix("\r")
        if gone and above != text[:begin]:
            self.pieces -= gone
            self.pieces.add(_Piece(len(above), len(text), 0, ""))

    def _group(self, piece: _Piece) -> tuple[int, int]:
        for hull in self.hulls:
            if hull[0] <= piece.begin and piece.end <= hull[1]:
                return hull
        return piece.begin, piece.end


def _empty_lines_above(page: Page, offset: int) -> int:
    count = 0
    while offset > 0 and not page.text[(begin := page.layout.line_start(offset - 1)) : offset].strip():
        offset, count = begin, count + 1
    return count


def _below_empty_lines(page: Page, offset: int, most: int) -> int:
    """The offset below the empty lines that begin at an offset, at most so many of them."""
    while most and offset < len(page.text) and not page.text[offset : page.layout.next_line(offset)].strip():
        offset, most = page.layout.next_line(offset), most - 1
    return offset


def _block(page: Page, statement: cst.CSTNode) -> cst.CSTNode:
    """The block whose lines a statement fills."""
    parent = page.tree.parent(statement)
    if isinstance(parent, cst.SimpleStatementLine):
        parent = page.tree.parent(parent)
    if parent is None:
        raise RefusedError("the statement is not in this file")
    return parent


def _are_consecutive(places: Sequence[Place]) -> bool:
    return bool(places) and all(
        place.siblings is places[0].siblings and place.index == places[0].index + count
        for count, place in enumerate(places)
    )
