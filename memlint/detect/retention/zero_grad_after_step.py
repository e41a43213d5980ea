"""Clearing gradients right after the step, where an evaluation follows the last one."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.control_flow import JUMPS
from memlint.analysis.dataflow.execution_order import program_point
from memlint.analysis.dataflow.regions import siblings
from memlint.analysis.facts import Zero
from memlint.analysis.match import InsertAfter, InsertBefore, Plan, Remove
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.grad_reads import grad_reads, may_read_gradients
from memlint.detect.retention.gradient_needs import WATCHED, may_be_watched
from memlint.detect.retention.training_then_evaluation import Pair
from memlint.finding import Applicability

_HANDED = "the caller is not visible, and may look at the gradients that training leaves"


def cleared_after_step(model: ScriptModel, pair: Pair, zero: Zero) -> Plan | None:
    """Clear once before the loop and then after each step."""
    loop, first, last = pair.loop.node, model.statement_of(zero.node), model.statement_of(pair.step.node)
    if not isinstance(loop, cst.For) or first is None or last is None or pair.loop.frame is not zero.frame:
        return None
    middle = model.statement_of(pair.backward.node)
    block = siblings(model, first)
    straight = all(s in block for s in (last, middle)) and model.parent(first) is loop.body
    alone = isinstance(first, cst.SimpleStatementLine) and len(first.body) == 1
    steps = {s.node for s in model.trace.steps.values()}
    if not (straight and alone) or len(steps) != 1 or _names_changed(model, pair, zero):
        return None
    if _reads_gradients(model, pair) or any(isinstance(n, (cst.Yield, *JUMPS)) for n in model.walk(loop)):
        return None
    code = model.code(zero.node)
    changes = (Remove(first), InsertAfter(last, code), InsertBefore(loop, code))
    # A function that nothing here calls, or a method: its caller has the network afterwards.
    handed = any(frame.entry and frame.caller is not None for frame in pair.step.frame.chain())
    caution = WATCHED if may_be_watched(model, pair.step, None) else _HANDED if handed else ""
    kind = Applicability.UNSAFE if caution else Applicability.SAFE
    return Plan(kind, f"call `{code}` before the loop and after each step", changes, caution)


def _reads_gradients(model: ScriptModel, pair: Pair) -> bool:
    """Whether the file looks at gradients other than between the backward and the step."""
    begin, end = program_point(model, pair.backward), program_point(model, pair.step)
    limits = {u.node for u in model.trace.grad_uses.values() if begin < program_point(model, u) < end}
    allowed = {n for node in limits for n in model.walk(node)}
    strings = (n for n in model.names.every(cst.SimpleString))
    calls = (c.func for c in model.names.calls if c not in limits)
    others = (n for func in calls for n in model.walk(func) if n not in allowed)
    return bool(grad_reads(model)) or may_read_gradients((*strings, *others))


def _names_changed(model: ScriptModel, pair: Pair, zero: Zero) -> bool:
    """Whether the loop itself makes what is cleared."""
    assert isinstance(zero.node, cst.Call)
    names = {n.value for n in model.walk(zero.node.func) if isinstance(n, cst.Name)}
    targets = (
        n for n in model.walk(pair.loop.node) if isinstance(n, (cst.AssignTarget, cst.AnnAssign, cst.For))
    )
    bound = {n.value for t in targets for n in model.walk(t.target) if isinstance(n, cst.Name)}
    return bool(names & bound)
