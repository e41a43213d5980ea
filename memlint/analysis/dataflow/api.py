"""Where a file uses the names of a table of APIs, and in which manner."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import libcst as cst

from memlint.analysis.dataflow.guards import is_expected, is_guarded, never_runs
from memlint.analysis.dataflow.import_statements import Imported, head_of, imports
from memlint.analysis.model import ScriptModel
from memlint.records import dataclass
from memlint.syntax.names import NameScope
from memlint.syntax.tree import dotted

Chain = cst.Name | cst.Attribute

_ERRORS = frozenset({"ImportError", "ModuleNotFoundError", "AttributeError", "TypeError"})
"""What an older or newer torch raises for a name or an argument that it lacks."""


_ALSO = {
    "torch.amp.GradScaler": ("torch.GradScaler", "torch.amp.grad_scaler.GradScaler"),
    "torch.amp.autocast": ("torch.autocast", "torch.amp.autocast_mode.autocast"),
}
"""Other names of what replaces a deprecated one."""


@dataclass(frozen=True, slots=True, eq=False)
class Use:
    """One place where a file names an entry of a table.

    how: "call", "decorator" (without parentheses), "annotation", or "value" for everything else
    (a base class, an argument, an assignment).
    """

    node: Chain
    api: str
    how: str
    entry: dict[str, Any]


class Table:
    """The entries of one rule, looked up in one file."""

    def __init__(self, model: ScriptModel) -> None:
        self.model = model
        self.imports = imports(model)

    def bound_by(self, node: Chain) -> list[Imported]:
        """The imports that bind the leftmost name of a chain."""
        name = head_of(node)
        owner = self.model.names.scope_of(name).owner(name.value)
        return [item for item in self.imports if item.scope is owner and item.name == name.value]

    def references(self, scope: NameScope, name: str, path: str) -> list[Chain]:
        """Every chain that starts with a name which a scope imports as `path`."""
        names = self.model.names
        found = [*names.references(path), *names.references(f"{path}.*")]
        return [
            n for n in found if head_of(n).value == name and names.scope_of(head_of(n)).owner(name) is scope
        ]

    def uses(self, entry: dict[str, Any]) -> list[Use]:
        """The places that name an entry for certain, in no particular order."""
        names = self.model.names
        found: dict[Chain, Use] = {}
        for api in entry["api"]:
            nodes = names.references(api)
            if any(self._is_assigned(node) for node in nodes):
                continue
            for node in nodes:
                path = names.one(node)
                if path == api or (api.endswith(".*") and path.startswith(api[:-1])):
                    found.setdefault(node, Use(node, path, how_used(self.model, node), entry))
            for node in self._by_star(api) if entry.get("by-star") else ():
                found.setdefault(node, Use(node, api, how_used(self.model, node), entry))
        return list(found.values())

    def _by_star(self, api: str) -> list[Chain]:
        """Chains that are a name of a table by `from module import *`, where nothing else binds them."""
        names = self.model.names
        modules = [module for module in names.module_scope.stars if api.startswith(f"{module}.")]
        rests = [api.removeprefix(f"{module}.") for module in modules]
        nodes = (node for rest in rests for node in names.unbound_references(rest.partition(".")[0]))
        return [node for node in nodes if dotted(node) in rests]

    def protected(self, use: Use, *, exists: bool = False) -> bool:
        """Whether a use is guarded, or the import that it goes through is; `exists` as for `spared`."""
        places: list[cst.CSTNode] = [use.node]
        places += [item.node for item in self.bound_by(use.node) if item.path != "torch"]
        return any(self.spared(place, use.api, use.entry if exists else None) for place in places)

    def spared(self, place: cst.CSTNode, api: str, existing: dict[str, Any] | None = None) -> bool:
        """Whether the author knows that a name may be missing at a place, or the place never runs.

        `existing` is the entry of a name that is there and works: then a guard counts only where the file
        also knows the replacement, for otherwise it was no choice between the two.
        """
        if never_runs(self.model, place) or is_expected(self.model, place):
            return True
        guarded = is_guarded(self.model, place, api.rpartition(".")[2], _ERRORS)
        return guarded and (existing is None or self.knows(existing))

    def knows(self, entry: dict[str, Any]) -> bool:
        """Whether the file names the replacement of an entry."""
        new = entry.get("edit", {}).get("rename") or entry.get("replacement", "")
        names = (new, *_ALSO.get(new, ()))
        below = tuple(f"{name}." for name in names if name)
        imported = any(i.path in names or i.path.startswith(below) for i in self.imports)
        return imported or any(map(self.model.names.references, names))

    def _is_assigned(self, node: Chain) -> bool:
        return isinstance(self.model.parent(node), (cst.AssignTarget, cst.AnnAssign)) and isinstance(
            node, cst.Attribute
        )


def how_used(model: ScriptModel, node: cst.CSTNode) -> str:
    """What is done with a name: "call", "decorator", "annotation" or "value"."""
    parent = model.parent(node)
    if isinstance(parent, cst.Call) and parent.func is node:
        return "call"
    if isinstance(parent, cst.Decorator):
        return "decorator"
    for above in model.ancestors(node):
        if isinstance(above, cst.Annotation):
            return "annotation"
    return "value"


def in_torchscript(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a node may be compiled by TorchScript, whose compiler knows some names only as they were."""
    scripted = any(
        model.names.references(f"torch.jit.{name}") for name in ("script", "script_method", "export")
    )
    return scripted and model.function_of(node) is not None


def under(path: str, apis: Iterable[str]) -> str:
    """The entry of `apis` that a dotted path is or lies below; "" for none."""
    for api in apis:
        base = api.removesuffix(".*")
        if path == base or (api.endswith(".*") and path.startswith(f"{base}.")):
            return base
    return ""
