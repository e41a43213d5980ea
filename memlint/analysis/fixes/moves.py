"""Plans that follow a name to where it lives now: its imports, its uses, its arguments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Any

import libcst as cst

from memlint.analysis.dataflow.api import Table, Use, in_torchscript
from memlint.analysis.dataflow.guards import probed
from memlint.analysis.dataflow.import_statements import (
    Imported,
    head_of,
    head_path,
    imports,
    reimported,
    without,
)
from memlint.analysis.fixes.rewrites import Arguments, called, moved_name
from memlint.analysis.match import Change, Plan, Remove, Replace
from memlint.analysis.model import ScriptModel
from memlint.finding import Applicability
from memlint.records import dataclass
from memlint.syntax.tree import dotted

_NEVER_THERE = (".scale_loss", ".initialize")
"""Members that the old module lacks as much as the new one: a moved import does them no harm."""


@dataclass(slots=True)
class Mover:
    """The plans for all uses of a table in one file.

    Uses that share an import statement share one plan, for the statement can only change once.
    """

    table: Table
    uses: Sequence[Use]
    _plans: dict[cst.CSTNode, tuple[Plan | None, list[Use]]] = field(default_factory=dict)

    @property
    def model(self) -> ScriptModel:
        """The file."""
        return self.table.model

    def plan(self, use: Use) -> Plan | None:
        """The plan that corrects a use; None where moving it is not certain to be right."""
        if "rename" not in use.entry.get("edit", ()) or self._changes(use, "") is None:
            return None
        if use.api.rpartition(".")[2] in probed(self.model):
            return None  # who asks for the old name serves an older torch, without the new one, as well
        shared = self._shared(use)
        if shared is not None:
            if shared.statement not in self._plans:
                self._plans[shared.statement] = self._statement_plan(shared)
            plan, moved = self._plans[shared.statement]
            if use in moved:
                return plan
        imported = self._imported_by_name(use)
        if imported is not None:
            changes = rename_import(self.table, imported, use.entry["edit"]["rename"])
            return self._plan([use], changes) if changes and not Arguments.of(use.entry["edit"]) else None
        found = moved_name(self.model, use.node, use.entry["edit"]["rename"])
        if found is None:
            return None
        func, imports = found
        return self._plan([use], (*(self._changes(use, func) or ()), *imports))

    def _imported_by_name(self, use: Use) -> Imported | None:
        """The import of the very name that a use consists of, which has to follow the new name."""
        bound = self.table.bound_by(use.node)
        exact = len(bound) == 1 and bound[0].path == use.api and not bound[0].is_module
        return bound[0] if exact else None

    def _changes(self, use: Use, func: str) -> tuple[Change, ...] | None:
        """The changes at one use, which is called `func` from then on ("": as before)."""
        arguments = Arguments.of(use.entry["edit"], use.entry.get("arguments", ()))
        written = func or self.model.code(use.node)
        if in_torchscript(self.model, use.node):
            return None
        parent = self.model.parent(use.node)
        if use.how == "call" and isinstance(parent, cst.Call):
            return called(self.model, parent, written, arguments)
        if use.how == "decorator" and arguments.keywords and not arguments.first:
            return (Replace(use.node, f"{written}({', '.join(f'{k}={v}' for k, v in arguments.keywords)})"),)
        if use.how == "annotation" or not arguments:
            return () if func in ("", dotted(use.node)) else (Replace(use.node, func),)
        return None

    def _shared(self, use: Use) -> Imported | None:
        """The import that has to change for a use, if the use is not written out from `torch` on."""
        bound = self.table.bound_by(use.node)
        if len(bound) != 1 or head_path(self.model, use.node) == "torch" or not _new_path(self.model, use):
            return None
        return bound[0]

    def _statement_plan(self, first: Imported) -> tuple[Plan | None, list[Use]]:
        """The plan for an import statement, and the uses that it takes care of."""
        moves: dict[cst.ImportAlias, tuple[str, str]] = {}
        moved: list[Use] = []
        for item in self.table.imports:
            if item.statement is first.statement and item.alias is not None:
                through = [u for u in self.uses if self.table.bound_by(u.node) == [item]]
                if path := self._movable(item, through):
                    moves[item.alias] = (path, item.name)
                    moved += through
        if not moves:
            return None, []
        changes: list[Change] = [Replace(first.statement, reimported(self.model, first.statement, moves))]
        for use in moved:
            changes += self._changes(use, "") or ()
        return self._plan(moved, tuple(changes)), moved

    def _movable(self, item: Imported, through: Sequence[Use]) -> str:
        """The new path of an imported name if every reference to it can follow; else ""."""
        paths = {_new_path(self.model, use) for use in through if "edit" in use.entry}
        covered = {use.node for use in through if "edit" in use.entry and self._changes(use, "") is not None}
        for node in self.table.references(item.scope, item.name, item.path):
            if node not in covered and not self.model.names.one(node).endswith(_NEVER_THERE):
                return ""
        if len(paths) != 1 or item.name in item.scope.others or self.model.exports(item.name):
            return ""
        return paths.pop()

    def _plan(self, uses: Sequence[Use], changes: tuple[Change, ...]) -> Plan | None:
        if not changes:
            return None
        caution = next((text for use in uses if (text := use.entry["edit"].get("caution"))), "")
        return Plan(*_title(self.model, uses), changes=changes, caution=caution, needs=_needs(uses))


def applicability(model: ScriptModel, entry: dict[str, Any]) -> Applicability:
    """What a fix of an entry may claim for the torch that the user declared."""
    stated = Applicability(entry["edit"].get("applicability", "unsafe"))
    return Applicability.UNSAFE if stated is Applicability.SAFE and _too_old(model, entry) else stated


def _title(model: ScriptModel, uses: Iterable[Use]) -> tuple[Applicability, str]:
    kinds = {applicability(model, use.entry) for use in uses}
    own = [title for use in uses if (title := use.entry["edit"].get("title"))]
    names = sorted({use.entry["edit"]["rename"] for use in uses})
    weakest = next(
        kind
        for kind in (Applicability.DISPLAY, Applicability.UNSAFE, Applicability.REPAIR, Applicability.SAFE)
        if kind in kinds
    )
    return weakest, own[0] if own else "use " + " and ".join(f"`{name}`" for name in names)


def _needs(uses: Iterable[Use]) -> str:
    """The oldest torch that has all the new names."""
    return max((use.entry["min-torch"] for use in uses if "min-torch" in use.entry), key=_version, default="")


def _too_old(model: ScriptModel, entry: dict[str, Any]) -> bool:
    """Whether the declared torch may lack the replacement: it is older, or not known."""
    needed = entry.get("min-torch")
    return needed is not None and (model.target_torch is None or model.target_torch < _version(needed))


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))


def _new_path(model: ScriptModel, use: Use) -> str:
    """What the leftmost name of a use has to be imported as, so that the use itself can stay as it is."""
    old = head_path(model, use.node)
    rest = use.api.removeprefix(old)
    new: str = use.entry["edit"]["rename"]
    if not new.endswith(rest):
        return ""
    new = new.removesuffix(rest) if rest else new
    return new if new.rpartition(".")[2] == old.rpartition(".")[2] else ""


def rename_import(table: Table, item: Imported, new: str) -> tuple[Change, ...] | None:
    """The changes that import `new` in place of a name, with its uses in the file renamed if they can be."""
    model, last = table.model, new.rpartition(".")[2]
    if item.alias is None or item.is_module or item.name in item.scope.others:
        return None
    if model.exports(item.name):
        return None
    others = (other for other in table.imports if other is not item and other.scope is item.scope)
    twins = [other for other in others if other.name == last]
    name = item.name if item.renamed or (not twins and item.scope.owner(last) is not None) else last
    if any(other.path != new for other in twins) or last in item.scope.others:
        name = item.name
    if twins and name == last and not item.renamed:
        rest = without(model, item.statement, frozenset({item.alias}))
        changes: list[Change] = [Replace(item.statement, rest) if rest else Remove(item.statement)]
    else:
        changes = [Replace(item.statement, reimported(model, item.statement, {item.alias: (new, name)}))]
    if name != item.name:
        changes += [
            Replace(head_of(node), name) for node in table.references(item.scope, item.name, item.path)
        ]
    return tuple(changes)


def rename_module(table: Table, item: Imported, new: str) -> tuple[Change, ...] | None:
    """The changes that make `import old` one of `new`, with what is written out below it."""
    model = table.model
    if item.alias is None or item.name in item.scope.others or model.exports(item.name):
        return None
    if item.renamed:
        return (Replace(item.statement, reimported(model, item.statement, {item.alias: (new, item.name)})),)
    written = item.path + "."
    below = table.references(item.scope, item.name, item.path.partition(".")[0])
    statement = reimported(model, item.statement, {item.alias: (new, new)})
    changes: list[Change] = [Replace(item.statement, statement)]
    for node in below:
        path = dotted(node)
        if f"{path}.".startswith(written):
            changes.append(Replace(node, new + path[len(item.path) :]))
        elif written.startswith(f"{path}."):
            return None  # the package itself is handed on, and who takes it may look below it
    return tuple(changes)


def edit_title(edit: dict[str, Any]) -> str:
    """What an `edit` table does, as an order."""
    given: dict[str, str] = {**edit.get("add-keyword", {}), **edit.get("set-keyword", {})}
    parts = [f"write `{name}={value}`" for name, value in given.items()]
    parts += [f"write `{new}=`" for new in edit.get("rename-keyword", {}).values()]
    parts += [f"drop `{name}=`" for name in edit.get("drop-keyword", ())]
    parts = [f"use `{edit['rename-method']}`", *parts] if "rename-method" in edit else parts
    return edit.get("title") or ", ".join(parts) or "rewrite the call"


def unused_import(model: ScriptModel, node: cst.CSTNode) -> tuple[Change, ...]:
    """Without the import of the name at the head of `node`, which goes, when nothing else uses that name."""
    name = head_of(node)
    bound = [i for i in imports(model) if i.name == name.value]
    if len(bound) != 1 or bound[0].path == "torch" or bound[0].alias is None:
        return ()
    path, item = bound[0].path, bound[0]
    uses = [*model.names.references(path), *model.names.references(f"{path}.*")]
    if len([use for use in uses if head_of(use).value == name.value]) != 1:
        return ()
    rest = without(model, item.statement, frozenset({bound[0].alias}))
    return (Replace(item.statement, rest) if rest else Remove(item.statement),)


def is_one_line(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a piece of the code has no line end and no comment: it can be written elsewhere as it is."""
    code = model.code(node).strip()
    return "\n" not in code and "#" not in code
