"""What is wrong with an accumulation window: gradients not averaged, or left over at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loops import over_loader
from memlint.analysis.training.optimization.accumulation_windows import Window
from memlint.analysis.values import Frame
from memlint.syntax.arguments import argument_for, parameters
from memlint.syntax.expressions import asks_length, place
from memlint.syntax.tree import dotted


def is_divided(model: ScriptModel, window: Window) -> bool:
    """Whether code before the backward scales by the length of the window, or sums on purpose."""
    if _scales(model.text, window.size):
        return True
    for frame in window.backward.frame.chain():
        if isinstance(frame.node, cst.FunctionDef):
            names = {window.size, *_received(frame, window.size)}
            names |= _shorter(model, frame.node, window.size)
            if any(_scales(model.code(frame.node.body), name) for name in names):
                return True
    return False


def _shorter(model: ScriptModel, function: cst.FunctionDef, size: str) -> set[str]:
    """The names that are given the length of the window, or what is left of it: `n = min(every, left)`."""
    found: set[str] = set()
    for node in model.every(cst.Assign, function):
        least = node.value if isinstance(node.value, cst.Call) and dotted(node.value.func) == "min" else None
        if least is not None and size in [place(arg.value) for arg in least.args]:
            found |= {place(target.target) for target in node.targets}
    return found - {""}


def _scales(text: str, size: str) -> bool:
    word = re.escape(size.rpartition(".")[2])
    scaled = rf"[/*]=?\s*\(?(float\()?[\w.]*\b{word}\b|\b{word}\b\)?\s*\*|(div|mul)_?\([^)]*\b{word}\b"
    return re.search(rf"{scaled}|reduction\s*=\s*[\"']sum", text) is not None


def _received(frame: Frame, size: str) -> Iterator[str]:
    """The parameters of a call's function that are given the length of the window."""
    call, function = frame.call, frame.node
    if isinstance(call, cst.Call) and isinstance(function, cst.FunctionDef):
        for name in parameters(function):
            given = argument_for(call, function, name)
            if given is not None and place(given) == size:
                yield name


def _counts_down(model: ScriptModel, window: Window) -> bool:
    """Whether the test asks as well for what is left, a number that the loop counts down."""
    loop, branch = window.loop, window.branch
    assert branch is not None
    counted = {
        place(n.target)
        for n in model.every(cst.AugAssign, loop.node)
        if isinstance(n.operator, cst.SubtractAssign)
    }
    return bool((counted - {""}) & model.names_in(branch.test))


def leaves_tail(model: ScriptModel, window: Window) -> bool:
    """Whether the batches after the last full window of an epoch never lead to a step of their own."""
    loop, branch = window.loop, window.branch
    if branch is None or not window.size or not isinstance(loop.node, cst.For) or not over_loader(loop):
        return False
    choices = model.every(cst.BooleanOperation, branch.test)
    either = any(isinstance(choice.operator, cst.Or) for choice in choices)
    if either or asks_length(branch.test) or _counts_down(model, window):
        return False
    counters = {n.value for n in model.walk(loop.node.target) if isinstance(n, cst.Name)}
    if not counters & model.names_in(branch.test):
        return False
    end = model.positions[model.walk(loop.node)[-1]]
    steps = [s for s in model.trace.steps.values() if s.optimizer is window.step.optimizer]
    return not any(s.frame is loop.frame and model.positions[s.node] > end for s in steps)
