"""Program points: which branches, loops and handlers lead to a place, and what that says of two of them.

The events of the abstract run (`execution_order`) and the calls of a file that uses TensorFlow
(`tensorflow.call_order`) are compared by the same functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.control_flow import early_exits
from memlint.analysis.model import ScriptModel
from memlint.records import dataclass
from memlint.syntax.tree import is_main_guard

BRANCHES = frozenset({"then", "else", "right", "case", "handler"})
"""The sides that only some of the runs of their construct take. Loops and `try` bodies count as taken."""

LoopNode = cst.For | cst.While | cst.CompFor
"""A loop as it is written."""

_ALL = BRANCHES | {"loop", "try"}


@dataclass(frozen=True, slots=True)
class Arm:
    """One side of a construct: of what runs below it, this is what a point lies in.

    side: "then", "else", "right" (of `and` and `or`), "case", "handler", "loop" (a body), "try" (a body), or
    "past" (behind an `if` that leaves the block when its test holds). `number` counts cases and handlers.
    `activation` tells the runs of one function apart; None where all of them count as one.
    """

    construct: cst.CSTNode
    side: str
    number: int = 0
    activation: object = None


def arms(model: ScriptModel, node: cst.CSTNode, activation: object = None) -> list[Arm]:
    """The arms around a node up to its function, innermost first; the main guard is none."""
    found = _arms_in_function(model, node)
    if activation is None:
        return found
    return [Arm(arm.construct, arm.side, arm.number, activation) for arm in found]


@cached
def _arms_in_function(model: ScriptModel, node: cst.CSTNode) -> list[Arm]:
    return list(_arms(model, node))


def _arms(model: ScriptModel, node: cst.CSTNode) -> Iterator[Arm]:
    below = node
    for above in model.ancestors(node):
        if isinstance(above, (cst.IndentedBlock, cst.Module)):
            for skip in early_exits(model, above, below):
                yield Arm(skip, "past")
        elif isinstance(above, (cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp)):
            if below is not above.for_in:
                yield from (Arm(clause, "loop") for clause in reversed(_clauses(above)))
        elif (side := _side(above, below)) is not None:
            yield Arm(above, *side)
        if isinstance(above, (cst.FunctionDef, cst.Lambda)):
            return
        below = above


def _clauses(node: cst.BaseComp) -> list[cst.CompFor]:
    found: list[cst.CompFor] = []
    clause: cst.CompFor | None = node.for_in
    while clause is not None:
        found.append(clause)
        clause = clause.inner_for_in
    return found


def _side(above: cst.CSTNode, below: cst.CSTNode) -> tuple[str, int] | None:
    match above:
        case cst.If() | cst.IfExp():
            if below is above.test or is_main_guard(above):
                return None
            return ("then" if below is above.body else "else"), 0
        case cst.BooleanOperation():
            return ("right", 0) if below is above.right else None
        case cst.For():
            return ("loop", 0) if below is above.body else None
        case cst.While():
            return ("loop", 0) if below is not above.orelse else None
        case cst.Try() | cst.TryStar():
            if isinstance(below, (cst.ExceptHandler, cst.ExceptStarHandler)):
                return "handler", list(above.handlers).index(below)
            return ("try", 0) if below is not above.finalbody else None
        case cst.Match():
            return ("case", list(above.cases).index(below)) if isinstance(below, cst.MatchCase) else None
    return None


def loops_around(model: ScriptModel, node: cst.CSTNode) -> list[LoopNode]:
    """The loops of its own function in whose iterations a node runs, outermost first."""
    found = [arm.construct for arm in arms(model, node) if arm.side == "loop"]
    return [x for x in reversed(found) if isinstance(x, (cst.For, cst.While, cst.CompFor))]


def excludes(first: Iterable[Arm], second: Iterable[Arm]) -> bool:
    """Whether no run that gets to one point gets to the other in the same pass: they take different sides."""
    sides = {(arm.activation, arm.construct, arm.side == "past"): arm for arm in second}
    return any(_contradict(arm, sides) for arm in first)


def _contradict(arm: Arm, sides: dict[tuple[object, cst.CSTNode, bool], Arm]) -> bool:
    there = sides.get((arm.activation, arm.construct, False))
    if arm.side == "past":
        return there is not None and there.side == "then"
    if there is not None:
        return (arm.side, arm.number) != (there.side, there.number)
    return arm.side == "then" and (arm.activation, arm.construct, True) in sides


def surely_before(first: Iterable[Arm], second: Iterable[Arm], counted: frozenset[str] = _ALL) -> bool:
    """Whether every way to the second point took the sides of the first, which comes first in the order.

    `counted` are the sides that are not taken for granted.
    """
    there = set(second)
    return all(arm in there for arm in first if arm.side in counted)


def is_conditional(path: Iterable[Arm], counted: frozenset[str] = _ALL) -> bool:
    """Whether only some runs get to a point; for what is skipped by an earlier exit, see `excludes`."""
    return any(arm.side in counted for arm in path)
