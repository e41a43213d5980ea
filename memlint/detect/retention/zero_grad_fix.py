"""Moving a `zero_grad` in front of the forward pass of its iteration."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.control_flow import JUMPS
from memlint.analysis.dataflow.execution_order import active_nodes
from memlint.analysis.dataflow.regions import siblings
from memlint.analysis.facts import Backward, Forward, Zero
from memlint.analysis.match import Move, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.grad_reads import calls_what_it_is_given
from memlint.detect.retention.gradient_needs import WATCHED, may_be_watched
from memlint.finding import Applicability
from memlint.records import dataclass
from memlint.syntax.expressions import place

_STRAIGHT = (cst.SimpleStatementLine, cst.With, cst.If)


@dataclass(frozen=True, slots=True, eq=False)
class LateZero:
    """A zero_grad that runs after the `forwards` of a step and right before its `backward`."""

    zero: Zero
    forwards: tuple[Forward, ...]
    backward: Backward


SHARES_A_LINE = "other statements stand on its line, and a fix moves whole lines"


def moved_before_forward(model: ScriptModel, found: LateZero) -> Plan | str:
    """The zero_grad moved before the first forward, where nothing in between reads gradients; else why not,
    where the rule's own words do not say it."""
    line = model.statement_of(found.zero.node)
    first = _statement_beside(model, found, line)
    if line is not None and not _is_alone(line, found.zero.node):
        return SHARES_A_LINE
    if line is None or first is None:
        return ""
    block = siblings(model, line)
    between = block[block.index(first) : block.index(line)]
    if not all(_is_harmless(model, statement, found) for statement in between):
        return ""
    code = model.code(found.zero.node)
    changes = (Move(line, first),)
    watched = may_be_watched(model, found.forwards[0], found.zero) or calls_what_it_is_given(model, between)
    kind = Applicability.UNSAFE if watched else Applicability.SAFE
    return Plan(kind, f"move `{code}` before the forward", changes, WATCHED if watched else "")


def _is_alone(line: cst.CSTNode, node: cst.CSTNode) -> bool:
    return isinstance(line, cst.SimpleStatementLine) and [getattr(s, "value", None) for s in line.body] == [
        node
    ]


def _statement_beside(model: ScriptModel, found: LateZero, line: cst.CSTNode | None) -> cst.CSTNode | None:
    """The statement of the block of `line` in which the first forward runs."""
    node = active_nodes(found.forwards[0]).get(found.zero.frame)
    if line is None or node is None:
        return None
    block = siblings(model, line)
    above = {node, *model.ancestors(node)}
    return next((s for s in block if s in above), None)


def _is_harmless(model: ScriptModel, statement: cst.CSTNode, found: LateZero) -> bool:
    """Whether a statement runs straight on and neither has to do with the optimizer nor with gradients."""
    assert isinstance(found.zero.node, cst.Call)
    assert isinstance(found.zero.node.func, cst.Attribute)
    target = place(found.zero.node.func.value)
    if not isinstance(statement, _STRAIGHT):
        return False
    for node in model.walk(statement):
        if isinstance(node, (cst.For, cst.While, cst.Try, cst.Yield, cst.Await, *JUMPS)):
            return False
        if isinstance(node, (cst.Name, cst.Attribute)) and place(node) == target and not _is_module(found):
            return False
    return True


def _is_module(found: LateZero) -> bool:
    """Whether it is the module itself that is cleared, which the forward has to mention."""
    return found.zero.target is not None and found.zero.target.kind != "optimizer"
