"""The last operation of a module: whether it saves its own result for backward, what gives it its size."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.constants import values_of
from memlint.analysis.dataflow.functions import returned
from memlint.analysis.dataflow.liveness import variable
from memlint.analysis.facts import Forward
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Obj, Ref, options_of
from memlint.records import dataclass
from memlint.syntax.tree import dotted, root_name

_DEEPEST = 4
# Operations that give as many elements as they get.
_SAME_SIZE = frozenset(
    "view reshape squeeze unsqueeze float double half to contiguous permute transpose clone detach clamp exp "
    "softmax log_softmax sigmoid tanh relu leaky_relu dropout normalize mul add div type_as".split()
)
_ELEMENTWISE = ("Identity", "LeakyReLU", "GELU", "SiLU", "Unflatten")


@dataclass(frozen=True, slots=True)
class LastLayer:
    """`name` is the import path of an operation or its last part; `layer` the module, None for a function."""

    name: str
    layer: Obj | None = None


def bound_call(model: ScriptModel, node: cst.BaseExpression) -> cst.Call | None:
    """The call that an expression is, or that the name it is was bound to."""
    if isinstance(node, cst.Call):
        return node
    if not isinstance(node, cst.Name):
        return None
    found = variable(model, node, node.value)
    binds = [n for nodes in found.binds.values() for n in nodes] if found is not None else []
    target = model.parent(binds[0]) if len(binds) == 1 else None
    assign = model.parent(target) if isinstance(target, cst.AssignTarget) else None
    return assign.value if isinstance(assign, cst.Assign) and isinstance(assign.value, cst.Call) else None


def called_name(model: ScriptModel, call: cst.Call) -> str:
    """The last part of what is called, through an import alias or a module kept in a variable."""
    func = call.func.func if isinstance(call.func, cst.Call) else call.func
    path = model.path_of(func)
    return (path or model.code(func)).rpartition(".")[2]


def saves_output(model: ScriptModel, forward: Forward) -> bool:
    """Whether the last operation of a module is seen to save its own result for backward."""
    obj = forward.module.obj if isinstance(forward.module, Ref) else None
    return obj is not None and bool(hints.SAVES_OUTPUT.search(last_layer(model, obj)))


def last_layer(model: ScriptModel, obj: Obj, depth: int = 0) -> str:
    """The path or name of the last operation of a module, "" where it cannot be seen."""
    if depth > _DEEPEST:
        return ""
    if obj.path.endswith(".Sequential") and obj.args:
        last = [v for k, v in obj.args.items() if k.isdecimal()][-1:]
        inner = next((o.obj for v in last for o in options_of(v) if isinstance(o, Ref)), None)
        return last_layer(model, inner, depth + 1) if inner is not None else ""
    found = obj.cls.find("forward") if obj.cls is not None else None
    if found is None:
        return obj.path
    values = returned(model, found[0])
    call = bound_call(model, values[-1]) if values else None
    if call is None:
        return ""
    held = (
        model.machine.attribute(obj, dotted(call.func).removeprefix("self.")) if model.machine.state else None
    )
    inner = next((o.obj for o in options_of(held) if isinstance(o, Ref)), None) if held is not None else None
    return last_layer(model, inner, depth + 1) if inner is not None else called_name(model, call)


def sizing_layers(model: ScriptModel, obj: Obj, depth: int = 0) -> list[LastLayer]:
    """The operations that decide how many numbers a module gives: the last ones that are not elementwise."""
    if depth > _DEEPEST:
        return []
    if obj.path.endswith(".Sequential"):
        for key in sorted((k for k in obj.args if k.isdecimal()), key=int, reverse=True):
            inner = [o.obj for o in options_of(obj.args[key]) if isinstance(o, Ref)]
            if inner and not _keeps_size(inner[0].path):
                return sizing_layers(model, inner[0], depth + 1)
        return []
    found = obj.cls.find("forward") if obj.cls is not None else None
    if found is None:
        return [LastLayer(obj.path, obj)]
    values = returned(model, found[0])
    parts = ([e.value for e in v.elements] if isinstance(v, cst.Tuple) else [v] for v in values)
    given = [value for some in parts for value in some]
    return [layer for value in given for layer in _made_by(model, obj, value, depth)]


def _made_by(model: ScriptModel, obj: Obj, value: cst.BaseExpression, depth: int) -> list[LastLayer]:
    """The operations that decide how large an expression in the forward of a module is."""
    if depth > _DEEPEST:
        return []
    if isinstance(value, cst.Name):
        given = [v for v in values_of(model, value) if isinstance(v, cst.Call)]
        return [layer for v in given for layer in _made_by(model, obj, v, depth + 1)]
    if not isinstance(value, cst.Call):
        return []
    name = called_name(model, value)
    if name in _SAME_SIZE and isinstance(value.func, (cst.Attribute, cst.Name)):
        owner = value.func.value if isinstance(value.func, cst.Attribute) else None
        whole = owner is not None and not model.path_of(value.func) and root_name(owner) != "self"
        inner = owner if whole else value.args[0].value if value.args else None
        return _made_by(model, obj, inner, depth + 1) if inner is not None else []
    place = dotted(value.func).removeprefix("self.")
    held = model.machine.attribute(obj, place) if model.machine.state else None
    layers = [o.obj for o in options_of(held) if isinstance(o, Ref)] if held is not None else []
    if layers and _keeps_size(layers[0].path) and value.args:
        return _made_by(model, obj, value.args[0].value, depth + 1)
    return [x for layer in layers for x in sizing_layers(model, layer, depth + 1)] or [LastLayer(name)]


def _keeps_size(path: str) -> bool:
    """Whether a layer is elementwise, by its import path."""
    name = path.rpartition(".")[2]
    return bool(hints.SAVES_OUTPUT.search(name)) or name in _ELEMENTWISE
