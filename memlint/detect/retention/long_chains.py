"""Loops without training in which a chain of graphs grows long."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Forward, Loop
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.graphs import gets_out
from memlint.analysis.training.loops import acts
from memlint.syntax.expressions import literal
from memlint.syntax.tree import dotted

_MANY = 500
"""Turns of a loop after which a chain of graphs is long."""


def acts_for_ever(model: ScriptModel, forward: Forward, loop: Loop) -> bool:
    """Whether a script that trains nothing steps an environment in the loop, or runs it without end, or so
    many times that the chain of graphs is long."""
    trace = model.trace
    if trace.backwards or trace.wants_grad or any(f.entry and f.caller for f in forward.frame.chain()):
        return False
    if gets_out(model, forward.ids):
        return False
    if isinstance(loop.node, cst.While) and literal(loop.node.test) in (True, 1):
        return True
    return acts(model, loop) or _turns(loop) >= _MANY


def _turns(loop: Loop) -> int:
    """How often `for i in range(10000)` goes round; 0 where that is not written there."""
    given = loop.node.iter if isinstance(loop.node, cst.For) else None
    counted = isinstance(given, cst.Call) and dotted(given.func) == "range" and len(given.args) == 1
    number = literal(given.args[0].value) if counted and isinstance(given, cst.Call) else 0
    return number if isinstance(number, int) else 0
