"""Whether a container is begun, kept and read inside of one function or loop only."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.containers import is_empty, removals
from memlint.syntax.tree import dotted, methods, root_name


def started_empty(model: ScriptModel, owner: cst.ClassDef) -> set[str]:
    """The names of the lists and dictionaries that a class starts empty in `self.name`, without a limit."""
    found: set[str] = set()
    for method in methods(owner):
        for removal in removals(model, method.body):
            name = dotted(removal.container)
            if removal.how == "bound" and name.startswith("self.") and _starts_empty(removal.value):
                found.add(name.removeprefix("self."))
    return found


def _starts_empty(value: cst.BaseExpression | None) -> bool:
    if isinstance(value, cst.Dict):
        parts = [e.value for e in value.elements if isinstance(e, cst.DictElement)]
        return not value.elements or any(is_empty(part) for part in parts)
    if isinstance(value, cst.Call):
        name = dotted(value.func).rpartition(".")[2]
        return name in ("defaultdict", "OrderedDict") or is_empty(value)
    return isinstance(value, cst.List) and not value.elements


def made_inside(model: ScriptModel, scope: cst.CSTNode, box: cst.BaseExpression) -> bool:
    """Whether a piece of code makes what a container belongs to itself: `box`, or `obj` of `obj.box`."""
    root = root_name(box)
    return any(
        r.how == "bound" and type(r.container) is cst.Name and r.container.value == root
        for r in removals(model, scope)
    )


def stays_local(model: ScriptModel, node: cst.CSTNode, name: str) -> bool:
    """Whether a local container is only filled, indexed, iterated and given to tensor functions here."""
    scope = model.function_of(node)
    if "." in name or "[" in name or (scope is None and name in _globals(model)):
        return False
    return _is_only_used_here(model, scope or model.module, name)


@cached
def _is_only_used_here(model: ScriptModel, scope: cst.CSTNode, name: str) -> bool:
    for found in model.walk(scope):
        if not isinstance(found, cst.Name) or found.value != name:
            continue
        parent = model.parent(found)
        if isinstance(parent, (cst.Return, cst.Yield, cst.Global, cst.Nonlocal)):
            return False
        if isinstance(parent, cst.Element) and not isinstance(model.parent(parent), cst.Del):
            return False
        if isinstance(parent, cst.Arg) and not _only_reads(model, parent):
            return False
    return True


def _globals(model: ScriptModel) -> set[str]:
    return {item.name.value for node in model.names.every(cst.Global) for item in node.names}


_READERS = frozenset("len sum print min max list float zip enumerate sorted str".split())


def _only_reads(model: ScriptModel, arg: cst.Arg) -> bool:
    """Whether a call only reads what it is given."""
    call = model.parent(arg)
    if not isinstance(call, cst.Call):
        return False
    path = model.names.one(call.func)
    return path.startswith(("torch.", "numpy.", "statistics.")) or dotted(call.func) in _READERS
