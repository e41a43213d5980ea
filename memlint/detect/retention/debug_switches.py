"""Calls that turn a tool for finding errors on, in files that never turn it off."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.api import Table
from memlint.analysis.dataflow.constants import constant
from memlint.analysis.knowledge import hints
from memlint.analysis.match import Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.finding import Applicability
from memlint.syntax.arguments import keywords
from memlint.syntax.tree import is_main_guard

_HISTORY = ["torch.cuda.memory._record_memory_history", "torch.cuda._record_memory_history"]
_OFF = (0, False, None, "default", "none")


def unguarded_calls(table: Table, apis: list[str]) -> Iterator[tuple[cst.Call, str]]:
    """The calls of these names that neither a condition nor the name of the function puts aside."""
    for use in table.uses({"api": apis}):
        call = table.model.parent(use.node)
        if use.how == "call" and isinstance(call, cst.Call) and not _is_guarded(table.model, call):
            yield call, use.api


def _is_guarded(model: ScriptModel, node: cst.CSTNode) -> bool:
    for above in model.ancestors(node):
        if isinstance(above, (cst.IfExp, cst.ExceptHandler, cst.BooleanOperation)):
            return True
        if isinstance(above, cst.If) and not is_main_guard(above):
            return True
        if isinstance(above, cst.FunctionDef) and hints.DEBUG_SWITCH.search(above.name.value):
            return True
    return False


def switches(table: Table, apis: list[str], name: str, variant: str) -> Iterator[Match]:
    """Calls that turn something on with a constant, in a file that never turns it off."""
    model = table.model
    every = _every(table, apis)
    if any(_value(model, call, name) in _OFF for call in every):
        return
    for call, _ in unguarded_calls(table, apis):
        arg = argument_of(call, name)
        if arg is not None and isinstance(_value(model, call, name), (bool, int, str)):
            plans = turned_off(arg) if variant == "default" else ()
            yield Match(call, {"call": model.short(call.func)}, variant, plans=plans)


def _every(table: Table, apis: list[str]) -> list[cst.Call]:
    above = (table.model.parent(use.node) for use in table.uses({"api": apis}))
    return [call for call in above if isinstance(call, cst.Call)]


def argument_of(call: cst.Call, name: str) -> cst.Arg | None:
    """The first argument of a call, or the one of this name."""
    for number, arg in enumerate(call.args):
        if not arg.star and (number == 0 if arg.keyword is None else arg.keyword.value == name):
            return arg
    return None


def _value(model: ScriptModel, call: cst.Call, name: str) -> object:
    arg = argument_of(call, name)
    return constant(model, arg.value) if arg is not None else ...


def turned_off(arg: cst.Arg) -> tuple[Plan, ...]:
    """The plan that passes False."""
    change = Replace(arg.value, "False")
    return (Plan(Applicability.UNSAFE, "turn it off", (change,), "an error is then no longer traced back"),)


def history(table: Table) -> Iterator[Match]:
    """Recording of allocations without a limit, in a file that never stops it."""
    model = table.model
    every = _every(table, _HISTORY)
    if any(_value(model, call, "enabled") in _OFF for call in every):
        return
    for call, _ in unguarded_calls(table, _HISTORY):
        limited = any("max_entries" in name for name in keywords(call)) or any(arg.star for arg in call.args)
        if not limited and len([a for a in call.args if a.keyword is None]) < 4:
            yield Match(call.func, {"call": model.short(call.func)}, "history")
