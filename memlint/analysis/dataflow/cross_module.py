"""What a name or member means that another module of the project defines, read without running anything."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.definitions import FunctionOrClass
from memlint.analysis.imported import Unit
from memlint.analysis.model import ScriptModel
from memlint.project.modules import Place
from memlint.syntax.expressions import place


def unit_behind(model: ScriptModel, node: cst.Name | cst.Attribute) -> Unit | None:
    """The statement of another module that an expression means, as long as not too much has been read."""
    place = place_behind(model, node)
    return _unit(model, place) if place is not None else None


def imported_definitions(model: ScriptModel, node: cst.CSTNode) -> tuple[FunctionOrClass, ...]:
    """The definition in another module that an expression means, as long as not too much has been read."""
    if not isinstance(node, (cst.Name, cst.Attribute)):
        return ()
    found = unit_behind(model, node)
    body = found.body if found is not None else ()
    return tuple(s for s in body if isinstance(s, (cst.FunctionDef, cst.ClassDef)))


def setting(model: ScriptModel, node: cst.Name | cst.Attribute) -> cst.BaseExpression | None:
    """What another module sets a name, or an attribute of a class, to; None where it computes the value."""
    place = place_behind(model, node)
    if place is None or model.cross_module is None or "." in place.rest:
        return None
    outline = model.cross_module.project.modules.outline(place.path, model.cross_module.dependencies)
    if outline is None or not outline.is_plain(place.name) or _is_set_here(model, node):
        return None
    unit = _unit(model, place)
    body: tuple[cst.CSTNode, ...] = unit.body if unit is not None else ()
    if place.rest:
        body = tuple(
            s for c in body if isinstance(c, cst.ClassDef) for s in c.body.body if _sets(s, place.rest)
        )
    found = [value for statement in body if (value := _value(statement)) is not None]
    return found[0] if len(found) == 1 else None


def place_behind(model: ScriptModel, node: cst.Name | cst.Attribute) -> Place | None:
    """Where another module defines what an expression means; None where this one does, or nothing known.

    A definition that was read from another module has siblings beside it.
    """
    cross_module = model.cross_module
    if cross_module is None:
        return None
    unit, path = cross_module.units.get(model.root_of(node)), model.path_of(node)
    importer = unit.path if unit is not None else cross_module.path
    if path:
        place = cross_module.project.modules.resolve(importer, path, cross_module.dependencies)
    else:
        place = Place(importer, node.value, "") if unit is not None and isinstance(node, cst.Name) else None
    return place if isinstance(place, Place) and place.path != cross_module.path else None


def _unit(model: ScriptModel, place: Place) -> Unit | None:
    assert model.cross_module is not None
    cross_module = model.cross_module
    project, log = cross_module.project, cross_module.dependencies
    found = project.unit(place.path, place.name, log) if cross_module.left > 0 else None
    if found is not None and found.module not in model.cross_module.units:
        model.cross_module.left -= found.length
        model.cross_module.units[found.module] = found
    return found


def _is_set_here(model: ScriptModel, node: cst.Name | cst.Attribute) -> bool:
    """Whether this file gives the member another value: `config.workers = args.workers`."""
    written = place(node)
    return isinstance(node, cst.Attribute) and any(
        isinstance(target, cst.AssignTarget) and place(target.target) == written
        for target in model.names.every(cst.AssignTarget)
    )


def _sets(statement: cst.CSTNode, name: str) -> bool:
    return isinstance(statement, cst.SimpleStatementLine) and any(
        isinstance(t, cst.Name) and t.value == name for small in statement.body for t in _targets(small)
    )


def _targets(small: cst.CSTNode) -> list[cst.BaseExpression]:
    if isinstance(small, cst.Assign):
        return [target.target for target in small.targets]
    return [small.target] if isinstance(small, cst.AnnAssign) else []


def _value(statement: cst.CSTNode) -> cst.BaseExpression | None:
    """The right side of an assignment to names."""
    small = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
    if isinstance(small, (cst.Assign, cst.AnnAssign)) and all(
        isinstance(t, cst.Name) for t in _targets(small)
    ):
        return small.value
    return None
