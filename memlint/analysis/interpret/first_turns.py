"""Tests that hold in the first turn of a loop and in none after it: `if t == 0`, of a counter from 0 on."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Loop
from memlint.analysis.interpret.machine import Machine
from memlint.syntax.arguments import argument
from memlint.syntax.expressions import literal
from memlint.syntax.tree import last_name


def in_first_turn(machine: Machine, test: cst.BaseExpression) -> bool | None:
    """Whether a test that tells the first turn of a loop from the others holds in the present one.

    None for other tests, and where the loop is run a single time for all its turns.
    """
    counter, wanted = _asks_for_first(test)
    if not counter:
        return None
    for loop in reversed(machine.loops):
        if loop.frame is machine.frame and counter == _counter_from_zero(loop):
            turn = machine.turns.get(loop)
            if turn == 0:
                machine.answered.add(id(test))
                machine.told_first.add(loop)
            return None if turn is None else (turn == 0) is wanted
    return None


def branches_of(machine: Machine, node: cst.IfExp) -> tuple[cst.BaseExpression, ...]:
    """The results that a conditional expression may have in the present turn."""
    first = in_first_turn(machine, node.test)
    return (node.body, node.orelse) if first is None else (node.body if first else node.orelse,)


def _asks_for_first(test: cst.BaseExpression) -> tuple[str, bool]:
    """The name that a test compares with 0, and whether it holds there; "" for other tests."""
    if type(test) is not cst.Comparison or len(test.comparisons) != 1 or type(test.left) is not cst.Name:
        return "", False
    asked = test.comparisons[0]
    if literal(asked.comparator) != 0 or type(asked.comparator) is not cst.Integer:
        return "", False
    if type(asked.operator) is cst.Equal:
        return test.left.value, True
    other = type(asked.operator) in (cst.NotEqual, cst.GreaterThan)
    return test.left.value if other else "", False


def _counter_from_zero(loop: Loop) -> str:
    """The name with which a loop over `range` or `enumerate` counts its turns, from 0 on."""
    call = loop.node.iter if type(loop.node) is cst.For else None
    while type(call) is cst.Call and last_name(call.func) in ("tqdm", "track") and call.args:
        call = call.args[0].value
    if type(loop.node) is not cst.For or type(call) is not cst.Call or type(call.func) is not cst.Name:
        return ""
    target: cst.CSTNode = loop.node.target
    if call.func.value == "range":
        start = call.args[0].value if len(call.args) > 1 else None
    elif call.func.value == "enumerate" and type(target) is cst.Tuple:
        start, target = argument(call, 1, "start"), target.elements[0].value
    else:
        return ""
    begins = start is None or (type(start) is cst.Integer and literal(start) == 0)
    return target.value if begins and type(target) is cst.Name else ""
