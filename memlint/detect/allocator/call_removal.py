"""Deleting a call that stands alone in its statement, with what then serves nothing."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.fixes.moves import unused_import
from memlint.analysis.match import Change, Plan, Remove
from memlint.analysis.model import ScriptModel
from memlint.finding import Applicability
from memlint.syntax.expressions import mentions
from memlint.syntax.tree import statements

_CAUTION = "results stay the same, but a run near the memory limit may end otherwise"


def removal(model: ScriptModel, site: cst.CSTNode, call: cst.CSTNode) -> Plan | None:
    """Delete the statement, an `if` around nothing else, and an import that nothing else uses."""
    line = model.statement_of(site)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    only = line.body[0]
    if not isinstance(only, cst.Expr) or only.value is not site:
        return None
    changes: list[Change] = [Remove(_whole(model, line))]
    if site is call and isinstance(call, cst.Call):
        changes += unused_import(model, call.func)
    return Plan(Applicability.UNSAFE, "delete the call", tuple(changes), _CAUTION)


def _whole(model: ScriptModel, line: cst.SimpleStatementLine) -> cst.BaseStatement:
    """The statement, or the `if torch.cuda.is_available():` that holds it alone."""
    block = model.parent(line)
    branch = model.parent(block) if isinstance(block, cst.IndentedBlock) else None
    if (
        isinstance(branch, cst.If)
        and branch.orelse is None
        and not isinstance(model.parent(branch), cst.If)
        and len(statements(branch.body)) == 1
        and mentions(branch.test, "is_available")
    ):
        return branch
    return line
