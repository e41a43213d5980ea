"""Functions that a framework runs at every training step: by their names, or by the event they handle."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.constants import integer_of
from memlint.analysis.dataflow.execution_frequency import interval_of
from memlint.analysis.facts import Called
from memlint.analysis.knowledge import device_hints, libraries
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.modes.managed import is_managed
from memlint.analysis.values import Frame
from memlint.syntax.expressions import places_in
from memlint.syntax.tree import dotted

RARE = 100


def in_step_hook(model: ScriptModel, event: Called) -> bool:
    """Whether a call stands in a method that a framework runs at every step, or in a helper that it calls."""
    node, step = event.node, 1
    for frame in event.frame.chain():
        function = frame.node
        share = interval_of(model, node, function) if isinstance(function, cst.FunctionDef) else None
        if share is None or not isinstance(function, cst.FunctionDef):
            return False
        step *= share
        if _is_hook(model, frame, function):
            return step <= RARE and all(loop.node is function for loop in event.loops)
        if frame.call is None or not device_hints.CLEANUP_HELPER.search(frame.name):
            return False
        node = frame.call
    return False


def _is_hook(model: ScriptModel, frame: Frame, function: cst.FunctionDef) -> bool:
    """Whether a framework runs a function at every step: a method by its name, a handler by its event."""
    if libraries.STEP_HOOK.match(function.name.value) and is_managed(model, frame):
        return True
    handled = (d.decorator for d in function.decorators if isinstance(d.decorator, cst.Call))
    given = [a.value for call in handled if dotted(call.func).endswith(".on") for a in call.args]
    for call in model.names.calls:
        if dotted(call.func).endswith(".add_event_handler") and len(call.args) > 1:
            given += [call.args[0].value] if dotted(call.args[1].value) == function.name.value else []
    return any(_every_step(model, event) for event in given)


def _every_step(model: ScriptModel, event: cst.BaseExpression) -> bool:
    """Whether an event of ignite happens at (nearly) every step: `every=` says how many pass by."""
    if not any(libraries.STEP_EVENT.search(named) for named in places_in(event)):
        return False
    if not isinstance(event, cst.Call):
        return True
    every = next((a.value for a in event.args if a.keyword is not None and a.keyword.value == "every"), None)
    number = integer_of(model, every) if every is not None else None
    return number is not None and number <= RARE
