"""One plain training loop rewritten with autocast and a GradScaler."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.regions import outermost_loop
from memlint.analysis.match import Change, InsertAfter, InsertBefore, Plan, Remove, Replace, Wrap
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.graphs import is_differentiated
from memlint.analysis.values import Obj
from memlint.finding import Applicability
from memlint.syntax.expressions import calls_one, mentions, same
from memlint.syntax.tree import statements

_CLIPS = ("clip_grad_norm_", "clip_grad_value_", "clip_grad_norm", "clip_grads_with_norm_", "clip_grad")
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
    backward, forward, step = next(iter(backwards.values())), next(iter(forwards.values())), steps[0]
    lines = [model.statement_of(x.node) for x in (forward, backward, step)]
    suite = model.parent(lines[0]) if lines[0] is not None else None
    if suite is None or any(line is None or model.parent(line) is not suite for line in lines):
        return None
    if any(len(getattr(line, "body", ())) != 1 for line in lines):
        return None
    changes = _amp_changes(model, suite, lines, backward.node, step.code, node)
    return (
        Plan(Applicability.UNSAFE, "train with autocast and a GradScaler", changes, _CAUTION)
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
    if not _belongs_together(model, cast, body[first]):
        return ()
    uncast = _without_cast(model, cast)
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
    changes: list[Change] = [
        uncast,
        InsertBefore(outer, 'scaler = torch.amp.GradScaler("cuda")'),
        Wrap(wrapped, 'with torch.autocast("cuda", dtype=torch.float16):'),
        Replace(backward, f"scaler.scale({model.code(backward.func.value)}).backward()"),
    ]
    clips = [s for s in body[last:step] if calls_one(s, *_CLIPS)]
    if clips:
        changes.append(InsertBefore(clips[0], f"scaler.unscale_({optimizer})"))
    line = lines[2]
    assert isinstance(line, cst.SimpleStatementLine)
    call = next(s.value for s in line.body if isinstance(s, cst.Expr))
    return (*changes, Replace(call, f"scaler.step({optimizer})"), InsertAfter(line, "scaler.update()"))


def _belongs_together(model: ScriptModel, cast: cst.CSTNode, forward: cst.CSTNode) -> bool:
    """Whether the cast is unconditional, in the function of the loop, and the only half in the file."""
    conditional = any(isinstance(above, (cst.If, cst.IfExp)) for above in model.ancestors(cast))
    once = model.text.count("half()") + model.text.count("float16") == 1
    return not conditional and once and model.function_of(cast) is model.function_of(forward)


def _without_cast(model: ScriptModel, node: cst.CSTNode) -> Change | None:
    """The change that takes `.half()` back: all of `net.half()`, or the call in a longer expression."""
    if (
        not isinstance(node, cst.Call)
        or not isinstance(node.func, cst.Attribute)
        or node.func.attr.value != "half"
    ):
        return None
    owner = model.code(node.func.value)
    parent = model.parent(node)
    line = model.statement_of(node)
    alone = isinstance(parent, cst.Expr) or (
        isinstance(parent, cst.Assign)
        and len(parent.targets) == 1
        and same(parent.targets[0].target, node.func.value)
    )
    if alone and line is not None:
        return Remove(model.own_statement_of(node) or line)
    return Replace(node, owner)


def _on_cuda(model: ScriptModel) -> bool:
    return "cuda" in model.text and bool(model.names.module_scope.imports.get("torch"))
