"""Who else may read what a Function leaves on its `ctx`, and who may change what it would save."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.functions import definition
from memlint.analysis.model import ScriptModel
from memlint.analysis.uses.writes_in_place import written_in_place
from memlint.syntax.arguments import parameters


def is_private_to(model: ScriptModel, owner: cst.ClassDef, function: cst.FunctionDef) -> bool:
    """Whether a method stands in the class itself and reads its context by `ctx.name` only: no function that
    gets `ctx`, no second name for it."""
    context = parameters(function)[0] if parameters(function) else ""
    reads = [n for n in model.every(cst.Name, function.body) if n.value == context]
    plain = (isinstance(above := model.parent(n), cst.Attribute) and above.value is n for n in reads)
    return model.class_of(function) is owner and all(plain)


def is_shared(model: ScriptModel, owner: cst.ClassDef) -> bool:
    """Whether another class of the file derives from this one: its methods may read the same context."""
    others = model.names.every(cst.ClassDef)
    return any(definition(model, base.value) is owner for other in others for base in other.bases)


def input_is_written(model: ScriptModel, owner: cst.ClassDef) -> bool:
    """Whether the file changes in place what it passes to `apply`, or what it gets: autograd would object."""
    for call in model.names.every(cst.Call):
        func = call.func
        if not isinstance(func, cst.Attribute) or func.attr.value != "apply":
            continue
        if definition(model, func.value) is not owner:
            continue
        scope, line = model.function_of(call) or model.module, model.parent(call)
        made = [t.target for t in line.targets] if isinstance(line, cst.Assign) else []
        nodes = (*(arg.value for arg in call.args), *made)
        if any(written_in_place(model, node, scope) == "yes" for node in nodes):
            return True
    return False
