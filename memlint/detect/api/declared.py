"""The rules of packs: names, imports, calls with some arguments and method calls, as a table states them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import libcst as cst

from memlint.analysis.dataflow.api import Table, Use
from memlint.analysis.fixes.moves import Mover, applicability, edit_title
from memlint.analysis.fixes.rewrites import Arguments, called, moved_name
from memlint.analysis.match import Change, Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.uses.call_conditions import holds, is_made_by, passed
from memlint.catalogue import Rule, is_dotted
from memlint.detect.api.named_uses import missing, references
from memlint.records import dataclass

Entry = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Called:
    """A call that an entry means: the name or attribute that is called, and what it resolves to."""

    node: cst.Call
    func: cst.Name | cst.Attribute
    api: str
    use: Use | None = None


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """The matches of every entry of the rule's table, one for each place."""
    table = Table(model)
    seen: set[cst.CSTNode] = set()
    found = [*references(table, [entry for entry in rule.matches if entry["kind"] == "reference"])]
    for entry in rule.matches:
        if entry["kind"] == "import":
            named = missing(table, entry, exists=True)
            found += [m if "edit" in entry else replace(m, plans=()) for m in named]
        elif entry["kind"] == "call":
            found += _matches(table, entry, _calls(table, entry))
        elif entry["kind"] == "method":
            found += _matches(table, entry, _method_calls(model, entry))
    for match in found:
        if match.node not in seen:
            seen.add(match.node)
            yield match


def _calls(table: Table, entry: Entry) -> Iterator[Called]:
    """The calls of the names of an entry that nothing guards."""
    for use in table.uses(entry):
        call = table.model.parent(use.node)
        if use.how == "call" and isinstance(call, cst.Call) and not table.protected(use, exists=True):
            yield Called(call, use.node, use.api, use)


def _method_calls(model: ScriptModel, entry: Entry) -> Iterator[Called]:
    """The calls of a method on what calls of the names of an entry give."""
    for call in model.names.calls:
        func = call.func
        named = isinstance(func, cst.Attribute) and func.attr.value == entry["method"]
        if named and isinstance(func, cst.Attribute) and is_made_by(model, func.value, entry["api"]):
            yield Called(call, func, f"{entry['api'][0]}.{entry['method']}")


def _matches(table: Table, entry: Entry, calls: Iterator[Called]) -> Iterator[Match]:
    model, conditions = table.model, entry.get("arguments", ())
    hits = [one for one in calls if all(holds(model, one.node, condition) for condition in conditions)]
    mover = Mover(table, [one.use for one in hits if one.use is not None])
    for one in hits:
        args = [arg for condition in conditions if (arg := passed(one.node, condition)) is not None]
        plan = _plan(mover, entry, one) if "edit" in entry else None
        values = {
            "api": one.api,
            "replacement": entry.get("replacement", ""),
            "method": entry.get("method", ""),
            "argument": conditions[0]["keyword"] if conditions else "",
            "value": model.short(args[0].value) if args else "nothing",
        }
        place, variant = args[0] if args else one.func, entry.get("variant", "default")
        yield Match(place, values, variant, plans=(plan,) if plan else ())


def _plan(mover: Mover, entry: Entry, one: Called) -> Plan | None:
    """The change that an entry states: another name and its import, another method, other arguments."""
    edit, model = entry["edit"], mover.model
    if one.use is not None and "rename" in edit:
        return mover.plan(one.use)
    func = model.code(one.func)
    if "rename-method" in edit:
        func = func.removesuffix(entry["method"]) + edit["rename-method"]
    written = _values_written(model, edit, one)
    if written is None:
        return None
    changes = called(model, one.node, func, Arguments.of(written[0], entry.get("arguments", ())))
    if not changes:
        return None
    kind, caution = applicability(model, entry), edit.get("caution", "")
    return Plan(kind, edit_title(edit), (*changes, *written[1]), caution, entry.get("min-torch", ""))


def _values_written(model: ScriptModel, edit: Entry, one: Called) -> tuple[Entry, list[Change]] | None:
    """The edit with the names among its values as they are written at a call, and the imports that takes."""
    imports: list[Change] = []
    found = dict(edit)
    for key in ("add-keyword", "set-keyword"):
        for name, value in edit.get(key, {}).items():
            if not is_dotted(value):
                continue
            moved = moved_name(model, one.func, value)
            if moved is None:
                return None
            found[key] = {**found[key], name: moved[0]}
            imports += moved[1]
    return found, imports
