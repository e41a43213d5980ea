"""When a GradScaler is there: scripts that can also train without one ask a flag before each call of it."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Event
from memlint.analysis.model import ScriptModel
from memlint.syntax.expressions import literal
from memlint.syntax.tree import dotted


def flags_beside(model: ScriptModel, used: Event, place: cst.CSTNode) -> list[str] | None:
    """The conditions under which a scaler is used that need not hold at another place of its function.

    None where they are no plain flags: a counter of batches, say, or the branch without the scaler.
    """
    around, below = set(model.ancestors(place)), used.node
    found: list[cst.BaseExpression] = []
    for above in model.ancestors(used.node):
        if isinstance(above, (cst.FunctionDef, cst.Lambda)) or above in around:
            break
        if isinstance(above, cst.If):
            if below is not above.body or not is_flag(above.test):
                return None
            found.append(above.test)
        below = above
    # The outer one first: `if options is not None: if options.fp16:`.
    return [_joinable(model, test, alone=len(found) == 1) for test in reversed(found)]


def always_there(model: ScriptModel, place: cst.CSTNode, event: Event) -> bool:
    """Whether the calls of scalers in a function show no condition that does not hold at a place as well."""
    calls = (c for c in model.trace.scalers.values() if c.frame is event.frame)
    return all(flags_beside(model, call, place) == [] for call in calls)


def _joinable(model: ScriptModel, test: cst.BaseExpression, *, alone: bool) -> str:
    """The code of a test as an operand of `and`."""
    code = model.code(test)
    either = isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.Or) and not test.lpar
    return f"({code})" if either and not alone else code


def is_flag(test: cst.BaseExpression) -> bool:
    """Whether a test reads a setting, the same for each batch: `self.fp16`, `args["fp16"]`, `x is None`."""
    if isinstance(test, cst.UnaryOperation):
        return isinstance(test.operator, cst.Not) and is_flag(test.expression)
    if isinstance(test, cst.BooleanOperation):
        return is_flag(test.left) and is_flag(test.right)
    if isinstance(test, cst.Comparison):
        with_constants = all(_is_constant(c.comparator) for c in test.comparisons)
        return with_constants and is_flag(test.left)
    if isinstance(test, cst.Subscript):
        match test.slice:
            case [cst.SubscriptElement(slice=cst.Index(value=key))]:
                return isinstance(literal(key), str) and bool(dotted(test.value))
    return bool(dotted(test))


def _is_constant(node: cst.BaseExpression) -> bool:
    return dotted(node) in ("None", "True", "False") or isinstance(literal(node), str)
