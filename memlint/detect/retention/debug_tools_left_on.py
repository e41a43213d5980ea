"""MEM125: tools for finding errors that are on for the whole run."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.api import Table
from memlint.analysis.dataflow.constants import constant
from memlint.analysis.match import Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.catalogue import Rule
from memlint.detect.retention.training_blocks import inside_training, surrounds_training
from memlint.finding import Applicability
from memlint.syntax.arguments import keywords
from memlint.syntax.tree import is_main_guard

_ANOMALY = ["torch.autograd.set_detect_anomaly", "torch.autograd.anomaly_mode.set_detect_anomaly"]
_ANOMALY_BLOCK = ["torch.autograd.detect_anomaly", "torch.autograd.anomaly_mode.detect_anomaly"]
_TRAINERS = ["lightning.Trainer", "lightning.pytorch.Trainer", "pytorch_lightning.Trainer"]
_PROFILERS = [
    "torch.profiler.profile", "torch.profiler.profiler.profile", "torch.autograd.profiler.profile",
]  # fmt: skip
_HISTORY = ["torch.cuda.memory._record_memory_history", "torch.cuda._record_memory_history"]
_GRADCHECK = [
    "torch.autograd.gradcheck",
    "torch.autograd.gradgradcheck",
    "torch.autograd.gradcheck.gradcheck",
]
_SYNC = ["torch.cuda.set_sync_debug_mode"]
_OFF = (0, False, None, "default", "none")
_ON_PURPOSE = re.compile(
    r"(^|_)(debug|tests?|check|diagnos\w*|profil\w*|bench\w*|anomaly|nans?|trace|snapshot)(_|$)",
    re.IGNORECASE,
)


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Switches and contexts of debugging tools that no condition guards."""
    table = Table(model)
    yield from _switches(table, _ANOMALY, "mode", "default")
    yield from _switches(table, _SYNC, "debug_mode", "sync")
    for call, _ in _calls(table, _ANOMALY_BLOCK):
        # As a statement of its own the context is never entered: that is MEM202's finding.
        entered = not isinstance(model.parent(call), cst.Expr)
        if entered and (surrounds_training(model, call) or inside_training(model, call)):
            yield Match(call, {"call": model.short(call.func)})
    for call, _ in _calls(table, _TRAINERS):
        for arg in call.args:
            if "".join(model.code(arg).rstrip(", ").split()) == "detect_anomaly=True":
                yield Match(arg, {"call": "detect_anomaly=True"}, plans=_turned_off(arg))
    for call, _ in _calls(table, _PROFILERS):
        if _records_everything(model, call) and surrounds_training(model, call):
            yield Match(call.func, {"call": model.short(call.func)}, "profiler")
    yield from _history(table)
    for call, _ in _calls(table, _GRADCHECK):
        if inside_training(model, call):
            yield Match(call.func, {"call": model.short(call.func)}, "gradcheck")


def _calls(table: Table, apis: list[str]) -> Iterator[tuple[cst.Call, str]]:
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
        if isinstance(above, cst.FunctionDef) and _ON_PURPOSE.search(above.name.value):
            return True
    return False


# --- switches -----------------------------------------------------------------------------------------


def _switches(table: Table, apis: list[str], name: str, variant: str) -> Iterator[Match]:
    """Calls that turn something on with a constant, in a file that never turns it off."""
    model = table.model
    every = _every(table, apis)
    if any(_value(model, call, name) in _OFF for call in every):
        return
    for call, _ in _calls(table, apis):
        arg = _argument(call, name)
        if arg is not None and isinstance(_value(model, call, name), (bool, int, str)):
            plans = _turned_off(arg) if variant == "default" else ()
            yield Match(call, {"call": model.short(call.func)}, variant, plans=plans)


def _every(table: Table, apis: list[str]) -> list[cst.Call]:
    above = (table.model.parent(use.node) for use in table.uses({"api": apis}))
    return [call for call in above if isinstance(call, cst.Call)]


def _argument(call: cst.Call, name: str) -> cst.Arg | None:
    for number, arg in enumerate(call.args):
        if not arg.star and (number == 0 if arg.keyword is None else arg.keyword.value == name):
            return arg
    return None


def _value(model: ScriptModel, call: cst.Call, name: str) -> object:
    arg = _argument(call, name)
    return constant(model, arg.value) if arg is not None else ...


def _turned_off(arg: cst.Arg) -> tuple[Plan, ...]:
    change = Replace(arg.value, "False")
    return (Plan(Applicability.UNSAFE, "turn it off", (change,), "an error is then no longer traced back"),)


# --- recorders ----------------------------------------------------------------------------------------


def _records_everything(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a profiler runs all the time: no schedule, no flag that may turn it off."""
    if any(arg.star for arg in call.args) or "schedule" in keywords(call):
        return False
    flag = _argument(call, "enabled") if call.args and "autograd" in model.names.one(call.func) else None
    return flag is None or model.code(flag.value) == "True"


def _history(table: Table) -> Iterator[Match]:
    """Recording of allocations without a limit, in a file that never stops it."""
    model = table.model
    every = _every(table, _HISTORY)
    if any(_value(model, call, "enabled") in _OFF for call in every):
        return
    for call, _ in _calls(table, _HISTORY):
        limited = any("max_entries" in name for name in keywords(call)) or any(arg.star for arg in call.args)
        if not limited and len([a for a in call.args if a.keyword is None]) < 4:
            yield Match(call.func, {"call": model.short(call.func)}, "history")
