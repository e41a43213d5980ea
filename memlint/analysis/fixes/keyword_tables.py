"""Calls that pass arguments of a table: arguments that were removed, renamed, or are ignored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import libcst as cst

from memlint.analysis.dataflow.api import Table
from memlint.analysis.fixes.moves import applicability
from memlint.analysis.fixes.rewrites import indented, without_keywords
from memlint.analysis.match import Change, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.syntax.arguments import keywords
from memlint.syntax.expressions import spelling

Entry = dict[str, Any]
Given = tuple[str, cst.Call, cst.Arg]
"""The resolved name of what is called, the call, and the argument that the entry speaks of."""


def given(table: Table, entry: Entry) -> Iterator[Given]:
    """The calls of an entry that pass one of its keywords, with one of its values if it names some."""
    wanted = {*entry.get("with-keyword", ()), *entry.get("replacements", ())}
    unwanted = set(entry.get("without-keyword", ()))
    values = entry.get("edit", {}).get("replace-value")
    for api, call in calls(table, entry):
        if unwanted & keywords(call):
            continue
        passed = [arg for arg in call.args if arg.keyword is not None and arg.keyword.value in wanted]
        for arg in passed:
            if values is None or spelling(arg.value) in values:
                yield api, call, arg


def calls(table: Table, entry: Entry) -> Iterator[tuple[str, cst.Call]]:
    """The calls of the names of an entry that nothing guards."""
    for use in table.uses(entry):
        call = table.model.parent(use.node)
        if use.how == "call" and isinstance(call, cst.Call) and not table.protected(use):
            yield use.api, call


def plan(model: ScriptModel, entry: Entry, call: cst.Call, arg: cst.Arg) -> Plan | None:
    """The plan of an entry for an argument: dropped, under its new name, or with its new value."""
    edit = entry.get("edit", {})
    name = arg.keyword.value if arg.keyword is not None else ""
    kind = applicability(model, entry) if edit else None
    if kind is None or not name:
        return None
    change: Change
    if name in edit.get("drop-keyword", ()):
        change, title = without_keywords(model, call, frozenset({name})), f"drop `{name}=`"
    elif name in edit.get("rename-keyword", {}):
        new = edit["rename-keyword"][name]
        if new in keywords(call):
            return None
        assert arg.keyword is not None
        change, title = Replace(arg, f"{new}={indented(model, arg, arg.value)}"), f"write `{new}=`"
    elif "replace-value" in edit:
        new = edit["replace-value"][spelling(arg.value)]
        change, title = Replace(arg.value, new), f"write `{name}={new}`"
    else:
        return None
    return Plan(kind, title, (change,), edit.get("caution", ""))
