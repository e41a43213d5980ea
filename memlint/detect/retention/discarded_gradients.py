"""Gradients of an accumulation window that are thrown away before its step uses them."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.execution_order import alternatives
from memlint.analysis.facts import Zero
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.gradients import covers
from memlint.analysis.training.optimization.accumulation_windows import Condition, Window, conditions
from memlint.syntax.expressions import place, reads_place, same
from memlint.syntax.tree import last_name


def discarded(model: ScriptModel, window: Window) -> tuple[Zero, str] | None:
    """The zero_grad that throws away what a window has gathered: it runs with every backward, or right before
    the last one; with the variant that says so."""
    loop, optimizer = window.loop, window.step.optimizer
    if _reads_grads(model, window):
        return None
    around = conditions(model, window.backward, loop)
    for zero in model.trace.zeros.values():
        if not zero.loops or zero.loops[-1] is not loop or not covers(model, zero, optimizer):
            continue
        if (zero.target is None and not zero.owners) or (
            window.branch is None and zero.target is not optimizer
        ):
            continue
        if alternatives(zero, window.step) or alternatives(zero, window.backward):
            continue
        own = [condition for condition in conditions(model, zero, loop) if condition not in around]
        if not own:
            return zero, "default"
        if len(own) == 1 and _opens_with_the_step(model, window, zero, own[0]):
            return zero, "last"
    return None


def _opens_with_the_step(model: ScriptModel, window: Window, zero: Zero, condition: Condition) -> bool:
    """Whether the iteration that steps clears before its own backward: `if i % n == 0: zero_grad()` above it,
    `if i % n == 0: step()` below, with the same number, so that the step has the last gradients only."""
    step, backward, rank = window.step, window.backward, model.positions
    asked = condition[0].test if isinstance(condition[0], cst.If) and condition[1] == "body" else None
    if window.branch is None or asked is None:
        return False
    if not any(same(asked, part) for part in _alternatives(window.branch.test)):
        return False
    if not zero.frame is backward.frame is step.frame:
        return False
    if not rank[zero.node] < rank[backward.node] < rank[step.node]:
        return False
    written = (n for part in model.walk(window.loop.node) for n in _targets(part))
    return not any(reads_place(window.branch.test, {place(n)}) for n in written)


def _targets(node: cst.CSTNode) -> list[cst.BaseExpression]:
    """What an assignment writes."""
    if isinstance(node, cst.Assign):
        return [t.target for t in node.targets]
    return [node.target] if isinstance(node, (cst.AugAssign, cst.AnnAssign, cst.NamedExpr)) else []


def _reads_grads(model: ScriptModel, window: Window) -> bool:
    """Whether code of the window takes gradients by hand, as per-sample clipping does."""
    scopes: list[cst.CSTNode] = [window.loop.node, window.backward.frame.node, window.step.frame.node]
    scopes = [s for s in scopes if s is not model.module]
    return any(
        isinstance(n, cst.Attribute) and n.attr.value == "grad" and last_name(n.value) != "autograd"
        for scope in scopes
        for n in model.walk(scope)
    )


def _alternatives(test: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The parts of a condition that each open it: `a or b`."""
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.Or):
        return [*_alternatives(test.left), *_alternatives(test.right)]
    return [test]
