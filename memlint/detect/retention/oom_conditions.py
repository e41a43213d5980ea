"""Which errors a branch of a handler is for: memory that ran out, or all others."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.knowledge import code_words
from memlint.analysis.model import ScriptModel
from memlint.detect.retention.oom_handlers import Handler
from memlint.syntax.expressions import speaks_of
from memlint.syntax.tree import dotted


def answers_other_errors(model: ScriptModel, handler: Handler, node: cst.CSTNode) -> bool:
    """Whether code of a handler runs only when it was not memory that ran out:
    `if not isinstance(error, OutOfMemoryError):`."""
    inner = node
    for above in model.ancestors(node):
        if above is handler.node:
            break
        if isinstance(above, cst.If) and inner is above.body and _excludes_memory(above.test):
            return True
        inner = above
    return False


def _excludes_memory(test: cst.BaseExpression) -> bool:
    """Whether a condition, or one of those that it joins with `and`, denies that memory ran out."""
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
        return _excludes_memory(test.left) or _excludes_memory(test.right)
    inner = test.expression if isinstance(test, cst.UnaryOperation) else test
    # `not raise_oom` is a switch of the code.
    asks = isinstance(inner, cst.Comparison) or (
        isinstance(inner, cst.Call) and dotted(inner.func) == "isinstance"
    )
    negative = isinstance(inner, cst.Comparison) and isinstance(inner.comparisons[0].operator, cst.NotIn)
    return asks and negative != (inner is not test) and speaks_of(test, code_words.OUT_OF_MEMORY)
