"""The GradScaler that `scale_loss` is to be replaced by: the one that a file has, or where to make one."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.import_statements import torch_name
from memlint.analysis.dataflow.regions import outermost_loop
from memlint.analysis.match import AddImport, Change, InsertAfter, InsertBefore
from memlint.analysis.model import ScriptModel
from memlint.detect.precision.apex_scaling import ApexScaling
from memlint.syntax.tree import dotted, statements

_SCALERS = ("torch.amp.GradScaler", "torch.cuda.amp.GradScaler")
_FIRST_WITH_DEVICE = (2, 3)


def torch_needed(model: ScriptModel, found: ApexScaling) -> str:
    """The first torch that has the scaler that would be made; "" where any has it, or none is made."""
    if existing_scaler(model, found.statement) or _is_old(model):
        return ""
    return ".".join(map(str, _FIRST_WITH_DEVICE))


def _is_old(model: ScriptModel) -> bool:
    return model.target_torch is not None and model.target_torch < _FIRST_WITH_DEVICE


def existing_scaler(model: ScriptModel, near: cst.CSTNode) -> str:
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


def creation(model: ScriptModel, found: ApexScaling) -> tuple[str, tuple[Change, ...]] | None:
    """A free name for a new scaler and the line that makes it: once, before all steps."""
    name = next((n for n in ("scaler", "grad_scaler") if n not in model.identifiers), "")
    if not name:
        return None
    torch = torch_name(model, found.statement)
    made = f'{torch or "torch"}.amp.GradScaler("cuda")'
    if _is_old(model):
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
