"""How often something runs: on which iterations of the loop around it."""

from __future__ import annotations

from collections.abc import Container

import libcst as cst

from memlint.analysis.dataflow.constants import constant, given_to, integer_of
from memlint.analysis.dataflow.control_flow import Leave, leaves
from memlint.analysis.dataflow.program_points import Arm, arms
from memlint.analysis.facts import Event, Loop
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.records import dataclass
from memlint.syntax.expressions import asks_length, speaks_of
from memlint.syntax.tree import dotted, last_name


@dataclass(frozen=True, slots=True)
class Frequency:
    """That something runs in a loop on every `step`-th iteration (0: once for each window).

    `through` are the loop statement and the functions on the way from it.
    """

    loop: Loop
    step: int
    through: tuple[cst.CSTNode, ...]

    def in_words(self) -> str:
        """`on every iteration`, `on every 4th iteration`, `in every accumulation window`."""
        if self.step == 0:
            return "in every accumulation window"
        return "on every iteration" if self.step == 1 else f"on every {_ordinal(self.step)} iteration"


def _ordinal(number: int) -> str:
    if number == 2:
        return "second"
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number % 100 not in (11, 12, 13) else "th"
    return f"{number}{ending}"


def frequency_of(model: ScriptModel, event: Event, loops: Container[Loop]) -> Frequency | None:
    """On which iterations of the innermost loop around it an event happens, counted in iterations.

    None when that is rare or unknown, or when the loop is none of `loops`.
    """
    if not event.loops or event.loops[-1] not in loops:
        return None
    loop = event.loops[-1]
    step = 1
    node: cst.CSTNode | None = event.node
    through: list[cst.CSTNode] = []
    for frame in event.frame.chain():
        if node is None:
            return None
        top = loop.node if frame is loop.frame else frame.node
        interval = interval_of(model, node, top)
        if interval is None:
            return None
        step = interval if step == 1 else step * interval
        through.append(top)
        if frame is loop.frame:
            return Frequency(loop, step, tuple(through))
        node = frame.call
    return None


def interval_of(model: ScriptModel, node: cst.CSTNode, top: cst.CSTNode) -> int | None:
    """Every how many runs of `top`, a loop or function around a node, the node runs once.

    A number of iterations or calls: 1 for every one, 0 for once in each accumulation window; None where it is
    rare or unknown.
    """
    interval = 1
    for arm in arms(model, node):
        if arm.construct is top:
            break
        one = _interval_of_arm(model, arm)
        if one is None:
            return None
        interval = one if interval == 1 else interval * one
    return interval


def _interval_of_arm(model: ScriptModel, arm: Arm) -> int | None:
    if arm.side in ("handler", "case"):
        return None
    if not isinstance(arm.construct, (cst.If, cst.IfExp)):
        return 1
    if arm.side == "past":
        return _interval_past(model, arm.construct)
    found = _interval_of_test(model, arm.construct.test, arm.construct)
    return found if arm.side == "then" or found is None else 1


def _interval_of_test(model: ScriptModel, test: cst.BaseExpression, branch: cst.CSTNode) -> int | None:
    """How often a condition holds: 1 for one of the device or the phase, k for `i % k == 0`."""
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
        left = _interval_of_test(model, test.left, branch)
        right = _interval_of_test(model, test.right, branch)
        return None if left is None or right is None else right if left == 1 else left * right
    if isinstance(test, cst.BooleanOperation):
        # `i % k == 0 or i + 1 == len(loader)`: the end of an epoch adds one iteration.
        sides = [side for side in (test.left, test.right) if not _is_last_pass(side)]
        return _interval_of_test(model, sides[0], branch) if len(sides) == 1 else None
    modulo = _modulo_in(model, test)
    if modulo is not None:
        return _every(model, modulo, test, branch)
    if isinstance(test, (cst.Name, cst.Attribute)) and _is_on_by_default(model, last_name(test)):
        return 1
    holds = speaks_of(test, hints.HOLDS_THROUGHOUT) and not speaks_of(test, hints.MEASURES_MEMORY)
    return 1 if holds else None


def _is_on_by_default(model: ScriptModel, name: str) -> bool:
    """Whether an option that asks for the cache to be emptied is on unless somebody turns it off."""
    asks = hints.ASKS_FOR_CLEANUP.search(name)
    return asks is not None and any(constant(model, value) is True for value in given_to(model, name))


def _is_last_pass(side: cst.BaseExpression) -> bool:
    """Whether a condition is that of the end of an epoch, by its words or by a length."""
    return asks_length(side) or speaks_of(side, hints.LAST_PASS)


def _every(
    model: ScriptModel, modulo: cst.BinaryOperation, test: cst.BaseExpression, branch: cst.CSTNode
) -> int | None:
    if _compares(test, cst.NotEqual):
        return 1
    known = integer_of(model, modulo.right)
    if known is not None:
        return known or None
    return 0 if _steps(model, branch) or speaks_of(modulo.right, hints.ACCUMULATION_WINDOW) else None


def _steps(model: ScriptModel, branch: cst.CSTNode) -> bool:
    """Whether a branch is where the optimizer steps, as far as the run or the names tell."""
    nodes = {id(step.node) for step in model.trace.steps.values()}
    return any(id(call) in nodes or _is_named_step(call) for call in model.every(cst.Call, branch))


def _is_named_step(call: cst.Call) -> bool:
    """`optimizer.step()`, or `scaler.step(optimizer)`."""
    if not isinstance(call.func, cst.Attribute) or call.func.attr.value != "step":
        return False
    given = call.args[0].value if call.args else None
    return last_name(call.func.value) == "optimizer" or (
        given is not None and dotted(given).startswith("optim")
    )


def _interval_past(model: ScriptModel, branch: cst.If | cst.IfExp) -> int | None:
    """Every how many iterations an earlier `if i % 100: continue` lets through; None where not known."""
    modulo = _modulo_in(model, branch.test)
    # What an exit on every n-th iteration lets through is nearly all.
    if modulo is None or _compares(branch.test, cst.Equal) or not leaves(branch.body, Leave.WITHOUT_ERROR):
        return 1
    return integer_of(model, modulo.right)


def _modulo_in(model: ScriptModel, test: cst.BaseExpression) -> cst.BinaryOperation | None:
    operations = model.every(cst.BinaryOperation, test)
    return next((n for n in operations if type(n.operator) is cst.Modulo), None)


def _compares(test: cst.BaseExpression, how: type[cst.BaseCompOp]) -> bool:
    return isinstance(test, cst.Comparison) and isinstance(test.comparisons[0].operator, how)
