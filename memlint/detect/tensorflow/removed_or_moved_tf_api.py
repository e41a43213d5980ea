"""MTF101: names of TensorFlow 1 and of old Keras that TensorFlow 2 no longer has, or never had."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import libcst as cst

from memlint.analysis.dataflow.api import Table, how_used
from memlint.analysis.dataflow.bindings import Imported, source, spelled
from memlint.analysis.fixes.moves import rename_import
from memlint.analysis.fixes.rewrites import argument_source
from memlint.analysis.match import Change, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.flow import Flow, canonical, concerns, flow_of
from memlint.analysis.tensorflow.keras import method_calls, model_kind
from memlint.catalogue import Rule
from memlint.finding import Applicability
from memlint.syntax.arguments import keywords

Entry = dict[str, Any]

_PINNED = re.compile(
    r"\b(tf|tensorflow|keras)\.(__version__|VERSION)\s*(\[|[<>=!]=?|\.(split|startswith))|"
    r"[vV]ersion\w*\((tf|tensorflow|keras)\.__version__\)|^\s*[%!]\s*tensorflow_version 1|"
    r"pip3? install.*tensorflow(-gpu)?\s*==\s*1\.", re.MULTILINE
)  # fmt: skip
_OLD = "keras.mixed_precision.experimental"
_MEMBERS = {"set_policy": "set_global_policy", "set_global_policy": "set_global_policy", "Policy": "Policy",
            "global_policy": "global_policy"}  # fmt: skip
_METHODS = ("fit_generator", "predict_generator", "evaluate_generator")
_FIT = (
    "x steps_per_epoch epochs verbose callbacks validation_data validation_steps validation_freq class_weight"
).split()
_KEPT = frozenset(
    "x generator steps steps_per_epoch epochs verbose callbacks validation_data validation_steps "
    "validation_freq class_weight initial_epoch shuffle".split()
)


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Imports and uses of the names of the table, and calls of the old training methods."""
    if not concerns(model) or _PINNED.search(model.text):
        return
    table, flow = Table(model), flow_of(model)
    imported = list(_imports(table, rule))
    for item, entry in imported:
        if not table.spared(item.node, item.path):
            plan = _import_plan(table, item, entry)
            yield _match(item.node, item.path, entry, plan)
    gone = {item for item, _ in imported}
    for node, entry in _uses(flow, rule):
        if not gone.intersection(table.bound_by(node)) and not _protected(table, node):
            yield _match(node, model.short(node), entry, _use_plan(model, node, entry))
    yield from _methods(flow, table)


def _match(node: cst.CSTNode, api: str, entry: Entry, plan: Plan | None) -> Match:
    values = {"api": api, "replacement": entry["replacement"]}
    return Match(node, values, entry.get("variant", "default"), plans=(plan,) if plan else ())


def _entry(rule: Rule, path: str) -> Entry | None:
    """The entry of the table that a canonical name is, or lies below."""
    for entry in rule.matches:
        if any(path == api or path.startswith(f"{api}.") for api in entry["api"]):
            return entry
    return None


def _imports(table: Table, rule: Rule) -> Iterator[tuple[Imported, Entry]]:
    for item in table.imports:
        entry = _entry(rule, canonical(item.path))
        if entry is not None and not item.path.startswith("tensorflow.python."):
            yield item, entry


def _uses(flow: Flow, rule: Rule) -> Iterator[tuple[cst.Attribute, Entry]]:
    """The outermost attribute chains that name an entry and read it."""
    wanted = {api.rpartition(".")[2] for entry in rule.matches for api in entry["api"]}
    for node in flow.model.names.every(cst.Attribute):
        if node.attr.value not in wanted:
            continue
        entry = _entry(rule, flow.api(node))
        if entry is None or isinstance(flow.model.parent(node), cst.AssignTarget):
            continue
        if how_used(flow.model, node) != "annotation" and not _below_known(flow, node, rule):
            yield node, entry


def _below_known(flow: Flow, node: cst.Attribute, rule: Rule) -> bool:
    """Whether a shorter part of the chain is an entry, which speaks for it."""
    return isinstance(node.value, cst.Attribute) and _entry(rule, flow.api(node.value)) is not None


def _protected(table: Table, node: cst.Attribute) -> bool:
    places: list[cst.CSTNode] = [node]
    places += [i.node for i in table.bound_by(node) if canonical(i.path) not in ("tf", "keras")]
    eager = (a for a in table.model.ancestors(node) if isinstance(a, cst.If))
    if any("executing_eagerly" in table.model.code(a.test) for a in eager):
        return True
    return any(table.spared(place, node.attr.value) for place in places)


