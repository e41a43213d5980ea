"""Assignments that only begin something: on the first pass of a loop, where later passes go on from it."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.model import ScriptModel
from memlint.syntax.expressions import is_text, literal, place, reads_place
from memlint.syntax.tree import dotted


def only_begins(model: ScriptModel, binding: cst.CSTNode, box: str, loop: cst.CSTNode) -> bool:
    """Whether an assignment in a loop runs on its first pass only: `if box is None: box = v`, `if k == 0:`.

    `box` is the place that is bound (see `syntax.expressions.place`).
    """
    below: cst.CSTNode = binding
    for above in model.ancestors(binding):
        if above is loop:
            return False
        if isinstance(above, cst.If) and _is_first(model, above, below, box, loop):
            return True
        below = above
    return False


def _is_first(model: ScriptModel, branch: cst.If, part: cst.CSTNode, box: str, loop: cst.CSTNode) -> bool:
    """Whether a part of an `if` statement, its body or its `else`, runs while nothing is there yet."""
    test, wanted = branch.test, part is branch.body
    while isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        test, wanted = test.expression, not wanted
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        found = _compares_with_start(model, test, box, loop)
        return found is wanted
    if place(test) == box or (isinstance(test, cst.Call) and reads_place(test, (box,))):
        # `if box:`, `if len(box):` hold where something is there.
        return not wanted
    return wanted and isinstance(test, cst.Name) and _is_switched_off(model, test.value, part, loop)


def _compares_with_start(
    model: ScriptModel, test: cst.Comparison, box: str, loop: cst.CSTNode
) -> bool | None:
    """Whether a comparison holds at the start (True) or ever after (False); None where it says neither."""
    operator, other = test.comparisons[0].operator, test.comparisons[0].comparator
    counts = isinstance(test.left, cst.Name) and test.left.value in _targets(model, loop)
    if not (counts or reads_place(test.left, (box,))):
        return None
    if dotted(other) == "None":
        return isinstance(operator, (cst.Is, cst.Equal))
    if is_text(other, "") or literal(other) == 0:
        if isinstance(operator, cst.Equal):
            return True
        return False if isinstance(operator, (cst.NotEqual, cst.GreaterThan)) else None
    return None


def _targets(model: ScriptModel, loop: cst.CSTNode) -> set[str]:
    return model.names_in(loop.target) if isinstance(loop, (cst.For, cst.CompFor)) else set()


def _is_switched_off(model: ScriptModel, flag: str, part: cst.CSTNode, loop: cst.CSTNode) -> bool:
    """Whether a flag is set to False in a part, and nowhere else in the loop to anything."""
    given = [
        (node, node.value)
        for node in model.every(cst.Assign, loop)
        if any(place(target.target) == flag for target in node.targets)
    ]
    return len(given) == 1 and dotted(given[0][1]) == "False" and part in model.ancestors(given[0][0])
