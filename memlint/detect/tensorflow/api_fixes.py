"""The new names of what TensorFlow 2 removed or moved, in uses, imports and calls."""

from __future__ import annotations

from typing import Any

import libcst as cst

from memlint.analysis.dataflow.api import Table
from memlint.analysis.dataflow.import_statements import Imported, spelled
from memlint.analysis.fixes.moves import rename_import
from memlint.analysis.fixes.rewrites import argument_source, indented
from memlint.analysis.match import Change, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.flow import canonical
from memlint.finding import Applicability
from memlint.syntax.arguments import keywords
from memlint.syntax.tree import dotted

Entry = dict[str, Any]
_OLD = "keras.mixed_precision.experimental"
_MEMBERS = {"set_policy": "set_global_policy", "set_global_policy": "set_global_policy", "Policy": "Policy",
            "global_policy": "global_policy"}  # fmt: skip
_FIT = (
    "x steps_per_epoch epochs verbose callbacks validation_data validation_steps validation_freq class_weight"
).split()
_KEPT = frozenset(
    "x generator steps steps_per_epoch epochs verbose callbacks validation_data validation_steps "
    "validation_freq class_weight initial_epoch shuffle".split()
)


def use_plan(model: ScriptModel, node: cst.Attribute, entry: Entry) -> Plan | None:
    """The new name in place of an old one that is written out."""
    new = entry.get("edit", {}).get("rename", "")
    written: cst.CSTNode = node
    if not new and dotted(node).endswith("mixed_precision.experimental"):
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


def import_plan(table: Table, item: Imported, entry: Entry) -> Plan | None:
    """The import of the new name in place of the old one."""
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
        if text != dotted(use):
            changes.append(Replace(use, text))
    parent = item.path.partition(".mixed_precision")[0]
    new = f"from {parent} import mixed_precision" + (f" as {name}" if name != "mixed_precision" else "")
    return Plan(Applicability.REPAIR, f"write `{new}`", (Replace(item.statement, new), *changes))


def fit_plan(model: ScriptModel, call: cst.Call, new: str) -> Plan | None:
    """The same call of the new method; None where an argument has no counterpart."""
    assert isinstance(call.func, cst.Attribute)
    if any(a.star for a in call.args) or not keywords(call) <= _KEPT:
        return None
    order = _FIT if new == "fit" else ["x", "steps"]
    changes: list[Change] = [Replace(call.func, f"{indented(model, call, call.func.value)}.{new}")]
    for number, arg in enumerate(call.args):
        if arg.keyword is not None and arg.keyword.value == "generator":
            changes.append(Replace(arg, f"x={indented(model, arg, arg.value)}"))
        elif arg.keyword is None and number:
            if number >= len(order):
                return None
            changes.append(Replace(arg, f"{order[number]}={argument_source(model, arg)}"))
    caution = "needs TensorFlow 2.1 or newer, and a generator that yields batches"
    return Plan(Applicability.UNSAFE, f"call `{new}`", tuple(changes), caution)
