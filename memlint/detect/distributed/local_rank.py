"""How a script writes the rank of its process on the machine."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.model import ScriptModel
from memlint.syntax.expressions import is_text, item_key
from memlint.syntax.tree import dotted, last_name

_READING = frozenset({"int", "os", "environ", "get", "getenv"})


def local_rank(model: ScriptModel, place: cst.CSTNode) -> str:
    """How the local rank is written at a place: the variable that holds it, or what reads it."""
    scope = model.function_of(place)
    limit = model.positions[place]
    reads = ""
    for node in model.names.every(cst.Assign):
        if not _reads_local_rank(node.value):
            continue
        visible = model.function_of(node) in (scope, None)
        target = node.targets[0].target
        number = isinstance(node.value, cst.Call) and dotted(node.value.func) == "int"
        if visible and isinstance(target, cst.Name) and number and model.positions[node] < limit:
            return target.value
        # What the reading names besides, as a default, has no value yet at the place.
        if model.names_in(node.value) <= _READING:
            code = model.code(node.value)
            reads = reads or (code if number else f"int({code})")
    return reads


def _reads_local_rank(value: cst.BaseExpression) -> bool:
    """Whether an expression reads LOCAL_RANK from the environment, as text or as a number."""
    if isinstance(value, cst.Call) and dotted(value.func) == "int" and value.args:
        value = value.args[0].value
    if isinstance(value, cst.Subscript):
        return last_name(value.value) == "environ" and item_key(value) == "LOCAL_RANK"
    if not isinstance(value, cst.Call) or not value.args or not is_text(value.args[0].value, "LOCAL_RANK"):
        return False
    owner = value.func.value if isinstance(value.func, cst.Attribute) else value.func
    name = last_name(value.func)
    return name == "getenv" or (name == "get" and last_name(owner) == "environ")
