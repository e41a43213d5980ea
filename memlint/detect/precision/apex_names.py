"""The uses of the names of NVIDIA Apex, and of native amp beside them."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.api import Table, Use, how_used
from memlint.analysis.dataflow.constants import constant
from memlint.analysis.dataflow.import_statements import head_of
from memlint.analysis.model import ScriptModel
from memlint.syntax.arguments import argument
from memlint.syntax.tree import dotted

_APEX_SCALE = ["apex.amp.scale_loss", "apex.amp.handle.scale_loss"]
_NATIVE = ("torch.amp", "torch.cuda.amp", "torch.autocast")
_REFUSED = frozenset({"BCELoss", "binary_cross_entropy"})
"""Losses that raise an error under torch's autocast on the GPU."""


def apex_uses(table: Table) -> list[Use]:
    """The uses of Apex, also where `except ImportError: amp = None` binds the name once more."""
    names, model = table.model.names, table.model
    found = table.uses({"api": _APEX_SCALE})
    known = {use.node for use in found}
    for api in _APEX_SCALE:
        for node in names.references(api):
            if node not in known and names.qualified(node) == {api} and _is_else_none(table, head_of(node)):
                found.append(Use(node, api, how_used(model, node), {"api": [api]}))
    return found


def _is_else_none(table: Table, head: cst.Name) -> bool:
    """Whether an imported name is bound by nothing else than assignments of None."""
    names = table.model.names
    owner = names.scope_of(head).owner(head.value)
    bound = [
        node.value
        for node in names.every(cst.Assign)
        if names.scope_of(node) is owner
        for target in node.targets
        if dotted(target.target) == head.value
    ]
    return bool(bound) and all(dotted(value) == "None" for value in bound)


def uses_native_amp(table: Table) -> bool:
    """Whether the file uses torch's own mixed precision already."""
    names = table.model.names
    if any(item.path.startswith(_NATIVE) for item in table.imports):
        return True
    return any(names.references(path) or names.references(f"{path}.*") for path in _NATIVE)


def unbound_uses(table: Table) -> list[Use]:
    """The uses of an `amp` that nothing binds, in a snippet, where it has what only torch's amp has."""
    names = table.model.names
    same = names.unbound_references("amp")
    if not any(path.startswith(_NATIVE) for node in same for path in names.qualified(node)):
        return []
    scales = (node for node in same if names.qualified(node) == {"apex.amp.scale_loss"})
    return [Use(node, "torch.amp.scale_loss", how_used(table.model, node), {}) for node in scales]


def moves_to_autocast(model: ScriptModel, start: cst.Assign) -> bool:
    """Whether autocast can take the place of Apex: it runs O1 in any case, and no loss that autocast refuses.

    O2 gives the outputs of the network in float32, which autocast does not; O0 is no mixed precision.
    """
    if model.identifiers & _REFUSED:
        return False
    assert isinstance(start.value, cst.Call)
    if argument(start.value, 2, "enabled") is not None:
        return False
    given = argument(start.value, 3, "opt_level")
    return given is None or constant(model, given) == "O1"
