"""Making an iterator once, in front of the loop that takes one batch from it in each step."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.definitions import definitions_of_variable
from memlint.analysis.dataflow.functions import assigned_in
from memlint.analysis.facts import Draw
from memlint.analysis.match import InsertBefore, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.finding import Applicability
from memlint.syntax.expressions import place
from memlint.syntax.spans import code_of
from memlint.syntax.tree import dotted

_CAUTION = "the order of batches changes: each pass then goes through all of them"


def made_before_loop(model: ScriptModel, draw: Draw, source: cst.BaseExpression) -> Plan | None:
    """An iterator made once before the loop, and again when it is used up."""
    line = model.statement_of(draw.node)
    above = model.parent(draw.node)
    call = model.parent(above) if isinstance(above, cst.Arg) else None
    loop = _outermost(model, draw.node, dotted(source))
    if (
        not isinstance(line, cst.SimpleStatementLine)
        or len(line.body) != 1
        or not isinstance(line.body[0], cst.Assign)
        or not isinstance(call, cst.Call)
        or len(call.args) != 1
        or not isinstance(loop, (cst.For, cst.While))
        or not dotted(source)
        or (_is_conditional(model, draw.node, loop) and not _is_there_before(model, source, loop))
    ):
        return None
    name = f"{dotted(source).rpartition('.')[2]}_iter"
    if name in model.identifiers:
        return None
    made = f"{name} = iter({model.code(source)})"
    taken = line.body[0].with_deep_changes(call, args=[cst.Arg(cst.Name(name))])
    take = code_of(taken, model.module)
    body = f"try:\n    {take}\nexcept StopIteration:\n    {made}\n    {take}"
    changes = (InsertBefore(loop, made), Replace(line, body))
    return Plan(Applicability.UNSAFE, "make the iterator once, before the loop", changes, _CAUTION)


def _is_conditional(model: ScriptModel, node: cst.CSTNode, loop: cst.CSTNode) -> bool:
    """Whether a branch in the loop decides on what stands there: `if val_set is not None:`."""
    for above in model.ancestors(node):
        if above is loop:
            return False
        if isinstance(above, (cst.If, cst.Try, cst.Match)):
            return True
    return False


def _is_there_before(model: ScriptModel, source: cst.BaseExpression, loop: cst.CSTNode) -> bool:
    """Whether the blocks around a loop bind a variable in any case, before the loop begins."""
    blocks = {loop, *model.ancestors(loop)}
    found = definitions_of_variable(model, source) if isinstance(source, cst.Name) else ()
    lines = [model.own_statement_of(d.node) for d in found if d.kind == "value"]
    return bool(lines) and all(line is not None and model.parent(line) in blocks for line in lines)


def _outermost(model: ScriptModel, node: cst.CSTNode, source: str) -> cst.For | cst.While | None:
    """The outermost loop of the function around a node in which nothing else has to do with the loader; the
    next one where another read of it stands there. None where it gets a new value."""
    found: cst.For | cst.While | None = None
    for above in model.ancestors(node):
        if isinstance(above, cst.FunctionDef):
            break
        if not isinstance(above, (cst.For, cst.While)):
            continue
        if source in assigned_in(model, above):
            break
        if found is not None and _reads(model, above, source) > 1:
            break
        found = above
    return found


def _reads(model: ScriptModel, loop: cst.CSTNode, source: str) -> int:
    nodes = (n for n in model.walk(loop) if isinstance(n, (cst.Name, cst.Attribute)))
    return sum(place(node) == source for node in nodes)
