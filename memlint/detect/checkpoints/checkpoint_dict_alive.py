"""MEM702: a loaded checkpoint stays named while the training that it started runs."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.control_flow import FlowNode
from memlint.analysis.dataflow.execution_order import active_nodes
from memlint.analysis.dataflow.liveness import Deletion, Variable, delete_after, flow_node_of, variable
from memlint.analysis.dataflow.regions import siblings
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.catalogue import Rule
from memlint.detect.checkpoints.checkpoint_loads import checkpoint_calls, is_memory_mapped
from memlint.detect.checkpoints.checkpoint_parts import Family, family_of, use_followed
from memlint.detect.checkpoints.deleted_alike import is_deleted_alike
from memlint.detect.checkpoints.kept_checkpoints import assignment_of, kept_on_self
from memlint.detect.checkpoints.training_after_load import trained_out_of_view, trains

_LATER = "the training that starts from it runs with the checkpoint still in memory"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Names of checkpoints that only served load_state_dict and are still bound in a later step loop."""
    seen: set[tuple[str, cst.CSTNode]] = set()
    for assign, call in _loads(model):
        target = assign.targets[0].target
        assert isinstance(target, cst.Name)
        found = variable(model, target, target.value)
        if found is None or found.captured or is_memory_mapped(model, call):
            continue
        family = family_of(model, found, assign)
        names, reads = family.names, family.reads
        backward = _trained_with(model, assign, family) if family.fed else None
        # Two loads in the branches of one `if` are one checkpoint.
        if backward is None or (target.value, reads[-1]) in seen:
            continue
        seen.add((target.value, reads[-1]))
        shown = "`, `".join(name.name for name in names)
        values = {"name": shown, "backward": model.short(backward)}
        label = Label(_LATER, backward)
        plans, reason = _plan(model, assign, names, reads)
        yield Match(call, values, labels=(label,), plans=plans, no_fix=reason)
    for call in checkpoint_calls(model):
        match = _attribute_match(model, call)
        if match is not None:
            yield match


def _loads(model: ScriptModel) -> Iterator[tuple[cst.Assign, cst.Call]]:
    """`name = torch.load(...)`."""
    for call in checkpoint_calls(model):
        assign = assignment_of(model, call)
        targets = [t.target for t in assign.targets] if assign is not None else []
        if assign is not None and len(targets) == 1 and isinstance(targets[0], cst.Name):
            yield assign, call


def _attribute_match(model: ScriptModel, call: cst.Call) -> Match | None:
    """A checkpoint that is kept as an attribute of `self`, which other files may read: no fix."""
    mapped = is_memory_mapped(model, call)
    kept = None if mapped else kept_on_self(model, call, lambda node: use_followed(model, node))
    if kept is None:
        return None
    values = {"name": kept.name, "backward": model.short(kept.backward.node)}
    return Match(call, values, "attribute", (Label(_LATER, kept.backward.node),))


def _trained_with(model: ScriptModel, assign: cst.Assign, family: Family) -> cst.CSTNode | None:
    """A backward in a loop at which the names are still bound, and after which none of them is read."""
    scope = model.function_of(assign) or model.module
    for backward in model.trace.backwards.values():
        if not trains(model, backward):
            continue
        frame = next((f for f in backward.frame.chain() if f.node is scope), None)
        node = active_nodes(backward).get(frame) if frame is not None and backward.loops else None
        if node is not None and _is_kept_at(model, family, node):
            return backward.node
    return next((c for c in trained_out_of_view(model, scope) if _is_kept_at(model, family, c)), None)


def _is_kept_at(model: ScriptModel, family: Family, node: cst.CSTNode) -> bool:
    """Whether the checkpoint is bound when a node runs, and none of its names is read from there on."""
    step, names = flow_node_of(model, node), family.names
    if step is None or not _is_over(names, step):
        return False
    lines = (line for line in family.lines if not is_deleted_alike(model, names[0], line, node))
    return any(names[0].reaches(line, step) for line in lines)


def _is_over(names: list[Variable], step: FlowNode) -> bool:
    return not any(any(name.reads_from(step)) for name in names)


def _plan(model: ScriptModel, assign: cst.Assign, names: list[Variable], nodes: list[cst.Name]) -> Deletion:
    """Delete the names after the last statement that reads one, in the innermost block where that is safe."""
    reads = {above for node in nodes for above in model.ancestors(node)}
    bound, reason = tuple(name.name for name in names), ""
    for statement in (assign, *model.ancestors(assign)):
        if isinstance(statement, (cst.For, cst.While, cst.FunctionDef)):
            return (), reason
        block = siblings(model, statement)
        last = [s for s in block if s in reads or s is statement]
        plans, reason = delete_after(model, bound, last[-1]) if last else ((), reason)
        if plans:
            return plans, ""
    return (), reason
