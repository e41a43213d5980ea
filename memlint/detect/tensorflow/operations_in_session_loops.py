"""Operations that a loop adds to the graph of TensorFlow 1 again and again, to run them in a session."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.knowledge.libraries import GRAPH_OPERATIONS
from memlint.analysis.knowledge.naming import SESSION
from memlint.analysis.match import Label, Match
from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.repeats import is_short
from memlint.analysis.tensorflow.traced_functions import inside_traced
from memlint.syntax.arguments import keyword
from memlint.syntax.expressions import calls_in, takes_remainder
from memlint.syntax.tree import header_of, last_name

_SESSIONS = ("tf.Session", "tf.InteractiveSession", "tf.compat.v1.Session", "tf.compat.v1.InteractiveSession",
             "tf.train.MonitoredTrainingSession", "tf.compat.v1.train.MonitoredTrainingSession")  # fmt: skip
_FIRST_VERSION = frozenset({"feed_dict", "placeholder", "get_default_graph"})
"""Names that only code for a session of TensorFlow 1 uses."""

_NEW_GRAPH = ("Graph", "reset_default_graph", "clear_session")


def operations_in_session_loops(flow: Flow) -> Iterator[Match]:
    """Operations that are made in a loop which runs a session, the first of each loop."""
    told: set[cst.CSTNode] = set()
    for node in _made(flow):
        loop = next((loop for loop in reversed(flow.loops(node)) if _runs_session(flow, loop)), None)
        if loop is None or loop in told or is_short(flow, loop) or _is_made_once(flow, node, loop):
            continue
        if any(calls_in(loop, *_NEW_GRAPH)):
            continue
        told.add(loop)
        label = Label("added again in each pass", header_of(loop))
        yield Match(node, {"function": flow.model.short(node, 40)}, "operation", (label,))


def _made(flow: Flow) -> Iterator[cst.BaseExpression]:
    """What adds operations to the graph: functions of TensorFlow, and arithmetic with what they gave, where a
    session is to run it."""
    for call in flow.model.names.calls:
        if inside_traced(flow, call):
            continue
        if _operation(flow, call) in GRAPH_OPERATIONS:
            yield call
        elif last_name(call.func) == "run" and call.args:
            yield from (part for part in _fetched(call.args[0].value) if _is_arithmetic(flow, part))


def _operation(flow: Flow, call: cst.Call) -> str:
    return flow.api(call.func).removeprefix("tf.compat.v1.").removeprefix("tf.")


def _fetched(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """What a session is to run: one thing, or those of a list."""
    if isinstance(node, (cst.List, cst.Tuple)):
        return [part for element in node.elements for part in _fetched(element.value)]
    return [node]


def _is_arithmetic(flow: Flow, node: cst.BaseExpression) -> bool:
    """Whether an expression computes with tensors of the graph, and so makes an operation: `-loss`."""
    if isinstance(node, cst.UnaryOperation):
        return _is_tensor(flow, node.expression)
    return isinstance(node, cst.BinaryOperation) and (
        _is_tensor(flow, node.left) or _is_tensor(flow, node.right)
    )


def _is_tensor(flow: Flow, node: cst.BaseExpression) -> bool:
    if isinstance(node, (cst.UnaryOperation, cst.BinaryOperation)):
        return _is_arithmetic(flow, node)
    made = flow.sources(node)
    return bool(made) and all(s is not node and _gives_tensor(flow, s) for s in made)


def _gives_tensor(flow: Flow, node: cst.CSTNode) -> bool:
    """Whether an expression is a function of TensorFlow or arithmetic with what one gave."""
    if isinstance(node, cst.Call):
        return _operation(flow, node) in GRAPH_OPERATIONS
    return isinstance(node, cst.BinaryOperation) and _is_arithmetic(flow, node)


def _is_made_once(flow: Flow, made: cst.BaseExpression, loop: cst.CSTNode) -> bool:
    """Whether a test lets one pass make the operation: `if step == 0`, `if accuracy is None`."""
    for above in flow.model.ancestors(made):
        if above is loop:
            break
        if isinstance(above, cst.If) and not takes_remainder(above.test):
            compared = isinstance(above.test, cst.Comparison) and above.test.comparisons[0]
            if compared and isinstance(compared.operator, (cst.Equal, cst.Is)):
                return True
    return False


def _runs_session(flow: Flow, loop: cst.CSTNode) -> bool:
    """Whether a loop runs something in a session: one made before it, or one of each pass for one graph."""
    if not isinstance(loop, (cst.For, cst.While)):
        return False
    runs = (c.func.value for c in calls_in(loop.body, "run") if isinstance(c.func, cst.Attribute))
    return any(_is_session(flow, owner, loop) for owner in runs)


def _is_session(flow: Flow, owner: cst.BaseExpression, loop: cst.CSTNode) -> bool:
    made = [s for s in flow.sources(owner) if s is not owner]
    if not any(isinstance(s, cst.Call) for s in made):
        return bool(SESSION.search(last_name(owner)) and _FIRST_VERSION & flow.model.identifiers)
    known = [s for s in made if isinstance(s, cst.Call) and flow.api(s.func) in _SESSIONS]
    return bool(known) and all(loop not in flow.loops(s) or keyword(s, "graph") is None for s in known)
