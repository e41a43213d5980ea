"""Syntax trees of libcst without their layout, made from the tree of Python's own parser.

libcst's parser takes eight times as long as Python's, and two nodes of five that it makes are white space,
which the analysis hardly asks for. A bare tree has the nodes of libcst's in the same places, but lacks what
`memlint.syntax.tree.children` leaves out: parentheses, commas, comments, white space. Where one of these is
asked for, be it `node.lpar`, libcst parses the text after all, and all that is missing is put into the nodes
that are there. So nobody has to know how a tree was made.

What is rare is left to libcst, for the whole text.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import cache
from weakref import WeakSet

import libcst as cst

from memlint.syntax.from_python import Converter, UnlikeError
from memlint.syntax.tree import children, code_fields, walk

_BEFORE_A_GROUP = frozenset(
    "and as assert await del elif else except for from if import in is lambda not or raise return while with"
    " yield".split()
)
"""The words behind which a parenthesis groups what is in it, and calls nothing."""

_UNINDENTED = ('"""', "'''", "\\\n")
"""What goes on at the very beginning of the next line."""

_NEAR = 200
"""How many characters beside an expression are looked at for its parentheses."""

_trees: WeakSet[Bare] = WeakSet()
"""The trees that are in use and without their layout."""


class Bare:
    """The tree of a text, whose layout is missing until somebody asks for it."""

    def __init__(self, text: str, tree: ast.Module, parse: Callable[[str], cst.Module]) -> None:
        """Make the tree.

        Args:
            text: the source.
            tree: what Python's parser made of it.
            parse: libcst's parser, for the layout.

        Raises:
            UnlikeError: libcst has to make the tree.
        """
        if _is_special(text):
            raise UnlikeError
        converter = Converter(text)
        self.text = text
        self.module = converter.module(tree)
        self.extents, self.indents, self.classes = converter.extents, converter.indents, converter.classes
        self._parse = parse
        _trees.add(self)

    def code(self, node: cst.CSTNode, parents: Mapping[cst.CSTNode, cst.CSTNode]) -> str:
        """The source of an expression as libcst generates it; "" for other nodes, and if that is uncertain.

        What libcst generates for a part of a block is without the indentation of the block.
        """
        if node not in self.extents:
            return ""
        begin, end = self.extents[node]
        if type(node) is cst.GeneratorExp and _calls(self.text[max(begin - _NEAR, 0) : begin].rstrip(" ")):
            code = self.text[begin + 1 : end - 1].strip()  # the parentheses are those of the call
            if "#" in code:
                return ""
        else:
            code = _with_parentheses(self.text, begin, end)
        if "\n" not in code:
            return code
        if any(mark in code for mark in _UNINDENTED):
            return ""
        above: cst.CSTNode | None = node
        while above is not None and above not in self.indents:
            above = parents.get(above)
        indent = self.indents[above] if above is not None else ""
        return code.replace(f"\n{indent}", "\n")

    def lines(self, node: cst.ClassDef) -> str:
        """The lines of a class from its name on, indented as they stand."""
        begin, end = self.classes[node]
        return self.text[begin:end]

    def fill(self) -> None:
        """Put the layout into all nodes, from the tree that libcst's parser makes."""
        _trees.discard(self)
        for mine, other in zip(_nodes(self.module), _nodes(self._parse(self.text)), strict=True):
            for name in _layout_fields(type(other)):
                object.__setattr__(mine, name, getattr(other, name))


def _is_special(text: str) -> bool:
    """Whether a text has line ends or indentation that the two parsers may see differently."""
    if any(sign in text for sign in "\r\f\0"):
        return True
    return "\t" in text and re.search(r"^ *\t", text, re.MULTILINE) is not None


def _nodes(module: cst.Module) -> Iterator[cst.CSTNode]:
    """The nodes of a tree, those of `*args` and `**kwargs` too, which `children` leaves out."""
    pending: list[cst.CSTNode] = [module]
    del module  # a tree that nobody else has is freed node by node
    while pending:
        node = pending.pop()
        yield node
        pending += children(node)
        if type(node) is cst.Parameters:
            pending += [part for part in (node.star_arg, node.star_kwarg) if isinstance(part, cst.CSTNode)]


@cache
def _layout_fields(kind: type[cst.CSTNode]) -> frozenset[str]:
    """The fields of a node class that bare trees lack, or have without white space, such as operators."""
    names = (field.name for field in fields(kind))
    return frozenset(names).difference(code_fields(kind), ("star_arg", "star_kwarg"))


def _filled_in(node: cst.CSTNode, name: str) -> object:
    """An attribute that a node has not: the layout of a bare tree, which it is given now, or none at all."""
    if name in _layout_fields(type(node)):
        tree = _tree_with(node)
        if tree is not None:
            tree.fill()
            return getattr(node, name)
    raise AttributeError(f"{type(node).__name__!r} object has no attribute {name!r}")


cst.CSTNode.__getattr__ = _filled_in  # type: ignore[attr-defined]


def _tree_with(node: cst.CSTNode) -> Bare | None:
    """The bare tree that a node is part of."""
    for part in walk(node):
        for tree in _trees:
            if part in tree.extents:
                return tree
    return next((tree for tree in _trees if any(node is part for part in _nodes(tree.module))), None)


def _with_parentheses(text: str, begin: int, end: int) -> str:
    """An expression with the parentheses around it alone; "" where a comment may hide one of them."""
    while True:
        before, after = text[max(begin - _NEAR, 0) : begin], text[end : end + _NEAR].lstrip(" \n")
        if not after.startswith((")", "#", "\\")):
            break
        opening = before.rstrip(" \n")
        if "\n" in before[len(opening) :] and "#" in opening[opening.rfind("\n") + 1 :]:
            return ""
        if not opening.endswith("("):
            break
        if not after.startswith(")"):
            return ""
        if _calls(opening[:-1].rstrip(" ")):
            break
        begin, end = text.rindex("(", 0, begin), text.index(")", end) + 1
    return text[begin:end]


def _calls(before: str) -> bool:
    """Whether a parenthesis behind a text belongs to a call or to a definition."""
    word = re.search(r"\w+\Z", before)
    if word is not None:
        return word.group() not in _BEFORE_A_GROUP
    return before.endswith((")", "]", "}", '"', "'"))
