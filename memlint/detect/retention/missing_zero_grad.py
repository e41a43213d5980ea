"""MEM121: gradients are added up over steps because nothing in the loop clears them."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.liveness import first_node, variable
from memlint.analysis.match import InsertAfter, InsertBefore, Label, Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.gradients import Uncleared, loop_body, uncleared
from memlint.analysis.training.optimization.manual_steps import unzeroed_by_hand
from memlint.catalogue import Rule
from memlint.detect.retention.lost_gradients import lost_gradients
from memlint.finding import Applicability
from memlint.syntax.tree import statements

_CAUTION = "training changes: each step then uses its own gradients only"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Backward and step in one loop without a zero_grad on the way, or with one right before the step."""
    for found in uncleared(model):
        name = found.step.code or "the optimizer"
        values = {"optimizer": name, "backward": model.short(found.backward.node)}
        labels = (Label(f"`{name}` steps with the sum of all gradients so far", found.step.node),)
        plan = _plan(model, found, name)
        yield Match(found.backward.node, values, found.how, labels, plans=(plan,) if plan else ())
    for hand in unzeroed_by_hand(model):
        values = {"grad": model.code(hand.grad), "backward": model.short(hand.backward.node)}
        yield Match(hand.backward.node, values, "hand", (Label("applied here", hand.grad),))
    for zero, step, backward in lost_gradients(model):
        values = {"optimizer": step.code or "the optimizer", "backward": model.short(backward.node)}
        yield Match(zero.node, values, "lost", (Label("this step finds no gradients", step.node),))


def _plan(model: ScriptModel, found: Uncleared, name: str) -> Plan | None:
    """`zero_grad()` before the forward, or after the step where a window waits for several batches."""
    call = f"{name}.zero_grad()"
    if found.how == "epoch":
        return None
    first: cst.BaseStatement | cst.BaseSmallStatement | None = None
    if _window(model, found) is None:
        first = _before_forward(model, found)
        if first is None:
            return None
    if first is not None and _means_the_same(model, found, first):
        return Plan(Applicability.UNSAFE, f"add `{call}`", (InsertBefore(first, call),), _CAUTION)
    line = model.own_statement_of(found.step.node)
    assert line is not None
    return Plan(Applicability.UNSAFE, f"add `{call}` after the step", (InsertAfter(line, call),), _CAUTION)


def _before_forward(
    model: ScriptModel, found: Uncleared
) -> cst.BaseStatement | cst.BaseSmallStatement | None:
    """The start of the loop's body; in a function that a loop elsewhere calls, the line of its backward."""
    if _steps_in_loop(found):
        assert found.loop is not None
        body = loop_body(found.loop)
        return statements(body)[0] if body is not None else None
    return model.own_statement_of(found.backward.node) if found.step.frame is found.backward.frame else None


def _means_the_same(model: ScriptModel, found: Uncleared, first: cst.CSTNode) -> bool:
    """Whether the name of the optimizer has its value of the step before a statement already."""
    known = variable(model, first, found.step.code.partition(".")[0])
    around = model.function_of(first) or model.module
    if known is None or known.scope.node is not around:
        return True
    start = first_node(known.flow, first)
    if start is None or not known.is_bound_at(start):
        return False
    body = set(model.walk(model.parent(first) or around)) if _steps_in_loop(found) else set()
    return not any(name in body for names in known.binds.values() for name in names)


def _steps_in_loop(found: Uncleared) -> bool:
    return found.loop is not None and found.loop.frame is found.step.frame


def _window(model: ScriptModel, found: Uncleared) -> cst.If | None:
    """The `if` of an accumulation window around the step that does not hold the backward."""
    around = set(model.ancestors(found.backward.node))
    for above in model.ancestors(found.step.node):
        if isinstance(above, (cst.For, cst.While, cst.FunctionDef)):
            return None
        if isinstance(above, cst.If) and above not in around:
            return above
    return None
