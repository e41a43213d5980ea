"""The loops in which an agent acts in its environment."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Loop
from memlint.analysis.knowledge import naming
from memlint.analysis.model import ScriptModel


def all_calls(model: ScriptModel) -> Iterator[cst.Call]:
    """All calls, those of other files that the run came to as well."""
    return (call for names in model.all_names() for call in names.calls)


def env_loops(model: ScriptModel) -> set[Loop]:
    """The loops in whose iterations an environment makes a step, or actions are drawn and nothing trains."""
    steps, draws = set(), set()
    for call in all_calls(model):
        if not isinstance(call.func, cst.Attribute):
            continue
        if call.func.attr.value == "step" and naming.environment(model.code(call.func.value)):
            steps.add(call)
        elif call.func.attr.value == "log_prob":
            draws.add(call)
    training = {loop for event in model.trace.backwards.values() for loop in event.loops}
    return _loops_around(model, steps) | (_loops_around(model, draws) - training)


def _loops_around(model: ScriptModel, calls: set[cst.Call]) -> set[Loop]:
    """The innermost loops around these calls, in the code and in the run; a comprehension, which asks several
    policies or environments at once, belongs to the loop around it."""
    kinds = (cst.For, cst.While)
    around = {next((a for a in model.ancestors(call) if isinstance(a, kinds)), None) for call in calls}
    found = {loop for loop in model.trace.loops.values() if loop.node in around}
    for event in model.trace.calls.values():
        if event.node in calls:
            found |= set([loop for loop in event.loops if isinstance(loop.node, kinds)][-1:])
    return found
