"""Functions that a fix adds to a file."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.match import InsertBefore
from memlint.analysis.model import ScriptModel


def add_function(model: ScriptModel, node: cst.CSTNode, code: str) -> InsertBefore | None:
    """The change that puts a function above the statement of the file that `node` stands in."""
    place = [above for above in model.ancestors(node) if model.parent(above) is model.module]
    return InsertBefore(place[0], "\n" * _missing_lines(place[0]) + code) if place else None


def _missing_lines(statement: cst.CSTNode) -> int:
    """How many of the two empty lines that belong above a function are not there."""
    above = getattr(statement, "leading_lines", ())
    empty = next((n for n, line in enumerate(above) if line.comment is not None), len(above))
    return max(0, 2 - empty)
