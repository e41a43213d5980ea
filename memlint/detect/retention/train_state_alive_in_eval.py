"""MEM114: what the last training step left is still allocated while the evaluation runs."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.control_flow import JUMPS
from memlint.analysis.dataflow.execution_order import active_nodes, program_point
from memlint.analysis.dataflow.liveness import Variable, delete_after, flow_node_of, variable
from memlint.analysis.dataflow.regions import siblings
from memlint.analysis.facts import Zero
from memlint.analysis.match import InsertAfter, InsertBefore, Label, Match, Plan, Remove
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.grad_reads import grad_reads
from memlint.analysis.training.gradients import covers
from memlint.analysis.training.sizing.outputs import output_size
from memlint.catalogue import Rule
from memlint.detect.retention.gradient_needs import drops_gradients
from memlint.detect.retention.training_then_evaluation import Pair, leaves_much, pairs
from memlint.finding import Applicability


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Gradients that are cleared only before the next backward, and outputs whose names live on."""
    if model.imports("deepspeed"):
        return
    seen: set[cst.CSTNode] = set()
    for pair in pairs(model):
        zero = _early_zero(model, pair) if leaves_much(model, pair) else None
        if zero is not None and zero.node not in seen:
            seen.add(zero.node)
            values = {"zero": model.short(zero.node, 36), "evaluation": model.short(pair.evaluation.node, 30)}
            label = Label("the gradients of the last training step are still there", pair.evaluation.node)
            plan = _moved(model, pair, zero)
            plans = (plan,) if plan is not None else ()
            yield Match(zero.node, values, labels=(label,), plans=plans, causes=((zero.node,),))
        for assign, name in _outputs(model, pair):
            if assign not in seen:
                seen.add(assign)
                values = {"name": name.name, "evaluation": model.short(pair.evaluation.node, 30)}
                gone, reason = delete_after(model, (name.name,), pair.loop.node)
                yield Match(assign, values, "local", plans=gone, no_fix=reason)


# --- gradients ----------------------------------------------------------------------------------------


def _early_zero(model: ScriptModel, pair: Pair) -> Zero | None:
    """The clearing before the backward, where nothing clears after the step or before the evaluation."""
    zeros = [z for z in model.trace.zeros.values() if covers(model, z, pair.step.optimizer)]
    inside = [z for z in zeros if z.loops == pair.backward.loops == pair.step.loops]
    early = [z for z in inside if program_point(model, z) < program_point(model, pair.backward)]
    first, last = program_point(model, pair.step), program_point(model, pair.evaluation)
    outside = [z for z in zeros if z not in early and pair.loop not in z.loops]
    others = [z for z in outside if z.loops or first < program_point(model, z) < last]
    if len(inside) != 1 or len(early) != 1 or others:
        return None
    node = early[0].node
    return early[0] if isinstance(node, cst.Call) and drops_gradients(node) else None


def _moved(model: ScriptModel, pair: Pair, zero: Zero) -> Plan | None:
    """Clear once before the loop and then after each step."""
    loop, first, last = pair.loop.node, model.statement_of(zero.node), model.statement_of(pair.step.node)
    if not isinstance(loop, cst.For) or first is None or last is None or pair.loop.frame is not zero.frame:
        return None
    middle = model.statement_of(pair.backward.node)
    block = siblings(model, first)
    straight = all(s in block for s in (last, middle)) and model.parent(first) is loop.body
    alone = isinstance(first, cst.SimpleStatementLine) and len(first.body) == 1
    steps = {s.node for s in model.trace.steps.values()}
    if not (straight and alone) or len(steps) != 1 or grad_reads(model) or _names_changed(model, pair, zero):
        return None
    if any(isinstance(n, (cst.Yield, *JUMPS)) for n in model.walk(loop)):
        return None
    code = model.code(zero.node)
    changes = (Remove(first), InsertAfter(last, code), InsertBefore(loop, code))
    return Plan(Applicability.SAFE, f"call `{code}` before the loop and after each step", changes)


def _names_changed(model: ScriptModel, pair: Pair, zero: Zero) -> bool:
    """Whether the loop itself makes what is cleared."""
    assert isinstance(zero.node, cst.Call)
    names = {n.value for n in model.walk(zero.node.func) if isinstance(n, cst.Name)}
    targets = (
        n for n in model.walk(pair.loop.node) if isinstance(n, (cst.AssignTarget, cst.AnnAssign, cst.For))
    )
    bound = {n.value for t in targets for n in model.walk(t.target) if isinstance(n, cst.Name)}
    return bool(names & bound)


# --- locals -------------------------------------------------------------------------------------------


def _outputs(model: ScriptModel, pair: Pair) -> Iterator[tuple[cst.Assign, Variable]]:
    """Outputs of the training loop whose names an evaluation in the same function neither binds nor reads."""
    frame = pair.loop.frame
    node = active_nodes(pair.evaluation).get(frame)
    target = flow_node_of(model, node) if node is not None else None
    line = model.statement_of(pair.loop.node) if isinstance(pair.loop.node, cst.For) else None
    if target is None or line is None or pair.backward.frame is not frame:
        return
    for forward in model.trace.forwards.values():
        assign = model.parent(forward.node)
        if forward.frame is not frame or pair.loop not in forward.loops or not isinstance(assign, cst.Assign):
            continue
        name = assign.targets[0].target
        found = variable(model, name, name.value) if isinstance(name, cst.Name) else None
        if found is None or found.captured or not found.reaches(line, target):
            continue
        if not any(found.reads_from(target)) and output_size(model, forward).matters:
            yield assign, found
