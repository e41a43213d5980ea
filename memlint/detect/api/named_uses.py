"""Names of a table of APIs where a file uses or imports them, with the plans that move it to other names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import libcst as cst

from memlint.analysis.dataflow.api import Table, Use, under
from memlint.analysis.dataflow.import_statements import Imported, without
from memlint.analysis.fixes.moves import Mover, applicability, rename_import, rename_module
from memlint.analysis.fixes.rewrites import moved_name
from memlint.analysis.match import Change, Match, Plan, Remove, Replace
from memlint.analysis.model import ScriptModel
from memlint.finding import Applicability

Entry = dict[str, Any]


def match_of(node: cst.CSTNode, api: str, entry: Entry, plan: Plan | None, **more: str) -> Match:
    """A match of an entry with the words that texts may name."""
    values = {
        "api": api,
        "replacement": entry.get("replacement", ""),
        "since": entry.get("since", ""),
        "argument": "",
        "value": "",
        "method": "",
        **more,
    }
    return Match(node, values, entry.get("variant", "default"), plans=(plan,) if plan else ())


# --- names that moved -----------------------------------------------------------------------------


def references(table: Table, entries: list[Entry]) -> Iterator[Match]:
    """Uses of names, and imports of those that nothing uses."""
    uses = [use for entry in entries for use in table.uses(entry)]
    mover = Mover(table, uses)
    for use in uses:
        if use.how != "annotation" and not table.protected(use, exists=True):
            yield match_of(use.node, use.api, use.entry, mover.plan(use))
    for entry in entries:
        yield from _idle_imports(table, entry, mover)


def _idle_imports(table: Table, entry: Entry, mover: Mover) -> Iterator[Match]:
    """Imports of a name that nothing but annotations uses."""
    for item in table.imports:
        if item.path not in entry["api"] or item.is_module:
            continue
        uses = [use for use in mover.uses if table.bound_by(use.node) == [item]]
        known = {use.node for use in uses if use.how == "annotation"}
        idle = known.issuperset(table.references(item.scope, item.name, item.path))
        if idle and not table.spared(item.node, item.path, entry):
            yield match_of(item.node, item.path, entry, mover.plan(uses[0]) if uses else None)


# --- names that are not there ---------------------------------------------------------------------


def missing(table: Table, entry: Entry, *, exists: bool = False) -> Iterator[Match]:
    """Imports of a name that is not there; else its uses by attribute path.

    With `exists` it is there, and a guard counts only where the file knows the replacement.
    """
    known = entry if exists else None
    imported: list[Imported] = []
    for item in table.imports:
        api = under(item.path, entry["api"])
        if api:
            imported.append(item)
            if not table.spared(item.node, item.path, known):
                yield match_of(item.node, item.path, entry, _missing_import_plan(table, item, entry, api))
    plain = any(item.is_module for item in imported)
    for use in table.uses(entry):
        bound = table.bound_by(use.node)
        if plain or any(item in imported for item in bound):
            continue
        if not table.protected(use, exists=exists):
            yield match_of(use.node, use.api, entry, _rename_plan(table.model, use))


def _new_name(entry: Entry, path: str, api: str) -> str | None:
    """What an entry makes of a path that is its `api` or lies below; None where it renames nothing."""
    new: str | None = entry.get("edit", {}).get("rename")
    return new + path[len(api) :] if new is not None else None


def _rename_plan(model: ScriptModel, use: Use) -> Plan | None:
    new = _new_name(use.entry, use.api, under(use.api, use.entry["api"]))
    found = moved_name(model, use.node, new) if new is not None else None
    if found is None:
        return None
    text, imports = found
    return Plan(applicability(model, use.entry), f"use `{new}`", (Replace(use.node, text), *imports))


def _missing_import_plan(table: Table, item: Imported, entry: Entry, api: str) -> Plan | None:
    new = _new_name(entry, item.path, api)
    if new is None:
        return _deletion(table, item)
    changes = rename_module(table, item, new) if item.is_module else rename_import(table, item, new)
    return Plan(applicability(table.model, entry), f"import `{new}`", changes) if changes else None


def _deletion(table: Table, item: Imported) -> Plan | None:
    """Without a replacement: delete an import whose name is not used, or is defined in the file anyway."""
    others = [o for o in table.imports if o is not item and o.name == item.name and o.scope is item.scope]
    if item.alias is None or (item.is_module and not others and not item.renamed):
        return None
    own = item.name in item.scope.others
    uses = table.references(item.scope, item.name, item.path)
    if not own and uses and not (item.is_module and not item.renamed):
        return None
    rest = without(table.model, item.statement, frozenset({item.alias}))
    change: Change = Replace(item.statement, rest) if rest else Remove(item.statement)
    return Plan(Applicability.REPAIR, "delete the import", (change,))
