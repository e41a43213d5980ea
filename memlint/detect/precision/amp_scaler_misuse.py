"""MEM303: float16 autocast without a GradScaler, or a GradScaler of which one call is missing."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Event
from memlint.analysis.match import Change, InsertAfter, InsertBefore, Label, Match, Plan, Remove, Replace
from memlint.analysis.model import ScriptModel
from memlint.catalogue import Rule
from memlint.detect.precision.amp import Misuse, misuses, useless_scalers
from memlint.detect.precision.scaling import Scaling, native
from memlint.finding import Applicability

_MANAGED = ("accelerate", "deepspeed", "lightning", "pytorch_lightning", "lightning_fabric", "fastai", "apex")
_CAUTION = "training changes: the gradients, or the scale, become others"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Each place where the sequence of scale, unscale, step and update is broken."""
    if model.imports(*_MANAGED):
        return
    seen: set[int] = set()
    for found in misuses(model):
        if id(found.event.node) in seen:
            continue
        seen.add(id(found.event.node))
        plan = _PLANS[found.how](model, found)
        yield Match(
            found.event.node,
            _values(model, found),
            found.how,
            _labels(found),
            plans=(plan,) if plan is not None else (),
        )
    for scaler in useless_scalers(model):
        if scaler.node is not None and id(scaler.node) not in seen:
            seen.add(id(scaler.node))
            yield Match(scaler.node, {"call": model.short(scaler.node)}, "bfloat16")


def _values(model: ScriptModel, found: Misuse) -> dict[str, str]:
    return {
        "call": model.short(found.event.node),
        "optimizer": found.step.code if found.step is not None else "the optimizer",
        "scaler": found.scaler or "the scaler",
    }


def _labels(found: Misuse) -> tuple[Label, ...]:
    if found.step is None or found.step is found.event:
        backward = found.backward
        return (Label("here the loss is scaled", backward.node),) if backward is not None else ()
    return (Label("the step that uses these gradients", found.step.node),)


# --- fixes ----------------------------------------------------------------------------------------


def _unsafe(title: str, *changes: Change) -> Plan:
    return Plan(Applicability.UNSAFE, title, changes, _CAUTION)


def _line(model: ScriptModel, event: Event) -> cst.SimpleStatementLine | None:
    """The line that an event's call is all of, None when it is part of something else."""
    line = model.statement_of(event.node)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    small = line.body[0]
    return line if isinstance(small, cst.Expr) and small.value is event.node else None


def _step_by_scaler(model: ScriptModel, found: Misuse) -> Plan | None:
    """`optimizer.step()` -> `scaler.step(optimizer)`, `scaler.update()` unless it is there already."""
    step, node = found.step, found.event.node
    line = _line(model, found.event)
    if step is None or line is None or not found.scaler or not isinstance(node, cst.Call) or node.args:
        return None
    changes: list[Change] = [Replace(node, f"{found.scaler}.step({step.code})")]
    if not any(c.name == "update" for c in model.trace.scalers.values()):
        changes.append(InsertAfter(line, f"{found.scaler}.update()"))
    for use in model.trace.grad_uses.values():
        if use.frame is step.frame and use.loops == step.loops and use.how == "clip":
            clip = model.statement_of(use.node)
            if clip is not None and model.parent(clip) is model.parent(line):
                changes.append(InsertBefore(clip, f"{found.scaler}.unscale_({step.code})"))
                break
    return _unsafe(f"step with `{found.scaler}.step({step.code})`", *changes)


def _scale_loss(model: ScriptModel, found: Misuse) -> Plan | None:
    node = found.event.node
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute) or not found.scaler:
        return None
    if found.step is None or found.step.frame is not found.event.frame:
        return None
    arguments = ", ".join(model.code(a).strip().rstrip(",") for a in node.args)
    loss = model.code(node.func.value)
    scaled = f"{found.scaler}.scale({loss}).backward({arguments})"
    return _unsafe(f"scale `{loss}` first", Replace(node, scaled))


def _add_update(model: ScriptModel, found: Misuse) -> Plan | None:
    line = model.statement_of(found.event.node)
    if line is None or not isinstance(line, cst.SimpleStatementLine):
        return None
    update = f"{found.scaler}.update()"
    return _unsafe(f"add `{update}`", InsertAfter(line, update))


def _add_unscale(model: ScriptModel, found: Misuse) -> Plan | None:
    step, use = found.step, found.event
    if step is None or step.frame is not use.frame or not found.scaler or not step.code:
        return None
    statement: cst.CSTNode | None = model.statement_of(use.node)
    for above in model.ancestors(use.node):
        if isinstance(above, (cst.FunctionDef, cst.Lambda)):
            break
        if isinstance(above, (cst.For, cst.While)) and all(above is not x.node for x in step.loops):
            statement = above
    if statement is None:
        return None
    call = f"{found.scaler}.unscale_({step.code})"
    return _unsafe(f"add `{call}` before it", InsertBefore(statement, call))


def _update_with_step(model: ScriptModel, found: Misuse) -> Plan | None:
    line = _line(model, found.event)
    step = found.step
    after = model.statement_of(step.node) if step is not None else None
    if line is None or step is None or after is None or step.frame is not found.event.frame:
        return None
    return _unsafe("update only after a step", Remove(line), InsertAfter(after, model.code(found.event.node)))


def _add_scaler(model: ScriptModel, found: Misuse) -> Plan | None:
    """A new GradScaler: scale, step, update; the step must be near and the only one."""
    node, step = found.event.node, found.step
    line = _line(model, found.event)
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
    changes = native(model, Scaling(line, model.code(node.func.value), step.code, keeps))
    return _unsafe("train with a GradScaler", *changes) if changes else None


_PLANS = {
    "default": _step_by_scaler,
    "unscaled-backward": _scale_loss,
    "no-update": _add_update,
    "clip": _add_unscale,
    "norm": _add_unscale,
    "window": _update_with_step,
    "unscaled": _add_scaler,
}
