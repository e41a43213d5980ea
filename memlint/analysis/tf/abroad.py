"""Functions of other modules of the project that a file calls."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.model import ScriptModel


def abroad(model: ScriptModel, func: cst.CSTNode) -> tuple[cst.FunctionDef, ...]:
    """The function of another module that an expression means, as long as not too much has been read."""
    foreign = model.foreign
    path = model.path_of(func) if foreign is not None else ""
    if foreign is None or not path:
        return ()
    unit = foreign.units.get(model.root_of(func))
    importer = unit.path if unit is not None else foreign.path
    place = foreign.project.modules.locate(importer, path)
    if place is None or not place[1] or place[0] == importer or foreign.left <= 0:
        return ()
    found = foreign.project.unit(*place)
    if found is None:
        return ()
    if found.module not in foreign.units:
        foreign.left -= len(found.text)
        foreign.units[found.module] = found
    return tuple(s for s in found.module.body if isinstance(s, cst.FunctionDef))
