"""Retrying behind the `try` statement instead of inside its handler."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.functions import definitions_meant, with_called_methods
from memlint.analysis.fixes.moves import is_one_line
from memlint.analysis.match import Change, InsertAfter, InsertBefore, Plan, Remove, Replace
from memlint.analysis.model import ScriptModel
from memlint.detect.retention.oom_handlers import Handler
from memlint.finding import Applicability
from memlint.syntax.expressions import mentions
from memlint.syntax.tree import statements

_FLAG = "oom"


def retried_after(model: ScriptModel, handler: Handler, retry: cst.CSTNode) -> Plan | None:
    """Set a flag where the handler retries, and retry behind the whole statement."""
    body = statements(handler.node.body)
    inside = {retry, *model.ancestors(retry)}
    first = next((i for i, s in enumerate(body) if s in inside), None)
    if first is None or handler.block.orelse is not None or handler.block.finalbody is not None:
        return None
    tail = body[first:]
    if _FLAG in model.identifiers or not all(_can_move(model, handler, s) for s in tail):
        return None
    if any(_asks_for_exception(model, call) for s in tail for call in model.every(cst.Call, s)):
        return None
    moved = [
        model.code(s.with_changes(leading_lines=())).strip()
        for s in tail
        if isinstance(s, cst.SimpleStatementLine)
    ]
    changes: tuple[Change, ...] = (
        InsertBefore(handler.block, f"{_FLAG} = False"),
        Replace(tail[0], f"{_FLAG} = True"),
        *(Remove(s) for s in tail[1:]),
        InsertAfter(handler.block, "\n".join([f"if {_FLAG}:", *(f"    {line}" for line in moved)])),
    )
    return Plan(Applicability.SAFE, "retry after the `try` statement", changes)


def _can_move(model: ScriptModel, handler: Handler, statement: cst.CSTNode) -> bool:
    """Whether a statement does the same behind the `try`: it knows nothing of the exception."""
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    names = {n.value for n in model.walk(statement) if isinstance(n, cst.Name)}
    raises = any(isinstance(n, cst.Raise) for n in model.walk(statement))
    return not (
        raises
        or not is_one_line(model, statement)
        or handler.name in names - {""}
        or names & _EXCEPTION_READERS
    )


def _asks_for_exception(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a function of the project that a moved statement calls reads the exception being handled."""
    functions = [f for f in definitions_meant(model, call.func) if isinstance(f, cst.FunctionDef)]
    return any(mentions(f, *_EXCEPTION_READERS) for f in with_called_methods(model, functions))


_EXCEPTION_READERS = frozenset({"exc_info", "traceback", "format_exc", "print_exc", "exception"})
