"""Functions and their calls: which definition a call means, which calls run a function, what they pass."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.cross_module import place_behind
from memlint.analysis.dataflow.definitions import FunctionOrClass, definition_index, definitions_by
from memlint.analysis.model import ScriptModel
from memlint.syntax.expressions import place

_ASSIGNS = frozenset({cst.Assign, cst.AnnAssign, cst.AugAssign, cst.For, cst.NamedExpr, cst.WithItem})

def definition(model: ScriptModel, node: cst.CSTNode) -> FunctionOrClass | None:
    """The function or class of the file that a name, or `self.method`, refers to."""
    index = definition_index(model)
    if isinstance(node, cst.Name):
        owner = model.names_of(node).scope_of(node).owner(node.value)
        found = index.functions.get((id(owner.node), node.value)) if owner is not None else None
        return found or _imported(model, node)
    if isinstance(node, cst.Attribute) and isinstance(node.value, cst.Name):
        if node.value.value in ("self", "cls"):
            klass = model.class_of(node)
        else:
            named = definition(model, node.value)
            klass = named if isinstance(named, cst.ClassDef) else None
        return method(model, klass, node.attr.value) if klass is not None else _imported(model, node)
    return None


def _imported(model: ScriptModel, node: cst.Name | cst.Attribute) -> FunctionOrClass | None:
    """The definition in another module that a name or member means, once the run has met it."""
    place = place_behind(model, node) if model.cross_module is not None and model.cross_module.units else None
    body = model.cross_module.bodies.get((place.path, place.name), ()) if place and model.cross_module else ()
    return next((s for s in body if isinstance(s, (cst.FunctionDef, cst.ClassDef))), None)


def method(model: ScriptModel, klass: cst.ClassDef, name: str, depth: int = 4) -> cst.FunctionDef | None:
    """A method of a class, or of a base of it in the file."""
    found = definition_index(model).functions.get((id(klass), name))
    if isinstance(found, cst.FunctionDef):
        return found
    for base in klass.bases if depth else ():
        above = definition(model, base.value)
        if isinstance(above, cst.ClassDef) and (inherited := method(model, above, name, depth - 1)):
            return inherited
    return None


def calls_of(model: ScriptModel, function: cst.FunctionDef) -> list[cst.Call]:
    """The calls in the file that run a function: by its name, or by its class for a constructor."""
    klass = _method_of(model, function)
    name = function.name.value
    found = []
    if klass is not None and name == "__init__":
        for call in definition_index(model).calls.get(klass.name.value, ()):
            target = definition(model, call.func)
            if isinstance(target, cst.ClassDef) and method(model, target, "__init__") is function:
                found.append(call)
        return found
    for call in definition_index(model).calls.get(name, ()):
        target = definition(model, call.func)
        if target is function or (target is None and klass is not None and type(call.func) is cst.Attribute):
            found.append(call)
    return found


def _method_of(model: ScriptModel, function: cst.FunctionDef) -> cst.ClassDef | None:
    block = model.parent(function)
    klass = model.parent(block) if block is not None else None
    return klass if isinstance(klass, cst.ClassDef) else None


def parameters(function: cst.FunctionDef) -> list[cst.Param]:
    """The named parameters of a function."""
    params = function.params
    return [*params.posonly_params, *params.params, *params.kwonly_params]


def assigned_in(model: ScriptModel, block: cst.CSTNode) -> set[str]:
    """The places that a loop or block gives new values: `name`, `self.count`, `box["a"]`."""
    return {written for target in targets_in(model, block) if (written := place(target))}


def targets_in(model: ScriptModel, block: cst.CSTNode) -> list[cst.BaseExpression]:
    """What a loop or block assigns to, tuples taken apart."""
    statements = (node for node in model.walk(block) if type(node) in _ASSIGNS)
    return [target for node in statements for target, _ in definitions_by(node)]
