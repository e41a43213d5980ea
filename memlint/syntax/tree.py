"""Walking the concrete syntax tree over what means something, past all white space and punctuation."""

from __future__ import annotations

import dataclasses
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any, TypeVar

import libcst as cst

N = TypeVar("N", bound=cst.CSTNode)

_SYNTAX_ONLY = (
    "whitespace", "lpar", "rpar", "comma", "semicolon", "leading", "header", "footer",
    "lbracket", "rbracket", "lbrace", "rbrace", "equal", "dot", "colon", "trailing", "lines_after",
    "newline", "indent", "operator", "star", "start", "end", "relative", "asynchronous",
    "first_colon", "second_colon", "encoding", "default_indent", "default_newline", "has_trailing",
    "posonly_ind", "conversion", "separator",
)  # fmt: skip


class _Fields(dict[type[cst.CSTNode], tuple[str, ...]]):
    """The names of the fields of each node class that hold code rather than its layout."""

    def __missing__(self, kind: type[cst.CSTNode]) -> tuple[str, ...]:
        names = (f.name for f in dataclasses.fields(kind))
        self[kind] = found = tuple(n for n in names if not n.startswith(_SYNTAX_ONLY))
        return found


class _Values(dict[type[cst.CSTNode], Callable[[cst.CSTNode], tuple[Any, ...]]]):
    """What reads those of these fields of a node that are no text, all at once."""

    def __missing__(self, kind: type[cst.CSTNode]) -> Callable[[cst.CSTNode], tuple[Any, ...]]:
        texts = {f.name for f in dataclasses.fields(kind) if f.type in (str, "str")}
        names = tuple(name for name in _fields[kind] if name not in texts)
        if len(names) > 1:
            self[kind] = attrgetter(*names)
        else:
            self[kind] = (lambda node: (getattr(node, names[0]),)) if names else (lambda node: ())
        return self[kind]


class _NodeTypes(dict[type, bool]):
    """Whether a type is a node class. These are abstract base classes, whose isinstance is slow."""

    def __missing__(self, kind: type) -> bool:
        self[kind] = found = issubclass(kind, cst.CSTNode)
        return found


_fields, _values, _is_node = _Fields(), _Values(), _NodeTypes()


def code_fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    """The names of the fields of a node class that hold code rather than its layout."""
    return _fields[kind]


