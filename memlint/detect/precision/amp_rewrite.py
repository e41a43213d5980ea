"""One plain training loop rewritten with autocast and a GradScaler."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.control_flow import JUMPS
from memlint.analysis.dataflow.regions import outermost_loop
from memlint.analysis.fixes.rewrites import argument_source
from memlint.analysis.knowledge.libraries import REFUSED_BY_AUTOCAST
from memlint.analysis.match import Change, InsertAfter, InsertBefore, Plan, Replace, Wrap
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.graphs import is_differentiated
from memlint.analysis.values import Obj
from memlint.detect.precision.half_casts import belongs_together, without_cast
from memlint.finding import Applicability
from memlint.syntax.arguments import argument
from memlint.syntax.expressions import mentions
from memlint.syntax.tree import statements

_CAUTION = "training changes, and autocast needs more memory than a half model"


def autocast_plan(model: ScriptModel, node: cst.CSTNode, optimizer: Obj) -> Plan | None:
    """float32 parameters, autocast around forward and loss, and a scaler: for the one plain loop only."""
    trace = model.trace
    steps = [s for s in trace.steps.values() if s.optimizer is optimizer]
    if len(steps) != 1 or len({id(s.node) for s in trace.steps.values()}) != 1:
        return None
    backwards = {id(b.node): b for b in trace.backwards.values()}
    forwards = {
        id(f.node): f
        for f in trace.forwards.values()
        if backwards and (is_differentiated(model, f.ids) or any(f.ids & b.ids for b in backwards.values()))
    }
    if len(backwards) != 1 or len(forwards) != 1 or not _on_cuda(model):
        return None
    if any(model.names.references(path) for path in REFUSED_BY_AUTOCAST):
        return None
    backward, forward, step = next(iter(backwards.values())), next(iter(forwards.values())), steps[0]
    lines = [model.statement_of(x.node) for x in (forward, backward, step)]
    suite = model.parent(lines[0]) if lines[0] is not None else None
    if suite is None or any(line is None or model.parent(line) is not suite for line in lines):
        return None
    if any(len(getattr(line, "body", ())) != 1 for line in lines):
        return None
    changes = _amp_changes(model, suite, lines, backward.node, step.code, node)
    return (
        Plan(Applicability.UNSAFE, "train with autocast and a GradScaler", changes, _CAUTION, needs="2.3")
        if changes
        else None
    )


def _amp_changes(
    model: ScriptModel,
    suite: cst.CSTNode,
    lines: list[cst.BaseStatement | cst.BaseSmallStatement | None],
    backward: cst.CSTNode,
    optimizer: str,
    cast: cst.CSTNode,
) -> tuple[Change, ...]:
    """The changes for one loop whose forward, backward and step are `lines` of the block `suite`."""
    body = statements(suite)
    first, last, step = (body.index(line) for line in lines)
    outer = outermost_loop(model, body[first])
    if not belongs_together(model, cast, body[first]):
        return ()
    uncast = without_cast(model, cast)
    if not first < last < step or outer is None or uncast is None:
        return ()
    inside = [s for s in body[first:last] if not mentions(s, "zero_grad")]
    wrapped = tuple(s for s in inside if isinstance(s, cst.BaseStatement))
    if (
        wrapped != tuple(body[first : first + len(wrapped)])
        or not isinstance(backward, cst.Call)
        or not isinstance(backward.func, cst.Attribute)
    ):
        return ()
    scaler = next((name for name in ("scaler", "grad_scaler") if name not in model.identifiers), None)
    given = [argument_source(model, arg) for arg in backward.args]
    if scaler is None or argument(backward, 0, "gradient") is not None:
        return ()
    loss = f"{scaler}.scale({model.code(backward.func.value)})"
    changes: list[Change] = [
        uncast,
        InsertBefore(outer, f'{scaler} = torch.amp.GradScaler("cuda")'),
        Wrap(wrapped, 'with torch.autocast("cuda", dtype=torch.float16):'),
        Replace(backward, f"{loss}.backward({', '.join(given)})"),
    ]
    between = [s for s in body[last + 1 : step] if not mentions(s, "zero_grad")]
    if any(isinstance(n, JUMPS) for s in between for n in model.walk(s)):
        return ()  # unscale_ raises where the step, and with it the update, was left out
    if between:  # clipping, or whatever else looks at the gradients
        changes.append(InsertBefore(between[0], f"{scaler}.unscale_({optimizer})"))
    line = lines[2]
    assert isinstance(line, cst.SimpleStatementLine)
    call = next(s.value for s in line.body if isinstance(s, cst.Expr))
    return (*changes, Replace(call, f"{scaler}.step({optimizer})"), InsertAfter(line, f"{scaler}.update()"))


def _on_cuda(model: ScriptModel) -> bool:
    return "cuda" in model.text and bool(model.names.module_scope.imports.get("torch"))
