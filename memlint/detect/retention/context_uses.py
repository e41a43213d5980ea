"""Who else may read what a Function leaves on its `ctx`, and who may change what it would save."""

from __future__ import annotations

from math import prod

import libcst as cst

from memlint.analysis.dataflow.functions import definition
from memlint.analysis.dataflow.reaching_definitions import methods
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.shapes.shapes import shape_of
from memlint.analysis.uses.writes_in_place import written_in_place
from memlint.detect.retention.autograd_functions import OnContext
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


_FEW = 64
"""Elements of a tensor that are a small matter."""


def is_small(model: ScriptModel, value: cst.BaseExpression) -> bool:
    """Whether a tensor has few elements, as its shape shows, none in the branch for an empty batch; or its
    name, as indices and counts do beside what they choose from: `(indices, channels, n)`."""
    parts = [e.value for e in value.elements] if isinstance(value, cst.Tuple) else []
    named = [part.value for part in parts if isinstance(part, cst.Name)]
    told = [n for n in named if hints.INDICES.search(n) or hints.A_NUMBER.match(n)]
    if parts and len(told) == len(parts):
        return any(map(hints.INDICES.search, told))
    shape = shape_of(model, value)
    sizes = [n for n in shape or () if isinstance(n, int)]
    return shape is not None and len(sizes) == len(shape) and prod(sizes) <= _FEW


def is_freed(model: ScriptModel, owner: cst.ClassDef, kept: OnContext) -> bool:
    """Whether some other method of the class takes the tensor off the context: `ctx.x = None`."""
    name = kept.target.attr.value
    for method in methods(model, owner).values():
        if method is kept.function or not model.owns(method):
            continue
        for node in model.names.every(cst.Attribute, method.body):
            written = isinstance(model.parent(node), (cst.AssignTarget, cst.Del, cst.Element))
            if written and node.attr.value in (name, "__dict__"):
                return True
    return False
