"""MEM901: `amp.scale_loss`, which torch never had and Apex gave up."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.api import Table, Use
from memlint.analysis.dataflow.guards import never_runs
from memlint.analysis.dataflow.import_statements import Imported, without
from memlint.analysis.match import Change, Match, Plan, Remove, Replace
from memlint.analysis.model import ScriptModel
from memlint.catalogue import Rule
from memlint.detect.precision.apex import migration
from memlint.detect.precision.apex_names import apex_uses, unbound_uses, uses_native_amp
from memlint.detect.precision.apex_scaling import gives_back, scaling
from memlint.detect.precision.native_scaling import native
from memlint.detect.precision.scaler_home import torch_needed
from memlint.finding import Applicability
from memlint.syntax.tree import dotted

_TORCH_SCALE = ["torch.cuda.amp.scale_loss", "torch.amp.scale_loss", "torch.scale_loss"]
_TORCH_INITIALIZE = ["torch.cuda.amp.initialize", "torch.amp.initialize"]
_TORCH_MASTER = ["torch.cuda.amp.master_params", "torch.amp.master_params"]
_NEVER = _TORCH_SCALE + _TORCH_INITIALIZE + _TORCH_MASTER
_TITLE = "scale with a GradScaler"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Every use of the names, and every import of them: it is what fails first."""
    table = Table(model)
    plans: dict[cst.CSTNode, Plan | None] = {}
    for use in (*table.uses({"api": _NEVER}), *unbound_uses(table)):
        if not table.protected(use):
            plan = plans[use.node] = _repair(table, use)
            yield Match(use.node, {"api": use.api}, _variant(use.api), plans=(plan,) if plan else ())
    for item in table.imports:
        if item.path in _NEVER and not item.is_module:
            used = table.references(item.scope, item.name, item.path)
            if not table.spared(item.node, item.path):
                plan = plans.get(used[0]) if used else _without_import(table, item)
                yield Match(item.node, {"api": item.path}, _variant(item.path), plans=(plan,) if plan else ())
    yield from _apex(table)


# --- torch's own amp, which has no such names ---------------------------------------------------------


def _variant(api: str) -> str:
    return "master" if api in _TORCH_MASTER else "default"


def _repair(table: Table, use: Use) -> Plan | None:
    changes = _changes(table, use)
    if changes is None:
        return None
    for item in table.bound_by(use.node):
        if item.path == use.api and item.alias is not None:
            if len(table.references(item.scope, item.name, item.path)) > 1:
                return None
            changes = (*changes, _drop(table, item))
    call = table.model.parent(use.node)
    found = scaling(table.model, call) if isinstance(call, cst.Call) else None
    needs = torch_needed(table.model, found) if found is not None else ""
    return Plan(Applicability.REPAIR, _title(use.api), changes, needs=needs)


def _title(api: str) -> str:
    if api in _TORCH_INITIALIZE:
        return "delete the line"
    return "take the parameters of the optimizer" if api in _TORCH_MASTER else _TITLE


def _changes(table: Table, use: Use) -> tuple[Change, ...] | None:
    call = table.model.parent(use.node)
    if use.how != "call" or not isinstance(call, cst.Call):
        return None
    if use.api in _TORCH_INITIALIZE:
        line = table.model.parent(call)
        return (Remove(line),) if isinstance(line, cst.Assign) and gives_back(line, call) else None
    if use.api in _TORCH_MASTER:
        return _parameters(call)
    found = scaling(table.model, call)
    return native(table.model, found) if found is not None else None


def _parameters(call: cst.Call) -> tuple[Change, ...] | None:
    """The parameters of the optimizer that a call names: without Apex's copies these are what is trained."""
    if len(call.args) != 1 or call.args[0].star or not dotted(call.args[0].value):
        return None
    given = dotted(call.args[0].value)
    return (Replace(call, f'[p for group in {given}.param_groups for p in group["params"]]'),)


def _without_import(table: Table, item: Imported) -> Plan:
    return Plan(Applicability.REPAIR, "delete the import", (_drop(table, item),))


def _drop(table: Table, item: Imported) -> Change:
    assert item.alias is not None
    rest = without(table.model, item.statement, frozenset({item.alias}))
    return Replace(item.statement, rest) if rest else Remove(item.statement)


# --- NVIDIA Apex ----------------------------------------------------------------------------------------


def _apex(table: Table) -> Iterator[Match]:
    prefers_native = uses_native_amp(table)
    for use in apex_uses(table):
        call = table.model.parent(use.node)
        if use.how != "call" or never_runs(table.model, use.node):
            continue
        plan = migration(table, use)
        plans = (plan,) if plan else ()
        if call is not None and isinstance(table.model.parent(call), cst.Attribute):
            yield Match(use.node, {"api": use.api}, "apex-call", plans=plans)
        elif not prefers_native:
            yield Match(use.node, {"api": use.api}, "apex", plans=plans)