# --- fixes --------------------------------------------------------------------------------------------


def _use_plan(model: ScriptModel, node: cst.Attribute, entry: Entry) -> Plan | None:
    new = entry.get("edit", {}).get("rename", "")
    written: cst.CSTNode = node
    if not new and model.code(node).endswith("mixed_precision.experimental"):
        parent = model.parent(node)
        member = parent.attr.value if isinstance(parent, cst.Attribute) else ""
        if parent is None or member not in _MEMBERS or _scales(model, parent):
            return None
        new, written = f"tensorflow.keras.mixed_precision.{_MEMBERS[member]}", parent
    text = spelled(model, node, new) if new else ""
    if not text:
        return None
    return Plan(Applicability.REPAIR, f"use `{text}`", (Replace(written, text),))


def _scales(model: ScriptModel, member: cst.CSTNode) -> bool:
    """Whether a policy is made with a loss scale, an argument that the new one does not take."""
    call = model.parent(member)
    return isinstance(call, cst.Call) and "loss_scale" in keywords(call)


def _import_plan(table: Table, item: Imported, entry: Entry) -> Plan | None:
    path, model = canonical(item.path), table.model
    if item.alias is None:
        return None
    if path == _OLD and isinstance(item.statement, cst.ImportFrom) and len(item.statement.names) == 1:  # type: ignore[arg-type]
        return _module_plan(table, item)
    member = _MEMBERS.get(path.removeprefix(f"{_OLD}."), "")
    new = entry.get("edit", {}).get("rename", "")
    if path.startswith(f"{_OLD}.") and member and not item.is_module:
        if any(_scales(model, n) for n in table.references(item.scope, item.name, item.path)):
            return None
        new = f"{item.path.partition('.mixed_precision')[0]}.mixed_precision.{member}"
    changes = rename_import(table, item, new) if new else None
    return Plan(Applicability.REPAIR, f"import `{new}`", changes) if changes else None


def _module_plan(table: Table, item: Imported) -> Plan | None:
    """`from tensorflow.keras import mixed_precision as M`, with the members of M that were renamed."""
    uses = table.references(item.scope, item.name, item.path)
    name = item.name if item.renamed else "mixed_precision"
    if name != item.name and item.scope.owner(name) is not None:
        return None
    changes: list[Change] = []
    for use in uses:
        path = table.model.names.one(use).removeprefix(f"{item.path}.")
        head, _, rest = path.partition(".")
        if head not in _MEMBERS or _scales(table.model, use):
            return None
        text = ".".join(filter(None, (name, _MEMBERS[head], rest)))
        if text != table.model.code(use):
            changes.append(Replace(use, text))
    parent = item.path.partition(".mixed_precision")[0]
    new = f"from {parent} import mixed_precision" + (f" as {name}" if name != "mixed_precision" else "")
    return Plan(Applicability.REPAIR, f"write `{new}`", (Replace(item.statement, new), *changes))


# --- methods ------------------------------------------------------------------------------------------


def _methods(flow: Flow, table: Table) -> Iterator[Match]:
    own = {n.name.value for n in flow.model.names.every(cst.FunctionDef)}
    for call, owner in method_calls(flow, *(m for m in _METHODS if m not in own)):
        assert isinstance(call.func, cst.Attribute)
        if model_kind(flow, owner) == "no" or table.spared(call, call.func.attr.value):
            continue
        old = call.func.attr.value
        new = old.removesuffix("_generator")
        name = flow.model.short(owner)
        values = {"api": f"{name}.{old}", "replacement": f"{name}.{new}"}
        plan = _fit_plan(flow.model, call, new)
        yield Match(call.func, values, "method", plans=(plan,) if plan else ())


def _fit_plan(model: ScriptModel, call: cst.Call, new: str) -> Plan | None:
    """The same call of the new method; None where an argument has no counterpart."""
    assert isinstance(call.func, cst.Attribute)
    if any(a.star for a in call.args) or not keywords(call) <= _KEPT:
        return None
    order = _FIT if new == "fit" else ["x", "steps"]
    changes: list[Change] = [Replace(call.func, f"{source(model, call.func.value)}.{new}")]
    for number, arg in enumerate(call.args):
        if arg.keyword is not None and arg.keyword.value == "generator":
            changes.append(Replace(arg, f"x={source(model, arg.value)}"))
        elif arg.keyword is None and number:
            if number >= len(order):
                return None
            changes.append(Replace(arg, f"{order[number]}={argument_source(model, arg)}"))
    caution = "needs TensorFlow 2.1 or newer, and a generator that yields batches"
    return Plan(Applicability.UNSAFE, f"call `{new}`", tuple(changes), caution)
