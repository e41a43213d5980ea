"""Is this object a module, a loader, an optimizer? The role of an expression or object, with its evidence.

Three kinds of evidence, the strongest first:

* value: the run saw it made, by a constructor that `knowledge.libraries` knows or by a class of the file
* use: the file does with it what only such an object can do (`_USES`)
* name: it is called like one (`knowledge.naming`)

`why_forward` answers why a call was taken for a forward pass. To teach memlint a new library's loader or
optimizer, add its import path in `knowledge.libraries`; for a new spelling, `knowledge.naming`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.facts import Forward
from memlint.analysis.knowledge import naming
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Obj, Ref, options_of
from memlint.syntax.tree import dotted

KINDS = frozenset({"module", "loader", "optimizer", "loss", "scaler", "engine", "dataset"})

_USES = {
    "param_groups": "optimizer",
    "parameters": "module",
    "named_parameters": "module",
    "register_forward_hook": "module",
    "batch_sampler": "loader",
    "unscale_": "scaler",
}
"""Attributes that objects of one role have and no others."""


@dataclass(frozen=True, slots=True)
class Role:
    """What an object is for in the script: its `kind` (one of `KINDS`), and why that is believed.

    `reason` says it in words for a developer: what made the object, or which use or name told.
    """

    kind: str
    evidence: Literal["value", "use", "name"]
    reason: str


def role_of(model: ScriptModel, node: cst.BaseExpression) -> Role | None:
    """The role of what an expression stands for; None where nothing tells."""
    for origin in value_sources(model, node):
        obj = _made(model).get(origin.node) if origin.kind == "value" else None
        if obj is not None:
            return role_of_object(model, obj)
    name = dotted(node)
    used = _used_as(model).get(name) if name else None
    if used is not None:
        return Role(used[0], "use", f"the file reads `{name}.{used[1]}`")
    last = name.rpartition(".")[2]
    kind = naming.role(last) if last else ""
    return Role(kind, "name", f"it is named `{last}`") if kind else None


def role_of_object(model: ScriptModel, obj: Obj) -> Role | None:
    """The role of an object of the run; None for lists, dicts and instances of other classes."""
    if obj.kind not in KINDS:
        return None
    if not obj.by_name:
        made = obj.path or (obj.cls.node.name.value if obj.cls is not None else "")
        return Role(obj.kind, "value", f"`{made}` makes it" if made else "the run saw it made")
    last = obj.name.rpartition(".")[2]
    if last in model.machine.module_names and not naming.role(last):
        return Role(obj.kind, "use", f"the file calls what only modules have on `{last}`")
    return Role(obj.kind, "name", f"it is named `{obj.name}`")


def why_forward(model: ScriptModel, forward: Forward) -> list[Role]:
    """Why a call was taken for a forward pass: the roles of the modules that it may run."""
    objects = (option.obj for option in options_of(forward.module) if isinstance(option, Ref))
    return [role for obj in objects if (role := role_of_object(model, obj)) is not None]


@cached
def _made(model: ScriptModel) -> dict[cst.CSTNode, Obj]:
    """The objects with a role that the run saw made, by the call that made them."""
    objects = model.machine.trace.objects.values()
    return {o.node: o for o in objects if o.node is not None and o.kind in KINDS and not o.by_name}


@cached
def _used_as(model: ScriptModel) -> dict[str, tuple[str, str]]:
    """(role, attribute) of every dotted name on which the file reads an attribute of `_USES`."""
    found: dict[str, tuple[str, str]] = {}
    for node in model.names.every(cst.Attribute):
        kind, owner = _USES.get(node.attr.value), dotted(node.value)
        if kind is not None and owner:
            found.setdefault(owner, (kind, node.attr.value))
    return found
