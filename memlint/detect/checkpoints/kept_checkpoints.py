"""Checkpoints that an attribute of the trainer holds: what reads them, and whether training begins after."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.facts import Backward
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.uses.loaded_values import is_plain
from memlint.detect.checkpoints.training_after_load import backwards_after, before_training
from memlint.records import dataclass
from memlint.syntax.tree import dotted

Use = Callable[[cst.CSTNode], str]
"""What a read of a checkpoint is for: model, optimizer, small or other."""


@dataclass(frozen=True, slots=True, eq=False)
class KeptCheckpoint:
    """A checkpoint that `self` keeps, and a backward that runs meanwhile."""

    call: cst.Call
    name: str
    backward: Backward


def kept_on_self(model: ScriptModel, load: cst.Call, use: Use) -> KeptCheckpoint | None:
    """Whether `self.ckpt = torch.load(...)` serves load_state_dict only, and stays when training begins."""
    assign = assignment_of(model, load)
    target = assign.targets[0].target if assign is not None else None
    owner, function = model.class_of(load), model.function_of(load)
    if not isinstance(target, cst.Attribute) or dotted(target.value) != "self":
        return None
    if owner is None or function is None or "__dict__" in model.identifiers:
        return None
    name = target.attr.value
    uses = [n for n in _attributes(model).get(name, ()) if n is not target and not _is_option(n)]
    if any(model.class_of(n) is not owner or dotted(n.value) != "self" for n in uses):
        return None
    reads = [n for n in uses if not _is_first_none(model, n, load)]
    if any(_is_bound_again(model, n) for n in reads):
        return None
    kinds = [(n, use(n)) for n in reads]
    taken = [n for n, kind in kinds if kind in ("model", "optimizer")]
    if any(kind == "other" for _, kind in kinds) or not any(kind == "model" for _, kind in kinds):
        return None
    early = before_training(model, owner, function)
    late = [n for n in reads if model.function_of(n) not in early]
    if not all(model.function_of(n) in early for n in taken) or not all(is_plain(model, n) for n in late):
        return None
    backward = next(backwards_after(model, owner, function, early), None)
    return KeptCheckpoint(load, f"self.{name}", backward) if backward is not None else None


def assignment_of(model: ScriptModel, load: cst.CSTNode) -> cst.Assign | None:
    """The assignment that takes what a call gives, one of two values, `ckpt = load(p) if p else None`, or an
    entry, `weights = load(p)["model"]`."""
    below, above = load, model.parent(load)
    if isinstance(above, cst.Subscript) and above.value is load:
        below, above = above, model.parent(above)
    if isinstance(above, cst.IfExp) and below is not above.test:
        above = model.parent(above)
    return above if isinstance(above, cst.Assign) else None


@cached
def _attributes(model: ScriptModel) -> dict[str, list[cst.Attribute]]:
    """The attributes that the file writes, by name."""
    index: dict[str, list[cst.Attribute]] = {}
    for node in model.names.every(cst.Attribute):
        index.setdefault(node.attr.value, []).append(node)
    return index


def _is_option(node: cst.Attribute) -> bool:
    return bool(hints.OPTIONS_OBJECT.search(dotted(node.value)))


def _is_bound_again(model: ScriptModel, node: cst.Attribute) -> bool:
    """Whether a node deletes the attribute or gives it another value."""
    above = model.parent(node)
    while isinstance(above, (cst.Element, cst.Tuple)):
        above = model.parent(above)
    return isinstance(above, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Del))


def _is_first_none(model: ScriptModel, node: cst.Attribute, load: cst.Call) -> bool:
    """Whether a node is the target of `self.ckpt = None` that the load overwrites."""
    above = model.parent(model.parent(node) or node)
    function = model.function_of(node)
    return (
        isinstance(above, cst.Assign)
        and dotted(above.value) == "None"
        and function is not None
        and function.name.value == "__init__"
        and model.positions[node] < model.positions[load]
    )