def children(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The nodes directly below `node`, in source order for everything that evaluates in that order."""
    found: list[cst.CSTNode] = []
    for value in _values[type(node)](node):
        kind = type(value)
        if kind is tuple or kind is list:
            if value:
                found += [item for item in value if _is_node[type(item)]]
        elif _is_node[kind]:
            found.append(value)
    return found


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """`node` and everything below it, parents before children."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack += reversed(children(current))


class Preorder:
    """All nodes of a module in source order, so that walking a part of it is taking a slice."""

    def __init__(self, module: cst.Module) -> None:
        self.nodes: list[cst.CSTNode] = []
        self.position: dict[cst.CSTNode, int] = {}
        self._ends: list[int] = []
        self._kinds: dict[type[cst.CSTNode], list[cst.CSTNode]] = {}
        # A number stands for the end of what is below the node of that rank.
        stack: list[cst.CSTNode | int] = [module]
        while stack:
            node = stack.pop()
            if type(node) is int:
                self._ends[node] = len(self.nodes)
                continue
            rank = self.position[node] = len(self.nodes)  # type: ignore[index]
            self.nodes.append(node)  # type: ignore[arg-type]
            self._ends.append(rank + 1)
            # Most nodes are names, which have nothing below them.
            if type(node) is not cst.Name and (below := children(node)):  # type: ignore[arg-type]
                stack.append(rank)
                below.reverse()
                stack += below

    def walk(self, node: cst.CSTNode) -> list[cst.CSTNode]:
        """`node` and everything below it, parents before children.

        Raises:
            KeyError: the node is not part of this module.
        """
        rank = self.position[node]
        return self.nodes[rank : self._ends[rank]]

    def every(self, kind: type[N], below: cst.CSTNode | None = None) -> list[N]:
        """The nodes of exactly one class in source order, all or `below` and what it holds.

        Raises:
            KeyError: `below` is not part of this module.
        """
        if not self._kinds:
            for node in self.nodes:
                self._kinds.setdefault(type(node), []).append(node)
        found: list[N] = self._kinds.get(kind, [])  # type: ignore[assignment]
        if below is None:
            return found
        rank, position = self.position[below], self.position.__getitem__
        first = bisect_left(found, rank, key=position)
        return found[first : bisect_left(found, self._ends[rank], first, key=position)]


def dotted(node: cst.CSTNode) -> str:
    """`a.b.c` for a chain of attributes on a name, "" for anything else."""
    if type(node) is cst.Name:
        return node.value
    parts: list[str] = []
    while type(node) is cst.Attribute:
        parts.append(node.attr.value)
        node = node.value
    if type(node) is not cst.Name:
        return ""
    parts.append(node.value)
    parts.reverse()
    return ".".join(parts)


def last_name(node: cst.CSTNode) -> str:
    """`k` for `k`, `args.k` and `make().k`; "" for anything else."""
    if type(node) is cst.Name:
        return node.value
    return node.attr.value if type(node) is cst.Attribute else ""


def words_in(code: str) -> list[str]:
    """The identifiers in a piece of source."""
    return re.findall(r"[A-Za-z_]\w*", code)


def leftmost(node: cst.CSTNode) -> cst.CSTNode:
    """What an attribute or subscript chain starts with."""
    while type(node) is cst.Attribute or type(node) is cst.Subscript:
        node = node.value
    return node


def root_name(node: cst.CSTNode) -> str:
    """The leftmost name of an attribute or subscript chain, "" where it starts with something else."""
    first = leftmost(node)
    return first.value if type(first) is cst.Name else ""


def statements(body: cst.CSTNode) -> tuple[cst.BaseStatement | cst.BaseSmallStatement, ...]:
    """The statements of a suite: an indented block, a one-line suite or a module."""
    if type(body) is cst.Module or type(body) is cst.IndentedBlock or type(body) is cst.SimpleStatementSuite:
        return tuple(body.body)
    return ()


def header_of(loop: cst.CSTNode) -> cst.CSTNode:
    """What a loop goes through, or goes on for: its iterable, or the test of a `while`."""
    return loop.test if isinstance(loop, cst.While) else getattr(loop, "iter", loop)


def is_main_guard(node: cst.CSTNode) -> bool:
    """Whether a node is `if __name__ == "__main__":`, in this order or the other."""
    if not isinstance(node, cst.If) or not isinstance(node.test, cst.Comparison):
        return False
    sides = (node.test.left, *(target.comparator for target in node.test.comparisons))
    return any(type(side) is cst.Name and side.value == "__name__" for side in sides)


def methods(node: cst.ClassDef) -> list[cst.FunctionDef]:
    """The methods that a class defines itself."""
    return [found for found in statements(node.body) if isinstance(found, cst.FunctionDef)]


def comments_on(line: cst.CSTNode | None) -> list[str]:
    """The comments above a line of code and behind it."""
    if not isinstance(line, cst.SimpleStatementLine):
        return []
    found = [*(empty.comment for empty in line.leading_lines), line.trailing_whitespace.comment]
    return [comment.value for comment in found if comment is not None]


def comments_above(statement: cst.CSTNode) -> list[str]:
    """The comments in the lines right above a statement."""
    lines = getattr(statement, "leading_lines", ())
    return [line.comment.value for line in lines if line.comment is not None]


def comments_within(node: cst.CSTNode) -> list[str]:
    """The comments of a statement: behind it and between its lines, not above it."""
    above = set(getattr(node, "leading_lines", ()))
    pending, found = [child for child in node.children if child not in above], []
    while pending:
        part = pending.pop()
        if isinstance(part, cst.Comment):
            found.append(part.value)
        pending.extend(part.children)
    return found
