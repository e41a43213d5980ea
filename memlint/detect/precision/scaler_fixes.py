"""Completing the sequence of scale, unscale, step and update of a GradScaler."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Event
from memlint.analysis.match import Change, InsertAfter, InsertBefore, Move, Plan, Remove, Replace
from memlint.analysis.model import ScriptModel
from memlint.detect.precision.apex_scaling import ApexScaling
from memlint.detect.precision.gradient_scales import Misuse
from memlint.detect.precision.native_scaling import native
from memlint.finding import Applicability

_CAUTION = "training changes: the gradients, or the scale, change"


def training_changes(title: str, *changes: Change) -> Plan:
    """A plan after which training takes another course."""
    return Plan(Applicability.UNSAFE, title, changes, _CAUTION)


def line_of(model: ScriptModel, event: Event) -> cst.SimpleStatementLine | None:
    """The line that an event's call is all of, None when it is part of something else."""
    line = model.statement_of(event.node)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    small = line.body[0]
    return line if isinstance(small, cst.Expr) and small.value is event.node else None


def step_by_scaler(model: ScriptModel, found: Misuse) -> Plan | None:
    """`optimizer.step()` -> `scaler.step(optimizer)`, `scaler.update()` unless it is there already."""
    step, node = found.step, found.event.node
    line = line_of(model, found.event)
    if step is None or line is None or not found.scaler or not isinstance(node, cst.Call) or node.args:
        return None
    changes: list[Change] = [Replace(node, f"{found.scaler}.step({step.code})")]
    if not any(c.name == "update" for c in model.trace.scalers.values()):
        changes.append(InsertAfter(line, f"{found.scaler}.update()"))
    for use in model.trace.grad_uses.values():
        if use.frame is step.frame and use.loops == step.loops and use.how == "clip":
            clip = model.statement_of(use.node)
            if clip is not None and model.parent(clip) is model.parent(line):
                beside = model.own_statement_of(use.node) or clip
                changes.append(InsertBefore(beside, f"{found.scaler}.unscale_({step.code})"))
                break
    return training_changes(f"step with `{found.scaler}.step({step.code})`", *changes)


def scale_loss(model: ScriptModel, found: Misuse) -> Plan | None:
    """`scaler.scale(loss).backward()` for a plain backward beside a step by the scaler."""
    node = found.event.node
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute) or not found.scaler:
        return None
    if found.step is None or found.step.frame is not found.event.frame:
        return None
    arguments = ", ".join(model.code(a).strip().rstrip(",") for a in node.args)
    loss = model.code(node.func.value)
    scaled = f"{found.scaler}.scale({loss}).backward({arguments})"
    return training_changes(f"scale `{loss}` first", Replace(node, scaled))


def add_update(model: ScriptModel, found: Misuse) -> Plan | None:
    """The plan that calls `update()` after the step; None where the step is no statement of its own."""
    line = model.own_statement_of(found.event.node)
    if line is None or isinstance(line, cst.BaseCompoundStatement):
        return None
    update = f"{found.scaler}.update()"
    return training_changes(f"add `{update}`", InsertAfter(line, update))


def update_with_step(model: ScriptModel, found: Misuse) -> Plan | None:
    """`scaler.update()` right after the step that it belongs to."""
    line = line_of(model, found.event)
    step = found.step
    after = model.own_statement_of(step.node) if step is not None else None
    if line is None or step is None or after is None or step.frame is not found.event.frame:
        return None
    return training_changes("update only after a step", Move(line, after, below=True))


def add_scaler(model: ScriptModel, found: Misuse) -> Plan | None:
    """A new GradScaler: scale, step, update; the step must be near and the only one, and none is there."""
    if found.scaler:
        return None
    node, step = found.event.node, found.step
    line = line_of(model, found.event)
    if (
        line is None
        or step is None
        or not isinstance(node, cst.Call)
        or not isinstance(node.func, cst.Attribute)
    ):
        return None
    if step.frame is not found.event.frame:
        return None
    keeps = ", ".join(model.code(a).strip().rstrip(",") for a in node.args)
    changes = native(model, ApexScaling(line, model.code(node.func.value), step.code, keeps))
    return training_changes("train with a GradScaler", *changes) if changes else None


def drop_step(model: ScriptModel, found: Misuse) -> Plan | None:
    """Without the step that the scaler has taken already."""
    line = line_of(model, found.event)
    return training_changes("drop the second step", Remove(line)) if line is not None else None


def update_always(model: ScriptModel, found: Misuse) -> Plan | None:
    """`update()` below the `if` that it is the end of, so that it follows in every iteration."""
    line = line_of(model, found.event)
    block = model.parent(line) if line is not None else None
    branch = model.parent(block) if block is not None else None
    if line is None or not isinstance(branch, cst.If) or branch.body.body[-1] is not line:
        return None
    return training_changes("update in every iteration", Move(line, branch, below=True))
