"""Numbers and strings: what a file, or one that it imports, gives a name, by literals and defaults."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.cross_module import setting
from memlint.analysis.dataflow.definitions import definitions_named, definitions_of
from memlint.analysis.model import ScriptModel
from memlint.syntax.expressions import value_of
from memlint.syntax.tree import last_name

MISSING = object()
"""What `constant` returns for anything that is not known for certain."""

_WORDS: dict[str, object] = {"True": True, "False": False, "None": None}


def constant(model: ScriptModel, node: cst.BaseExpression) -> object:
    """The number, bool, string or None that an expression is for certain; MISSING for anything else."""
    if isinstance(node, (cst.Integer, cst.Float, cst.SimpleString)):
        return value_of(node)
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        number = constant(model, node.expression)
        return -number if isinstance(number, (int, float)) else MISSING
    if isinstance(node, cst.Name) and node.value in _WORDS:
        return _WORDS[node.value]
    bound = sole_value(model, node) if isinstance(node, cst.Name) else None
    if bound is None and isinstance(node, (cst.Name, cst.Attribute)):
        bound = setting(model, node)
    return constant(model, bound) if bound is not None and not isinstance(bound, cst.Name) else MISSING


def sole_value(model: ScriptModel, name: cst.Name) -> cst.BaseExpression | None:
    """The expression that a name is given, when it is bound in one place only and by a plain assignment."""
    found = values_of(model, name)
    return found[0] if len(found) == 1 else None


def values_of(model: ScriptModel, name: cst.Name) -> list[cst.BaseExpression | None]:
    """Every expression that a name is given; None among them for a parameter, a loop target and the like."""
    found = [d.node if d.kind == "value" else None for d in definitions_of(model, name)]
    return [v if isinstance(v, cst.BaseExpression) else None for v in found] or [None]


def integer_of(model: ScriptModel, node: cst.BaseExpression) -> int | None:
    """The integer that an expression stands for, when the file gives exactly one value to its name."""
    if isinstance(node, cst.Integer):
        return int(value_of(node))
    name = last_name(node)
    if not name:
        return None
    found = {int(value_of(v)) if isinstance(v, cst.Integer) else None for v in given_to(model, name)}
    return found.pop() if len(found) == 1 else None


def given_to(model: ScriptModel, name: str) -> list[cst.BaseExpression]:
    """Every value that the file gives to a variable, attribute, parameter or option of this name."""
    values = (
        d.node.default if isinstance(d.node, cst.Param) else d.node if d.kind == "value" else None
        for d in definitions_named(model, name)
    )
    return [value for value in values if isinstance(value, cst.BaseExpression)]
