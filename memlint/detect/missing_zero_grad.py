"""MEM121: gradients are added up over steps because nothing in the loop clears them."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.gradients import Uncleared, loop_body, uncleared
from memlint.analysis.match import InsertAfter, InsertBefore, Label, Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.tree import statements
from memlint.catalogue import Rule
from memlint.finding import Applicability

_CAUTION = "training changes: each step then uses its own gradients only"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Backward and step in one loop without a zero_grad on the way round."""
    for found in uncleared(model):
        name = found.step.code or "the optimizer"
        values = {"optimizer": name, "backward": model.short(found.backward.node)}
        labels = (Label(f"`{name}` steps with the sum of all gradients so far", found.step.node),)
        plan = _plan(model, found, name)
        yield Match(found.backward.node, values, found.how, labels, plans=(plan,) if plan else ())


def _plan(model: ScriptModel, found: Uncleared, name: str) -> Plan | None:
    call = f"{name}.zero_grad()"
    if found.how == "epoch":
        return None
    condition = _window(model, found)
    if condition is not None:
        line = model.statement_of(found.step.node)
        assert line is not None
        return Plan(
            Applicability.UNSAFE, f"add `{call}` after the step", (InsertAfter(line, call),), _CAUTION
        )
    first: cst.CSTNode | None
    if found.loop is not None and found.loop.frame is found.step.frame:
        body = loop_body(found.loop)
        first = statements(body)[0] if body is not None else None
    else:
        first = _before_backward(model, found)
    if first is None:
        return None
    return Plan(Applicability.UNSAFE, f"add `{call}`", (InsertBefore(first, call),), _CAUTION)


def _window(model: ScriptModel, found: Uncleared) -> cst.If | None:
    """The `if` of an accumulation window around the step that does not hold the backward."""
    around = set(model.ancestors(found.backward.node))
    for above in model.ancestors(found.step.node):
        if isinstance(above, (cst.For, cst.While, cst.FunctionDef)):
            return None
        if isinstance(above, cst.If) and above not in around:
            return above
    return None


def _before_backward(model: ScriptModel, found: Uncleared) -> cst.CSTNode | None:
    """In a step function that a loop elsewhere calls: the line before its backward."""
    if found.step.frame is not found.backward.frame:
        return None
    return model.statement_of(found.backward.node)
