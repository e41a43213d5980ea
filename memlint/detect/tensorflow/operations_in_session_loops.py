"""Operations that a loop adds to the graph of TensorFlow 1 again and again, to run them in a session."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.knowledge.libraries import GRAPH_OPERATIONS
from memlint.analysis.match import Label, Match
from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.repeats import is_short
from memlint.analysis.tensorflow.traced_functions import inside_traced
from memlint.syntax.expressions import calls_in, takes_remainder
from memlint.syntax.tree import header_of

_SESSIONS = ("tf.Session", "tf.InteractiveSession", "tf.compat.v1.Session", "tf.compat.v1.InteractiveSession",
             "tf.train.MonitoredTrainingSession", "tf.compat.v1.train.MonitoredTrainingSession")  # fmt: skip
_NEW_GRAPH = ("Graph", "reset_default_graph", "clear_session")


def operations_in_session_loops(flow: Flow) -> Iterator[Match]:
    """Operations that are made in a loop which runs a session, the first of each loop."""
    told: set[cst.CSTNode] = set()
    for call in flow.model.names.calls:
        api = flow.api(call.func).removeprefix("tf.compat.v1.")
        if api.removeprefix("tf.") not in GRAPH_OPERATIONS or inside_traced(flow, call):
            continue
        loop = next((loop for loop in reversed(flow.loops(call)) if _runs_session(flow, loop)), None)
        if loop is None or loop in told or is_short(flow, loop) or _is_made_once(flow, call, loop):
            continue
        if any(calls_in(loop, *_NEW_GRAPH)):
            continue
        told.add(loop)
        label = Label("added again in each pass", header_of(loop))
        yield Match(call, {"function": flow.model.short(call, 40)}, "operation", (label,))


def _is_made_once(flow: Flow, call: cst.Call, loop: cst.CSTNode) -> bool:
    """Whether a test lets one pass make the operation: `if step == 0`, `if accuracy is None`."""
    for above in flow.model.ancestors(call):
        if above is loop:
            break
        if isinstance(above, cst.If) and not takes_remainder(above.test):
            compared = isinstance(above.test, cst.Comparison) and above.test.comparisons[0]
            if compared and isinstance(compared.operator, (cst.Equal, cst.Is)):
                return True
    return False


def _runs_session(flow: Flow, loop: cst.CSTNode) -> bool:
    """Whether a loop runs something in a session that was made before it."""
    if not isinstance(loop, (cst.For, cst.While)):
        return False
    runs = (c.func.value for c in calls_in(loop.body, "run") if isinstance(c.func, cst.Attribute))
    return any(_is_session(flow, owner, loop) for owner in runs)


def _is_session(flow: Flow, owner: cst.BaseExpression, loop: cst.CSTNode) -> bool:
    made = [s for s in flow.sources(owner) if isinstance(s, cst.Call) and flow.api(s.func) in _SESSIONS]
    return bool(made) and not any(loop in flow.loops(node) for node in made)
