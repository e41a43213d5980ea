"""MEM113: a large tensor made after the backward is still named in the next one."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.control_flow import FlowNode
from memlint.analysis.dataflow.execution_order import active_nodes, in_line
from memlint.analysis.dataflow.liveness import (
    Deletion,
    Variable,
    delete_after,
    flow_node_of,
    next_turn,
    variable,
)
from memlint.analysis.dataflow.regions import siblings
from memlint.analysis.facts import Backward, Loop
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loops import in_training
from memlint.analysis.values import Frame
from memlint.catalogue import Rule
from memlint.detect.retention.large_values import is_large, is_tensor, may_matter


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Locals of the function that runs a step loop, bound after the backward and not deleted."""
    seen: set[cst.CSTNode] = set()
    for backward in model.trace.backwards.values():
        if not backward.fills or not backward.loops or not in_training(model.trace, backward):
            continue
        for frame in backward.frame.chain():
            node = active_nodes(backward).get(frame)
            if frame is not backward.loops[-1].frame or node is None:
                continue
            for assign, name in _made_late(model, backward, frame, node):
                if assign not in seen:
                    seen.add(assign)
                    yield _match(model, assign, name, backward)


def _match(model: ScriptModel, assign: cst.Assign, name: Variable, backward: Backward) -> Match:
    values = {"name": name.name, "backward": model.short(backward.node, 30)}
    label = Label("it is still allocated when this runs in the next iteration", backward.node)
    plans, reason = _plan(model, assign, name)
    return Match(assign, values, labels=(label,), plans=plans, no_fix=reason)


def _made_late(
    model: ScriptModel, backward: Backward, frame: Frame, node: cst.CSTNode
) -> Iterator[tuple[cst.Assign, Variable]]:
    """The assignments after the backward in one of its loops whose value reaches the next backward."""
    target = flow_node_of(model, node)
    limit = max(model.positions[node], _last_backward(model, frame, backward.loops))
    loops = [x.node for x in backward.loops if x.frame is frame]
    if target is None or not loops:
        return
    for part in model.every(cst.Assign, loops[0]):
        if model.positions[part] < limit or len(part.targets) != 1:
            continue
        name = part.targets[0].target
        if not isinstance(name, cst.Name) or model.function_of(part) is not model.function_of(node):
            continue
        found = variable(model, name, name.value)
        if found is not None and not found.captured and _survives(model, part, found, target, loops[0]):
            held = backward.held.get((frame.id, name.value))
            if held is None or not is_tensor(held.value) or not is_large(model, part.value):
                continue
            # What is detached has no identity any more, but what it was made from has.
            names = (backward.held.get((frame.id, n)) for n in model.names_in(part.value))
            ids = held.ids.union(*(other.ids for other in names if other is not None))
            if may_matter(model, part.value, ids):
                yield part, found


@cached
def _last_backward(model: ScriptModel, frame: Frame, loops: tuple[Loop, ...]) -> int:
    """The place in a frame of the last backward of an iteration of these loops, or of what leads to it."""
    others = (b for b in model.trace.backwards.values() if in_line(loops, b.loops))
    nodes = (active_nodes(b).get(frame) for b in others)
    return max((model.positions[n] for n in nodes if n is not None), default=-1)


def _survives(
    model: ScriptModel, assign: cst.Assign, name: Variable, target: FlowNode, within: cst.CSTNode
) -> bool:
    """Whether the value outlives its iteration without being needed in the next one."""
    line = model.statement_of(assign)
    if line is None or not name.reaches(line, target):
        return False
    # What is read behind the loop was kept for that: the last value has to live.
    if not all(within in model.ancestors(read) for read in name.reads_after(line)):
        return False
    return not any(any(name.reads_from(start)) for start in (target, *next_turn(model, assign, name)))


def _plan(model: ScriptModel, assign: cst.Assign, name: Variable) -> Deletion:
    """Delete the name after the last statement of the block that reads it."""
    line = model.statement_of(assign)
    if line is None:
        return (), ""
    reads = {above for node in name.reads_after(line) for above in model.ancestors(node)}
    last = [statement for statement in siblings(model, line) if statement in reads or statement is line]
    return delete_after(model, (name.name,), last[-1]) if last else ((), "")
