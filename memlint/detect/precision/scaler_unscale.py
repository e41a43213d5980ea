"""Where the gradients that a GradScaler has scaled are unscaled: once, before all that reads them."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from memlint.analysis.dataflow.execution_order import program_point
from memlint.analysis.facts import Event, ScalerCall, Step
from memlint.analysis.match import InsertBefore, Move, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.optimization.loss_scaling import scaling_of
from memlint.detect.precision.gradient_scales import Misuse, scaled_uses
from memlint.detect.precision.scaler_conditions import flags_beside
from memlint.detect.precision.scaler_fixes import line_of, training_changes


def add_unscale(model: ScriptModel, found: Misuse) -> Plan | None:
    """The plan that unscales the gradients before their first use; None where the place is not certain.

    A second `unscale_` in one step raises: there is one before all uses, and a late one is moved.
    """
    step, use = found.step, found.event
    if step is None or step.frame is not use.frame or not found.scaler or not step.code:
        return None
    scaling = scaling_of(model)
    together = [m.event for m in scaled_uses(scaling) if m.step is step]
    if use is not min(together, key=lambda e: program_point(model, e)):
        return None
    statement = _statement_before(model, step, together)
    if statement is None:
        return None
    late = [c for c in scaling.named("unscale_") if scaling.pairs(use, c) and _is_for(c, step)]
    if late:
        line = line_of(model, late[0]) if len(late) == 1 else None
        if line is None or model.parent(line) is not model.parent(statement):
            return None
        return training_changes(f"move `{model.code(late[0].node)}` before it", Move(line, statement))
    flags = flags_beside(model, step, statement)
    if flags is None:
        return None
    call = f"{found.scaler}.unscale_({step.code})"
    code = f"if {' and '.join(flags)}:\n    {call}" if flags else call
    return training_changes(f"add `{call}` before it", InsertBefore(statement, code))


def _statement_before(model: ScriptModel, step: Step, uses: Sequence[Event]) -> cst.CSTNode | None:
    """The statement before which something precedes all uses of the gradients in a step, and runs once."""
    first = min(uses, key=lambda use: program_point(model, use))
    statement: cst.CSTNode | None = model.own_statement_of(first.node)
    for above in model.ancestors(first.node):
        if isinstance(above, (cst.FunctionDef, cst.Lambda)):
            break
        if isinstance(above, (cst.For, cst.While)) and all(above is not x.node for x in step.loops):
            statement = above
    others = {use.node for use in uses if use.frame is step.frame}
    for above in model.ancestors(statement) if statement is not None else ():
        if isinstance(above, (cst.BaseSuite, cst.Module)) and others <= set(model.walk(above)):
            return statement
        if isinstance(above, (cst.FunctionDef, cst.Lambda)):
            return None
        if isinstance(above, cst.BaseCompoundStatement):
            statement = above
    return None


def _is_for(call: ScalerCall, step: Step) -> bool:
    """Whether a call of a scaler is about the optimizer of a step, as far as one can see."""
    return call.optimizer is None or call.optimizer is step.optimizer
