"""From `scale_loss` to a GradScaler: which step belongs to it, and what is written there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from memlint.analysis.dataflow.regions import siblings
from memlint.analysis.match import Change, InsertAfter, InsertBefore, Replace
from memlint.analysis.model import ScriptModel
from memlint.detect.precision.apex_scaling import ApexScaling, comments_inside
from memlint.detect.precision.scaler_home import creation, existing_scaler
from memlint.syntax.tree import dotted, walk

_OPAQUE = (cst.FunctionDef, cst.ClassDef, cst.Lambda, cst.For, cst.While)


def native(model: ScriptModel, found: ApexScaling) -> tuple[Change, ...] | None:
    """The changes that scale with a GradScaler; None where the matching step or a home for it is missing."""
    block = siblings(model, found.statement)
    if found.statement not in block:
        return None
    after = block[block.index(found.statement) + 1 :]
    scaler = existing_scaler(model, found.statement)
    made: tuple[Change, ...] = ()
    stepped = _calls_of(after, f"{scaler}.step") if scaler else []
    if not stepped:
        steps = _calls_of(after, f"{found.optimizer}.step")
        if len(steps) != 1 or steps[0].args or not isinstance(model.parent(steps[0]), cst.Expr):
            return None
        if not scaler:
            home = creation(model, found)
            if home is None:
                return None
            scaler, made = home
        line = model.own_statement_of(steps[0])
        if line is None:
            return None
        made += (
            Replace(steps[0], f"{scaler}.step({found.optimizer})"),
            InsertAfter(line, f"{scaler}.update()"),
        )
        clip = _clip(model, after, line)
        if clip is not None:
            made += (InsertBefore(clip, f"{scaler}.unscale_({found.optimizer})"),)
    scaled = [*comments_inside(found.statement), f"{scaler}.scale({found.loss}).backward({found.keeps})"]
    return (Replace(found.statement, "\n".join(scaled)), *made)


def _calls_of(block: Sequence[cst.CSTNode], path: str) -> list[cst.Call]:
    """The calls of a method in some statements, without those in inner loops and functions."""
    return [n for s in block for n in _shallow(s) if isinstance(n, cst.Call) and dotted(n.func) == path]


def _shallow(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    inner = {below for n in walk(node) if isinstance(n, _OPAQUE) for below in walk(n)}
    return (n for n in walk(node) if n not in inner)


def _clip(model: ScriptModel, after: Sequence[cst.CSTNode], step: cst.CSTNode) -> cst.CSTNode | None:
    """The first statement before the step that clips or reads gradients through a clip function."""
    for statement in after:
        for node in _shallow(statement):
            if node is step:
                return None
            if isinstance(node, cst.Call) and dotted(node.func).rpartition(".")[2].startswith("clip_grad"):
                return model.own_statement_of(node)
    return None
