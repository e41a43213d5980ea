"""MEM906: arguments that do nothing any more, or that exclude one another."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.api import Table
from memlint.analysis.dataflow.guards import is_guarded
from memlint.analysis.fixes.keyword_tables import given, plan
from memlint.analysis.fixes.rewrites import without_keywords
from memlint.analysis.match import Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.catalogue import Rule, version_fits
from memlint.detect.api.allocator_variable import OLD_VARIABLE, allocator_variable
from memlint.detect.api.loader_calls import Conflict, conflicts
from memlint.detect.api.transformers_arguments import ERRORS, transformers_arguments
from memlint.finding import Applicability
from memlint.syntax.expressions import literal


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """The arguments of the rule's table, those of transformers models, and DataLoader conflicts."""
    table = Table(model)
    for entry in rule.matches:
        if model.target_torch is None or version_fits(model.target_torch, entry.get("torch", "")):
            for api, call, arg in given(table, entry):
                found = plan(model, entry, call, arg)
                values = {"api": api.rpartition(".")[2], "keyword": entry["with-keyword"][0]}
                plans = (found,) if found else ()
                yield Match(arg, values, entry["variant"], plans=plans, holds=entry.get("torch", ""))
    yield from transformers_arguments(model)
    for conflict in conflicts(table):
        if not is_guarded(model, conflict.call, errors=ERRORS):
            yield _conflict(model, conflict)
    if OLD_VARIABLE in model.text:
        yield from allocator_variable(model)
    yield from _redundant(model)


# --- the DataLoader -----------------------------------------------------------------------------------


def _conflict(model: ScriptModel, found: Conflict) -> Match:
    values = {"keyword": found.name, "other": found.other}
    variant = {"exclusive": "conflict", "iterable": "conflict"}.get(found.kind, found.kind)
    if found.arg.keyword is None:
        return Match(found.arg, values, variant, holds=found.holds)
    caution = {"workers": "to keep the argument, set `num_workers` above 0 instead"}.get(found.kind, "")
    change = without_keywords(model, found.call, frozenset({found.name}))
    fix = Plan(Applicability.UNSAFE, f"drop `{found.name}=`", (change,), caution)
    plans = () if found.kind == "maybe" else (fix,)
    return Match(found.arg, values, variant, plans=plans, holds=found.holds)


# --- arguments that say what holds anyway -------------------------------------------------------------


def _redundant(model: ScriptModel) -> Iterator[Match]:
    """`zero_grad(set_to_none=True)`, which is what zero_grad does since torch 2.0."""
    target = model.target_torch
    if target is not None and target < (2, 0):
        return
    known = {id(zero.node) for zero in model.trace.zeros.values() if zero.target is not None}
    for call in model.names.calls:
        func = call.func
        if type(func) is not cst.Attribute or func.attr.value != "zero_grad" or len(call.args) != 1:
            continue
        arg = call.args[0]
        if arg.keyword is None or arg.keyword.value != "set_to_none" or literal(arg.value) is not True:
            continue
        if id(call) in known:
            change = without_keywords(model, call, frozenset({"set_to_none"}))
            kind = Applicability.SAFE if target is not None else Applicability.UNSAFE
            fix = Plan(kind, "drop `set_to_none=True`", (change,), needs="2.0")
            yield Match(arg, {"keyword": "set_to_none"}, "redundant", plans=(fix,))
