"""Values that a file, or one that it imports, states for certain: literals, and names bound once, to one."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.cross_module import setting
from memlint.analysis.model import ScriptModel
from memlint.syntax.names import NameScope

MISSING = object()
"""What `constant` returns for anything that is not known for certain."""

_WORDS: dict[str, object] = {"True": True, "False": False, "None": None}


def constant(model: ScriptModel, node: cst.BaseExpression) -> object:
    """The number, bool, string or None that an expression is for certain; MISSING for anything else."""
    if isinstance(node, (cst.Integer, cst.Float, cst.SimpleString)):
        return node.evaluated_value
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
    owner = model.names.scope_of(name).owner(name.value)
    if owner is None or name.value in owner.imports:
        return [None]
    return _bindings(model).get((id(owner), name.value), [None])


@cached
def _bindings(model: ScriptModel) -> dict[tuple[int, str], list[cst.BaseExpression | None]]:
    found: dict[tuple[int, str], list[cst.BaseExpression | None]] = {}
    for node, scope in model.names.scopes.items():
        kind = type(node)
        if kind is cst.Assign:
            for target in node.targets:  # type: ignore[attr-defined]
                _note(found, scope, target.target, node.value)  # type: ignore[attr-defined]
        elif kind is cst.AnnAssign:
            _note(found, scope, node.target, node.value)  # type: ignore[attr-defined]
        elif kind in (cst.AugAssign, cst.For, cst.NamedExpr, cst.CompFor):
            _note(found, scope, node.target, None)  # type: ignore[attr-defined]
        elif kind is cst.Param:
            found.setdefault((id(scope), node.name.value), []).append(None)  # type: ignore[attr-defined]
        elif kind is cst.AsName:
            _note(found, scope, node.name, None)  # type: ignore[attr-defined]
    return found


def _note(
    found: dict[tuple[int, str], list[cst.BaseExpression | None]],
    scope: NameScope,
    target: cst.CSTNode,
    value: cst.BaseExpression | None,
) -> None:
    if isinstance(target, cst.Name):
        owner = scope.owner(target.value) or scope
        found.setdefault((id(owner), target.value), []).append(value)
    elif isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            _note(found, scope, element.value, None)
    elif isinstance(target, cst.StarredElement):
        _note(found, scope, target.value, None)
