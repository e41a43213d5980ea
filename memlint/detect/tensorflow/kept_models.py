"""Whether the models that a loop builds are all wanted at once."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.program_points import LoopNode
from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.repeats import puts_on_object, stores
from memlint.detect.tensorflow.clear_session_fix import hands_out
from memlint.syntax.tree import dotted


def is_kept(flow: Flow, node: cst.CSTNode, loop: LoopNode) -> bool:
    """Whether every model is wanted at once, as in an ensemble."""
    parent = flow.model.parent(node)
    if isinstance(loop, cst.CompFor):
        return not isinstance(parent, cst.Attribute)
    if isinstance(parent, cst.Arg):
        above = flow.model.parent(parent)
        return isinstance(above, cst.Call) and dotted(above.func).endswith((".append", ".add", ".put"))
    if not isinstance(parent, cst.Assign):
        return False
    targets = [t.target for t in parent.targets]
    if any(isinstance(t, cst.Subscript) for t in targets):
        return True
    return any(stores(flow, loop, dotted(t)) for t in targets)


def is_put_on_object(flow: Flow, shown: cst.Call) -> bool:
    """Whether the method that makes a model puts it into a container of its object."""
    function, line = flow.model.function_of(shown), flow.model.parent(shown)
    names = [dotted(t.target) for t in line.targets] if isinstance(line, cst.Assign) else []
    return function is not None and any(name and puts_on_object(flow, function, name) for name in names)


def is_handed_out(flow: Flow, call: cst.Call, shown: cst.Call, node: cst.CSTNode) -> bool:
    """Whether a model that a function makes may be kept by the comprehension that calls the function.

    It is not where only a method of the result is called, `build(units).evaluate(x, y)`, nor where the
    function that gets the model by the call `shown` gives something else: `[score(n) for n in sizes]`.
    """
    if isinstance(flow.model.parent(node), cst.Attribute) or not hands_out(flow, call):
        return False
    return shown is node or hands_out(flow, shown)
