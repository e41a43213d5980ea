"""MEM902, MEM903, MEM904: names of a table that do not exist in torch, or that moved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import libcst as cst

from memlint.analysis.dataflow.api import Table, Use, under
from memlint.analysis.dataflow.import_statements import Imported, without
from memlint.analysis.fixes import keyword_tables
from memlint.analysis.fixes.moves import Mover, applicability, rename_import
from memlint.analysis.fixes.rewrites import renamed
from memlint.analysis.match import Change, Match, Plan, Remove, Replace
from memlint.analysis.model import ScriptModel
from memlint.catalogue import Rule
from memlint.detect.api.deprecated_usage import IDIOMS
from memlint.detect.api.idioms import IDIOM_VARIANTS, old_idioms
from memlint.finding import Applicability

Entry = dict[str, Any]


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """The matches of every entry of the rule's table, and of the idioms that it has texts for."""
    table = Table(model)
    seen: set[cst.CSTNode] = set()
    referenced = [entry for entry in rule.matches if entry.get("kind", "reference") == "reference"]
    found = [*_references(table, referenced)]
    for entry in rule.matches:
        kind = entry.get("kind", "reference")
        if kind == "import":
            found += _missing(table, entry)
        elif kind == "import-module":
            found += _modules(table, entry)
        elif kind == "call":
            found += _calls(table, entry)
    if IDIOM_VARIANTS & rule.variants.keys():
        found += [match for match in old_idioms(table) if match.variant in rule.variants]
    for variant in IDIOMS.keys() & rule.variants.keys():
        found += IDIOMS[variant](table)
    for match in found:
        if match.node not in seen:
            seen.add(match.node)
            yield match


def _match(node: cst.CSTNode, api: str, entry: Entry, plan: Plan | None, **more: str) -> Match:
    values = {
        "api": api,
        "replacement": entry.get("replacement", ""),
        "since": entry.get("since", ""),
        **more,
    }
    return Match(node, values, entry.get("variant", "default"), plans=(plan,) if plan else ())


# --- names that moved -----------------------------------------------------------------------------


def _references(table: Table, entries: list[Entry]) -> Iterator[Match]:
    uses = [use for entry in entries for use in table.uses(entry)]
    mover = Mover(table, uses)
    for use in uses:
        if use.how != "annotation" and not table.protected(use, exists=True):
            yield _match(use.node, use.api, use.entry, mover.plan(use))
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
            yield _match(item.node, item.path, entry, mover.plan(uses[0]) if uses else None)


# --- names that are not there ---------------------------------------------------------------------


def _missing(table: Table, entry: Entry) -> Iterator[Match]:
    """Imports of a name that torch lacks; else its uses by attribute path."""
    imported: list[Imported] = []
    for item in table.imports:
        api = under(item.path, entry["api"])
        if api:
            imported.append(item)
            if not table.spared(item.node, item.path):
                yield _match(item.node, item.path, entry, _missing_import_plan(table, item, entry))
    plain = any(item.is_module for item in imported)
    for use in table.uses(entry):
        bound = table.bound_by(use.node)
        if plain or any(item in imported for item in bound):
            continue
        if not table.protected(use):
            yield _match(use.node, use.api, entry, _rename_plan(table.model, use))


def _rename_plan(model: ScriptModel, use: Use) -> Plan | None:
    new = use.entry.get("edit", {}).get("rename")
    if new is None:
        return None
    text, imports = renamed(model, use.node, new)
    return Plan(applicability(model, use.entry), f"use `{new}`", (Replace(use.node, text), *imports))


def _missing_import_plan(table: Table, item: Imported, entry: Entry) -> Plan | None:
    new = entry.get("edit", {}).get("rename")
    if new is not None:
        changes = rename_import(table, item, new)
        return Plan(applicability(table.model, entry), f"import `{new}`", changes) if changes else None
    return _deletion(table, item)


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


# --- names that are no modules ----------------------------------------------------------------------


def _modules(table: Table, entry: Entry) -> Iterator[Match]:
    (api,) = entry["api"]
    for item in table.imports:
        inside = item.path.startswith(f"{api}.") or (item.alias is None and item.path == api)
        exact = item.path == api and item.is_module
        if (exact or inside) and not table.spared(item.node, api):
            yield _match(item.node, api, entry, _module_plan(table.model, item, entry) if exact else None)


def _module_plan(model: ScriptModel, item: Imported, entry: Entry) -> Plan | None:
    """`import a.b as c` written by the form that the table gives for the new module."""
    statement = item.statement
    if item.alias is None or not isinstance(statement, cst.Import):
        return None
    kept = without(model, statement, frozenset({item.alias}))
    if item.renamed:
        last = item.path.rpartition(".")[2]
        new = entry["edit"]["import-form"].format(alias=item.name)
        new = new.removesuffix(f" as {last}") if item.name == last else new
    else:
        new = f"import {item.path.rpartition('.')[0]}"
    code = f"{kept}\n{new}" if kept else new
    return Plan(applicability(model, entry), f"write `{new}`", (Replace(statement, code),))


# --- arguments that were removed ----------------------------------------------------------------------


def _calls(table: Table, entry: Entry) -> Iterator[Match]:
    for api, call, arg in keyword_tables.given(table, entry):
        plan = keyword_tables.plan(table.model, entry, call, arg)
        name = arg.keyword.value if arg.keyword is not None else ""
        yield _match(call.func, api, entry, plan, keyword=name)
