"""From `scale_loss` to a GradScaler: which step belongs to it, where to make a scaler."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from memlint.analysis.dataflow.import_statements import torch_name
from memlint.analysis.dataflow.regions import outermost_loop, siblings
from memlint.analysis.match import AddImport, Change, InsertAfter, InsertBefore, Replace
from memlint.analysis.model import ScriptModel
from memlint.detect.precision.apex_scaling import ApexScaling, comments_inside
from memlint.syntax.tree import dotted, statements, walk

_SCALERS = ("torch.amp.GradScaler", "torch.cuda.amp.GradScaler")
_FIRST_WITH_DEVICE = (2, 3)
_OPAQUE = (cst.FunctionDef, cst.ClassDef, cst.Lambda, cst.For, cst.While)


def native(model: ScriptModel, found: ApexScaling) -> tuple[Change, ...] | None:
    """The changes that scale with a GradScaler; None where the matching step or a home for it is missing."""
    block = siblings(model, found.statement)
    if found.statement not in block:
        return None
    after = block[block.index(found.statement) + 1 :]
    scaler = _existing_scaler(model, found.statement)
    made: tuple[Change, ...] = ()
    stepped = _calls_of(after, f"{scaler}.step") if scaler else []
    if not stepped:
        steps = _calls_of(after, f"{found.optimizer}.step")
        if len(steps) != 1 or steps[0].args or not isinstance(model.parent(steps[0]), cst.Expr):
            return None
        if not scaler:
            home = _creation(model, found)
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


def _existing_scaler(model: ScriptModel, near: cst.CSTNode) -> str:
    """The name of a GradScaler that the file makes, if it can be read where `near` stands."""
    for path in _SCALERS:
        for node in model.names.references(path):
            call = model.parent(node)
            made = model.parent(call) if isinstance(call, cst.Call) and call.func is node else None
            if isinstance(made, cst.Assign) and len(made.targets) == 1:
                name = dotted(made.targets[0].target)
                same = model.function_of(made) in (None, model.function_of(near))
                if name and (
                    same or (name.startswith("self.") and model.class_of(made) is model.class_of(near))
                ):
                    return name
    return ""


def _creation(model: ScriptModel, found: ApexScaling) -> tuple[str, tuple[Change, ...]] | None:
    """A free name for a new scaler and the line that makes it: once, before all steps."""
    name = next((n for n in ("scaler", "grad_scaler") if n not in model.identifiers), "")
    if not name:
        return None
    torch = torch_name(model, found.statement)
    made = f'{torch or "torch"}.amp.GradScaler("cuda")'
    if model.target_torch is not None and model.target_torch < _FIRST_WITH_DEVICE:
        made = f"{torch or 'torch'}.cuda.amp.GradScaler()"
    imports = () if torch else (AddImport("import torch"),)
    if found.optimizer.startswith("self."):
        line = _assignment_in_init(model, found)
        return (f"self.{name}", (InsertAfter(line, f"self.{name} = {made}"), *imports)) if line else None
    loop = outermost_loop(model, found.statement)
    return (name, (InsertBefore(loop, f"{name} = {made}"), *imports)) if loop else None


def _assignment_in_init(model: ScriptModel, found: ApexScaling) -> cst.CSTNode | None:
    """The line of `__init__` that makes an optimizer kept on `self`."""
    owner = model.class_of(found.statement)
    for method in statements(owner.body) if owner is not None else ():
        if isinstance(method, cst.FunctionDef) and method.name.value == "__init__":
            for line in statements(method.body):
                for small in line.body if isinstance(line, cst.SimpleStatementLine) else ():
                    if isinstance(small, cst.Assign) and any(
                        dotted(t.target) == found.optimizer for t in small.targets
                    ):
                        return model.own_statement_of(small)
    return None
