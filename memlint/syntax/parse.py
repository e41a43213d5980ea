"""libcst's parser, without what it does twice: half a million nodes are made for a thousand files.

Two things of libcst are switched off here that only cost time. A node checks in its constructor what its
maker may have got wrong; the parser gets nothing wrong. And `CSTNode.__hash__` is a Python function that
returns the identity of the node, which is what `object.__hash__` is made from in C.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.source.parsing import parsed
from memlint.syntax.bare import Bare
from memlint.syntax.from_python import UnlikeError

_CHECKS = cst.CSTNode.__post_init__
"""libcst's own: what is put back is always this, also where two threads parse at a time."""


def tree_of(text: str) -> tuple[cst.Module, Bare | None]:
    """The syntax tree of a text, and what puts its layout into it where that is missing.

    Raises:
        libcst.ParserSyntaxError: the text is not Python.
    """
    try:
        bare = Bare(text, parsed(text), parse_module)
    except (UnlikeError, SyntaxError, ValueError, RecursionError, MemoryError):
        return parse_module(text), None
    return bare.module, bare


def parse_module(text: str) -> cst.Module:
    """The syntax tree of a text as libcst makes it.

    Raises:
        libcst.ParserSyntaxError: the text is not Python.
    """
    cst.CSTNode.__post_init__ = _unchecked  # type: ignore[method-assign, assignment]
    try:
        return cst.parse_module(text)
    finally:
        cst.CSTNode.__post_init__ = _CHECKS  # type: ignore[method-assign]


def _unchecked(node: cst.CSTNode) -> None:
    """What stands for the checks of a node while the parser makes it."""


def _kinds(kind: type[cst.CSTNode]) -> Iterator[type[cst.CSTNode]]:
    """A node class and all of its subclasses."""
    yield kind
    for below in kind.__subclasses__():
        yield from _kinds(below)


for _kind in _kinds(cst.CSTNode):  # type: ignore[type-abstract]
    _kind.__hash__ = object.__hash__  # type: ignore[method-assign]
