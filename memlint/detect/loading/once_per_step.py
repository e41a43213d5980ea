"""Whether an iterator is made again for every batch that is trained on."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.functions import assigned_in
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.facts import Draw, Loop
from memlint.analysis.knowledge import device_hints, hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loops import is_epochs, is_micro_loop
from memlint.syntax.expressions import calls_in
from memlint.syntax.tree import dotted

_SHORT = 10


def iterated(node: cst.CSTNode) -> cst.BaseExpression | None:
    """The `x` of `iter(x)` or `x.__iter__()`."""
    if not isinstance(node, cst.Call):
        return None
    if isinstance(node.func, cst.Attribute):
        return node.func.value
    return node.args[0].value if node.args else None


def each_step(model: ScriptModel, draw: Draw) -> bool:
    """Whether the iterator is made again for every batch that is trained on, not to measure a step or to try
    which batch size fits."""
    if any(device_hints.STUDIES_MEMORY.search(frame.name) for frame in draw.frame.chain()):
        return False
    if any(isinstance(above, cst.Yield) for above in model.ancestors(draw.node)):
        return bool(draw.loops) and not _sometimes(model, draw, draw.loops[-1])
    if not draw.loops:
        return bool(hints.STEP_FUNCTION.match(draw.frame.name)) and not _sometimes(model, draw, None)
    loop = draw.loops[-1]
    if len(draw.loops) > 1 and _one_of_each(draw, loop):
        loop = draw.loops[-2]
    if isinstance(loop.node, cst.CompFor) or loop.frame.name in ("__getitem__", "__iter__"):
        return False
    if loop is draw.loops[0] and _is_short(model, loop):
        return False
    trains = any(
        b.loops and loop in b.loops and _directly(model, loop, b.loops)
        for b in model.trace.backwards.values()
    )
    return (trains or _means_all(model, draw, loop)) and not _sometimes(model, draw, loop)


def _means_all(model: ScriptModel, draw: Draw, loop: Loop) -> bool:
    """Whether a loop counts to the length of the loader or of its data, to see all of them."""
    source, node = iterated(draw.node), loop.node
    if source is None or not dotted(source) or not isinstance(node, (cst.For, cst.While)):
        return False
    header = node.iter if isinstance(node, cst.For) else node.test
    if isinstance(node, cst.For) and not (isinstance(header, cst.Call) and dotted(header.func) == "range"):
        return False
    behind = (s.node for n in model.every(cst.Name, header) for s in value_sources(model, n))
    asked = (c for part in (header, *behind) for c in calls_in(part, "len"))
    given = (dotted(arg.value) for call in asked for arg in call.args)
    return any(f"{name}.".startswith(f"{dotted(source)}.") for name in given if name)


def _one_of_each(draw: Draw, loop: Loop) -> bool:
    """Whether a loop goes through several loaders, to take one batch of each."""
    source = iterated(draw.node)
    return (
        isinstance(loop.node, cst.For) and source is not None and dotted(loop.node.target) == dotted(source)
    )


def _is_short(model: ScriptModel, loop: Loop) -> bool:
    """Whether a loop counts to ten at most, as in a demonstration or a test."""
    source = loop.node.iter if isinstance(loop.node, cst.For) else None
    if not isinstance(source, cst.Call) or dotted(source.func) != "range" or len(source.args) != 1:
        return False
    ends = [o.node for o in value_sources(model, source.args[0].value)]
    return all(isinstance(end, cst.Integer) and end.evaluated_value <= _SHORT for end in ends)


def _directly(model: ScriptModel, loop: Loop, loops: tuple[Loop, ...]) -> bool:
    """Whether a backward under `loops` belongs to one round of `loop`, micro-batches included."""
    inner = loops[loops.index(loop) + 1 :]
    return not inner or (not is_epochs(loop) and all(is_micro_loop(model.trace, x, loops) for x in inner))


def _sometimes(model: ScriptModel, draw: Draw, loop: Loop | None) -> bool:
    """Whether the iterator is only made in some rounds: on exhaustion, every n steps, the first time."""
    node: cst.CSTNode = draw.node
    for frame in draw.frame.chain():
        for above in model.ancestors(node):
            if above is frame.node or (loop is not None and above is loop.node):
                break
            if isinstance(above, (cst.ExceptHandler, cst.ExceptStarHandler, cst.Lambda)):
                return True
            if isinstance(above, (cst.If, cst.IfExp)) and _varies(model, above, loop):
                return True
        if (loop is not None and frame is loop.frame) or frame.call is None:
            return False
        node = frame.call
    return False


def _varies(model: ScriptModel, branch: cst.If | cst.IfExp, loop: Loop | None) -> bool:
    """Whether the condition of a branch can change from step to step."""
    changing = assigned_in(model, branch.body) | (
        assigned_in(model, loop.node) if loop is not None else set()
    )
    for node in model.walk(branch.test):
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Modulo):
            return True
        if isinstance(node, cst.ComparisonTarget) and isinstance(node.operator, cst.Is):
            return True
        if isinstance(node, (cst.Name, cst.Attribute)) and dotted(node) in changing:
            return True
    return False
