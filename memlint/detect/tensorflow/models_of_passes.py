"""Whether the passes of a loop run one model each."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.program_points import LoopNode
from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.keras import makes_model, trained
from memlint.syntax.tree import dotted, root_name


def makes_its_model(flow: Flow, owner: cst.BaseExpression, loop: LoopNode) -> bool:
    """Whether each pass of a loop has a model of its own, which it makes or is given: `for net in nets`."""
    if isinstance(loop, (cst.For, cst.CompFor)) and root_name(owner) in flow.model.names_in(loop.target):
        return True
    if isinstance(loop, (cst.For, cst.While)) and dotted(owner) in _bound_in(flow, loop):
        return True
    made = [s for s in flow.sources(owner) if isinstance(s, cst.Call) and makes_model(flow, s)]
    fits = [c for c in trained(flow) if loop in flow.loops(c)]
    inside = any(loop in run for call in made for run in flow.runs(call))
    return inside and (bool(fits) or loop in flow.loops(made[0]))


def _bound_in(flow: Flow, loop: cst.For | cst.While) -> set[str]:
    """What the passes of a loop bind, by calls: `model = create(i); model.load_weights(...)`."""
    lines = (line for line in flow.model.every(cst.Assign, loop.body) if isinstance(line.value, cst.Call))
    return {dotted(target.target) for line in lines for target in line.targets} - {""}
