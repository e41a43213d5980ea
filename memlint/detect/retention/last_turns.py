"""Code that only the last turn of a loop runs: what it does with the turns before, it does once."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.control_flow import Leave, leaves
from memlint.analysis.facts import Loop
from memlint.analysis.model import ScriptModel
from memlint.syntax.expressions import place

_LEAVES = Leave.BREAK | Leave.RETURN


def runs_in_last_turn(model: ScriptModel, node: cst.CSTNode, loop: Loop) -> bool:
    """Whether a node stands under the condition that ends the loop, `if done:` in `while not done:`, or in a
    block that leaves it."""
    ends = _ending(loop.node.test) if isinstance(loop.node, cst.While) else ""
    branch: cst.CSTNode = node
    for above in model.ancestors(node):
        if above is loop.node:
            return False
        if isinstance(above, cst.If) and branch is above.body and _is_last(above, ends):
            return True
        branch = above
    return False


def _is_last(block: cst.If, ends: str) -> bool:
    return leaves(block.body, _LEAVES) or bool(ends and ends in _any_of(block.test))


def _ending(test: cst.BaseExpression) -> str:
    """The name whose truth ends a loop: `done` of `not done`."""
    negated = isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not)
    return place(test.expression) if negated else ""  # type: ignore[attr-defined]


def _any_of(test: cst.BaseExpression) -> set[str]:
    """The names one of which has to be true: of `done or truncated` both."""
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.Or):
        return _any_of(test.left) | _any_of(test.right)
    return {place(test)} - {""}
