"""MEM125: tools for finding errors that are on for the whole run."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.api import Table
from memlint.analysis.match import Match
from memlint.analysis.model import ScriptModel
from memlint.catalogue import Rule
from memlint.detect.retention.debug_switches import (
    argument_of,
    history,
    switches,
    turned_off,
    unguarded_calls,
)
from memlint.detect.retention.training_blocks import inside_training, surrounds_training
from memlint.syntax.arguments import keywords
from memlint.syntax.expressions import literal

_ANOMALY = ["torch.autograd.set_detect_anomaly", "torch.autograd.anomaly_mode.set_detect_anomaly"]
_ANOMALY_BLOCK = ["torch.autograd.detect_anomaly", "torch.autograd.anomaly_mode.detect_anomaly"]
_TRAINERS = ["lightning.Trainer", "lightning.pytorch.Trainer", "pytorch_lightning.Trainer"]
_PROFILERS = [
    "torch.profiler.profile", "torch.profiler.profiler.profile", "torch.autograd.profiler.profile",
]  # fmt: skip
_GRADCHECK = [
    "torch.autograd.gradcheck",
    "torch.autograd.gradgradcheck",
    "torch.autograd.gradcheck.gradcheck",
]
_SYNC = ["torch.cuda.set_sync_debug_mode"]


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Switches and contexts of debugging tools that no condition guards."""
    table = Table(model)
    checks = {model.function_of(call) for call, _ in unguarded_calls(table, _GRADCHECK)}
    for match in switches(table, _ANOMALY, "mode", "default"):
        if model.function_of(match.node) not in checks:  # a check of gradients is no run
            yield match
    yield from switches(table, _SYNC, "debug_mode", "sync")
    for call, _ in unguarded_calls(table, _ANOMALY_BLOCK):
        # As a statement of its own the context is never entered: that is MEM202's finding.
        entered = not isinstance(model.parent(call), cst.Expr)
        if entered and (surrounds_training(model, call) or inside_training(model, call)):
            yield Match(call, {"call": model.short(call.func)})
    for call, _ in unguarded_calls(table, _TRAINERS):
        for arg in call.args:
            if arg.keyword and arg.keyword.value == "detect_anomaly" and literal(arg.value) is True:
                yield Match(arg, {"call": "detect_anomaly=True"}, plans=turned_off(arg))
    for call, _ in unguarded_calls(table, _PROFILERS):
        if _records_everything(model, call) and surrounds_training(model, call):
            yield Match(call.func, {"call": model.short(call.func)}, "profiler")
    yield from history(table)
    for call, _ in unguarded_calls(table, _GRADCHECK):
        if inside_training(model, call):
            yield Match(call.func, {"call": model.short(call.func)}, "gradcheck")


# --- recorders ----------------------------------------------------------------------------------------


def _records_everything(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a profiler runs all the time: no schedule, no flag that may turn it off."""
    if any(arg.star for arg in call.args) or "schedule" in keywords(call):
        return False
    flag = argument_of(call, "enabled") if call.args and "autograd" in model.names.one(call.func) else None
    return flag is None or literal(flag.value) is True
