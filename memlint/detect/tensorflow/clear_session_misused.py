"""MTF106: clear_session where it harms a living model, or is meant to give GPU memory back."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.guards import never_runs
from memlint.analysis.knowledge import code_words, libraries
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.flow import Flow, concerns, flow_of
from memlint.analysis.tensorflow.keras import (
    is_keras,
    last,
    led_to,
)
from memlint.catalogue import Rule
from memlint.detect.tensorflow.sessions import clears
from memlint.detect.tensorflow.used_models import model_in_steps, used_later


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Calls of clear_session in loops over steps, before a model is used again, or for GPU memory."""
    if not concerns(model):
        return
    flow = flow_of(model)
    for call in led_to(flow, "clear_session"):
        if not clears(flow, call) or never_runs(model, call):
            continue
        match = (
            _in_callback(flow, call)
            or model_in_steps(flow, call)
            or used_later(flow, call)
            or _for_gpu(flow, call)
        )
        if match is not None:
            yield match


def _in_callback(flow: Flow, call: cst.Call) -> Match | None:
    """A callback that clears the session while the model that calls it trains."""
    function, owner = flow.model.function_of(call), flow.model.class_of(call)
    if function is None or owner is None or not libraries.KERAS_TRAINING_HOOK.match(function.name.value):
        return None
    bases = (flow.api(base.value) for base in owner.bases)
    if not any(is_keras(base) and last(base).endswith("Callback") for base in bases):
        return None
    label = Label("called again and again while the model trains", function.name)
    return Match(call, {"model": "self.model", "use": function.name.value}, "steps", (label,))


def _for_gpu(flow: Flow, call: cst.Call) -> Match | None:
    """A comment, or the name of the function around it, says that this is about the memory of the GPU."""
    function = flow.model.function_of(call)
    name = function.name.value if function is not None else ""
    line = flow.model.statement_of(call)
    notes = [name]
    if isinstance(line, cst.SimpleStatementLine):
        comments = [line.trailing_whitespace.comment, *(e.comment for e in line.leading_lines)]
        notes += [c.value for c in comments if c is not None]
    said = next((n for n in notes if code_words.GPU_MEMORY.search(n)), "")
    return Match(call, {}, "gpu") if said else None
