"""Making an iterator once, in front of the loop that takes one batch from it in each step."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.functions import assigned_in
from memlint.analysis.facts import Draw
from memlint.analysis.match import InsertBefore, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.finding import Applicability
from memlint.syntax.spans import code_of
from memlint.syntax.tree import dotted

_CAUTION = "the order of batches changes: each pass then goes through all of them"


def made_before_loop(model: ScriptModel, draw: Draw, source: cst.BaseExpression) -> Plan | None:
    """An iterator made once before the loop, and again when it is used up."""
    line = model.statement_of(draw.node)
    above = model.parent(draw.node)
    call = model.parent(above) if isinstance(above, cst.Arg) else None
    loop = next((a for a in model.ancestors(draw.node) if isinstance(a, (cst.For, cst.While))), None)
    if (
        not isinstance(line, cst.SimpleStatementLine)
        or len(line.body) != 1
        or not isinstance(line.body[0], cst.Assign)
        or not isinstance(call, cst.Call)
        or len(call.args) != 1
        or not isinstance(loop, (cst.For, cst.While))
        or model.function_of(loop) is not model.function_of(line)
        or not dotted(source)
    ):
        return None
    name = f"{dotted(source).rpartition('.')[2]}_iter"
    if name in model.identifiers or dotted(source) in assigned_in(model, loop):
        return None
    made = f"{name} = iter({model.code(source)})"
    taken = line.body[0].with_deep_changes(call, args=[cst.Arg(cst.Name(name))])
    take = code_of(taken, model.module)
    body = f"try:\n    {take}\nexcept StopIteration:\n    {made}\n    {take}"
    changes = (InsertBefore(loop, made), Replace(line, body))
    return Plan(Applicability.UNSAFE, "make the iterator once, before the loop", changes, _CAUTION)
