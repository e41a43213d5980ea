"""MEM114: what the last training step left is still allocated while the evaluation runs."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_order import active_nodes, program_point
from memlint.analysis.dataflow.liveness import Variable, delete_after, flow_node_of, variable
from memlint.analysis.facts import Zero
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.gradients import covers
from memlint.analysis.training.sizing.outputs import output_size
from memlint.catalogue import Rule
from memlint.detect.retention.gradient_needs import drops_gradients
from memlint.detect.retention.training_then_evaluation import Pair, leaves_much, pairs
from memlint.detect.retention.zero_grad_after_step import cleared_after_step


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
            plan = cleared_after_step(model, pair, zero)
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
