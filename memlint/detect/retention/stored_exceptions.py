"""Where a handler for running out of memory stores its exception."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.control_flow import Leave, leaves
from memlint.analysis.model import ScriptModel
from memlint.detect.retention.oom_handlers import Handler
from memlint.syntax.expressions import item_key
from memlint.syntax.tree import dotted, statements

_KEEPING = frozenset({"append", "add", "insert", "extend", "appendleft", "setdefault", "update"})
"""Methods of containers that keep what they get; a queue hands it on, to whoever raises or reports it."""
_DISPLAYS = (cst.Tuple, cst.List, cst.Set, cst.Element, cst.Dict, cst.DictElement, cst.BooleanOperation)
_ASSIGNMENTS = (cst.Assign, cst.AnnAssign, cst.AugAssign, cst.NamedExpr)


def stored_exception(model: ScriptModel, handler: Handler) -> tuple[cst.CSTNode, cst.CSTNode] | None:
    """The exception of a handler, or sys.exc_info(), where it is stored in something that outlives it.

    With it the assignment, the call or the `return` that stores it.
    """
    for node in _exceptions(model, handler):
        by = _stored_by(model, node)
        if by is not None and not _is_raised_then(model, by, handler):
            return node, by
    return None


def _exceptions(model: ScriptModel, handler: Handler) -> Iterator[cst.BaseExpression]:
    """The expressions of a handler that give its exception, or its traceback: both hold the frames."""
    for node in model.walk(handler.node.body):
        above = model.parent(node)
        if isinstance(node, cst.Name) and handler.name and node.value == handler.name:
            held = isinstance(above, cst.Attribute) and above.value is node
            if not held:
                yield node
            elif isinstance(above, cst.Attribute) and above.attr.value == "__traceback__":
                yield above
        elif isinstance(node, cst.Call) and model.names.one(node.func) == "sys.exc_info":
            if not isinstance(above, cst.Subscript):
                yield node
            elif item_key(above) in (1, 2):
                yield above


def _stored_by(model: ScriptModel, node: cst.CSTNode) -> cst.CSTNode | None:
    """What assigns, returns or puts into a container the value of an expression; None where nothing does."""
    below, above = node, model.parent(node)
    while isinstance(above, _DISPLAYS) or (isinstance(above, cst.IfExp) and above.test is not below):
        below, above = above, model.parent(above)
    if isinstance(above, _ASSIGNMENTS):
        return above if above.value is below else None
    if isinstance(above, cst.Return):
        return above
    call = model.parent(above) if isinstance(above, cst.Arg) else None
    if not isinstance(call, cst.Call):
        return None
    if dotted(call.func) == "setattr" and len(call.args) == 3:
        return call if call.args[2] is above else None
    return call if isinstance(call.func, cst.Attribute) and call.func.attr.value in _KEEPING else None


def _is_raised_then(model: ScriptModel, node: cst.CSTNode, handler: Handler) -> bool:
    """Whether the handler surely raises after a node of it."""
    for above in model.ancestors(node):
        if isinstance(above, cst.BaseSuite):
            if leaves(above, Leave.WITHOUT_ERROR):
                return False
            if leaves(above, Leave.RAISE):
                return True
        if above is handler.node:
            break
    return _is_raised_behind(model, node, handler)


def _is_raised_behind(model: ScriptModel, node: cst.CSTNode, handler: Handler) -> bool:
    """Whether the statement behind the `try` raises from the name that the handler gives the exception; or a
    later one asks for it, `if failure is not None:`, and leaves, and no network runs until then."""
    names = {dotted(t.target) for t in node.targets} if isinstance(node, cst.Assign) else set()
    block = model.parent(handler.block)
    body = list(statements(block)) if block is not None else []
    behind = body[body.index(handler.block) + 1 :] if handler.block in body else []
    line = behind[0].body[0] if behind and isinstance(behind[0], cst.SimpleStatementLine) else None
    if isinstance(line, cst.Raise) and not names.isdisjoint(model.names_in(line)):
        return True
    passes = {forward.node for forward in model.trace.forwards.values()}
    for statement in behind:
        if isinstance(statement, cst.If) and not names.isdisjoint(model.names_in(statement.test)):
            return _leaves(statement.body)
        if not passes.isdisjoint(model.walk(statement)):
            return False
    return False


def _leaves(suite: cst.BaseSuite) -> bool:
    """Whether the last line of a branch raises or returns."""
    line = next(reversed(statements(suite)), None)
    return isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[-1], (cst.Raise, cst.Return))
