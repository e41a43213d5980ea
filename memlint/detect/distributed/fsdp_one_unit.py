"""MEM605: FSDP around the whole model as one unit, which gathers all parameters at once."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_order import calls_of
from memlint.analysis.dataflow.guards import never_runs
from memlint.analysis.knowledge import hints
from memlint.analysis.match import Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.sizing.modules import parameter_count
from memlint.analysis.training.tests_in_code import stands_in_unit_test
from memlint.analysis.values import Ref, options_of
from memlint.catalogue import Rule
from memlint.syntax.arguments import argument
from memlint.syntax.expressions import literal, mentions, place
from memlint.syntax.tree import last_name

_FSDP = "torch.distributed.fsdp"
_WRAPPERS = (
    f"{_FSDP}.FullyShardedDataParallel",
    f"{_FSDP}.fully_sharded_data_parallel.FullyShardedDataParallel",
)
_FUNCTIONS = (f"{_FSDP}.fully_shard", "torch.distributed._composable.fsdp.fully_shard")
_LOOPS = (cst.For, cst.While, cst.BaseComp, cst.Lambda)
_POLICY = 4
"""The position of `auto_wrap_policy` among the arguments of FullyShardedDataParallel."""

_SMALL = 20_000_000
"""Parameters (80 MB in float32) that may well be gathered together."""


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Calls of FSDP with the whole model, in files that give no part of a model a unit of its own."""
    calls = {
        call: path in _FUNCTIONS
        for path in (*_WRAPPERS, *_FUNCTIONS)
        for node in model.names.references(path)
        if isinstance(call := model.parent(node), cst.Call) and call.func is node and call.args
    }
    if any(model.names.references(f"{_FSDP}.wrap.{name}") for name in ("wrap", "enable_wrap")):
        return
    if not calls or any(_is_of_part(model, call) for call in calls):
        return
    for call, function in calls.items():
        whole = not _may_have_policy(model, call) and not _is_small(model, call)
        if whole and not never_runs(model, call) and not stands_in_unit_test(model, call):
            values = {"call": model.short(call.func), "model": model.short(call.args[0].value)}
            yield Match(call, values, "function" if function else "default")


def _is_of_part(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a call wraps a part of a model: in a loop over blocks, or an attribute of another object."""
    given = call.args[0].value
    part = isinstance(given, cst.Subscript) or place(given).removeprefix("self.").count(".") > 0
    within = any(isinstance(above, _LOOPS) for above in model.ancestors(call))
    nested = any(isinstance(above, cst.Arg) for above in model.ancestors(call))
    owner = model.function_of(call)
    builds = owner is not None and mentions(owner, "super") and owner.name.value == "__init__"
    if part or within or nested or builds:
        return True
    return _is_of_an_applier(model, given, owner) or _follows(model, call)


def _follows(model: ScriptModel, call: cst.Call) -> bool:
    """Whether the same function calls something above that shards, by its name, a method of the model or
    code that gets the model: that may well give the parts units of their own."""
    given, here = place(call.args[0].value), model.function_of(call)
    for other in model.names.calls:
        name = last_name(other.func)
        if not hints.SHARDS.search(name) or model.positions[other] >= model.positions[call]:
            continue
        owner = [other.func.value] if isinstance(other.func, cst.Attribute) else []
        places = [place(part) for part in (*owner, *(arg.value for arg in other.args))]
        if model.function_of(other) is here and any(_is_within(each, given) for each in places):
            return True
    return False


def _is_within(inner: str, whole: str) -> bool:
    return bool(whole) and (inner == whole or inner.startswith(f"{whole}."))


def _is_of_an_applier(model: ScriptModel, given: cst.BaseExpression, owner: cst.FunctionDef | None) -> bool:
    """Whether an inner function wraps what it is given, and is handed to code that may call it for parts."""
    if owner is None or not isinstance(given, cst.Name) or given.value not in model.names_in(owner.params):
        return False
    inner = any(isinstance(above, cst.FunctionDef) for above in model.ancestors(owner))
    handed = (arg.value for call in model.names.calls for arg in call.args)
    return inner and any(isinstance(x, cst.Name) and x.value == owner.name.value for x in handed)


def _may_have_policy(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a policy is passed, or may be in what is not written out."""
    if any(arg.star for arg in call.args):
        return True
    policy = argument(call, _POLICY, "auto_wrap_policy")
    return policy is not None and literal(policy) is not None


def _is_small(model: ScriptModel, call: cst.Call) -> bool:
    """Whether all that is known of the size of a model says that it is small."""
    events = [e for e in calls_of(model, *_WRAPPERS, *_FUNCTIONS) if e.node is call and e.args]
    objects = [o.obj for e in events for o in options_of(e.args[0]) if isinstance(o, Ref)]
    counts = [parameter_count(model, obj) for obj in objects]
    return any(0 < count < _SMALL for count in counts)
