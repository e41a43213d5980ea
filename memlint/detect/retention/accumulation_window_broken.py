"""MEM124: gradient accumulation that loses gradients, or a loop over data that never looks at the data."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Zero
from memlint.analysis.match import Label, Match, Move, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.optimization.accumulation_windows import Window, conditions, windows
from memlint.catalogue import Rule
from memlint.detect.retention.accelerate_windows import cleared_in_windows
from memlint.detect.retention.discarded_gradients import discarded
from memlint.detect.retention.invariant_forwards import repeated
from memlint.detect.retention.window_faults import is_divided, leaves_tail
from memlint.finding import Applicability
from memlint.syntax.tree import header_of

_CAUTION = "training changes: each step then uses the gradients of its whole window"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Broken windows, each statement once; then loops whose forward passes see one input only."""
    seen: set[cst.CSTNode] = set()
    for window in windows(model):
        for match in _window(model, window):
            if match.node not in seen:
                seen.add(match.node)
                yield match
    yield from cleared_in_windows(model)
    for found in repeated(model):
        label = Label("this loop runs through the data", header_of(found.loop.node))
        yield Match(found.forward.node, {"forward": model.short(found.forward.node)}, "invariant", (label,))


def _window(model: ScriptModel, window: Window) -> Iterator[Match]:
    """What is wrong with one window: gradients thrown away; or a tail left over, a mean not taken."""
    step = model.short(window.step.node)
    found = discarded(model, window)
    if found is not None:
        zero, variant = found
        plan = _plan(model, window, zero)
        label = Label("only here the gradients are used", window.step.node)
        values = {"zero": model.short(zero.node), "step": step}
        yield Match(zero.node, values, variant, (label,), plans=(plan,) if plan else ())
        return
    if window.branch is None or not window.size:
        return
    if leaves_tail(model, window):
        yield Match(window.branch.test, {"step": step, "size": window.size}, "tail")
    if not is_divided(model, window):
        values = {"backward": model.short(window.backward.node), "size": window.size}
        yield Match(window.backward.node, values, "undivided")


def _plan(model: ScriptModel, window: Window, zero: Zero) -> Plan | None:
    """Move the zero_grad behind the step of the window, or in front of the inner loop."""
    line, step = model.statement_of(zero.node), model.own_statement_of(window.step.node)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1 or step is None:
        return None
    if zero.frame is not window.step.frame or zero.frame is not window.loop.frame:
        return None
    if conditions(model, zero, window.loop) and _is_all(model, line):
        return None
    behind = window.branch is not None
    move = Move(line, step if behind else window.loop.node, below=behind)
    where = "after the step" if behind else "before the loop"
    return Plan(Applicability.UNSAFE, f"move `{model.short(zero.node)}` {where}", (move,), _CAUTION)


def _is_all(model: ScriptModel, line: cst.CSTNode) -> bool:
    """Whether a line is all that its block has, which would be empty without it."""
    block = model.parent(line)
    return isinstance(block, cst.IndentedBlock) and len(block.body) == 1
