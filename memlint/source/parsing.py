"""Python's own parser, which goes equally deep in every process and for every file."""

from __future__ import annotations

import ast
import sys
import warnings
from weakref import WeakValueDictionary

DEPTH = 1000
"""The recursion limit while a text is parsed, above where the caller is. CPython 3.11 takes three levels of a
syntax tree for each; later versions have limits of their own."""

_in_use: WeakValueDictionary[str, ast.Module] = WeakValueDictionary()
"""The trees that somebody holds: a file is asked about in several places while it is checked."""


def parsed(text: str) -> ast.Module:
    """The syntax tree of a text, without the warnings of the parser; nobody changes it.

    How deep a tree may be follows from the recursion limit, which the analysis raises once it has a file to
    run. With that limit a file would be refused as the first of a run, and accepted as the second.

    Raises:
        SyntaxError: it is not Python.
        ValueError: it holds a null byte, in some versions.
        RecursionError: it is nested too deeply. Python would not run it either.
        MemoryError: the same, from another part of the parser.
    """
    known = _in_use.get(text)
    if known is not None:
        return known
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(_frames() + DEPTH)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = _in_use[text] = ast.parse(text)
            return found
    finally:
        sys.setrecursionlimit(before)


def _frames() -> int:
    """How many frames are running."""
    frame, count = sys._getframe(), 1
    while frame.f_back is not None:
        frame, count = frame.f_back, count + 1
    return count
