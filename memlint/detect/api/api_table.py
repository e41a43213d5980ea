"""MEM902, MEM903, MEM904: names of a table that do not exist in torch, or that moved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import libcst as cst

from memlint.analysis.dataflow.api import Table
from memlint.analysis.dataflow.import_statements import Imported, without
from memlint.analysis.fixes import keyword_tables
from memlint.analysis.fixes.moves import applicability
from memlint.analysis.match import Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.catalogue import Rule
from memlint.detect.api.deprecated_usage import IDIOMS
from memlint.detect.api.idioms import IDIOM_VARIANTS, old_idioms
from memlint.detect.api.named_uses import match_of, missing, references

Entry = dict[str, Any]


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """The matches of every entry of the rule's table, and of the idioms that it has texts for."""
    table = Table(model)
    seen: set[cst.CSTNode] = set()
    referenced = [entry for entry in rule.matches if entry.get("kind", "reference") == "reference"]
    found = [*references(table, referenced)]
    for entry in rule.matches:
        kind = entry.get("kind", "reference")
        if kind == "import":
            found += missing(table, entry)
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


# --- names that are no modules ----------------------------------------------------------------------


def _modules(table: Table, entry: Entry) -> Iterator[Match]:
    (api,) = entry["api"]
    for item in table.imports:
        inside = item.path.startswith(f"{api}.") or (item.alias is None and item.path == api)
        exact = item.path == api and item.is_module
        if (exact or inside) and not table.spared(item.node, api):
            yield match_of(item.node, api, entry, _module_plan(table.model, item, entry) if exact else None)


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
        yield match_of(call.func, api, entry, plan, keyword=name)
