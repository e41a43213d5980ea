"""Modules that are cast to float64, and tensors that take over the dtype of an array."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_order import calls_of
from memlint.analysis.match import Change, Match, Plan, Remove, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import External, Obj, Ref, Value, options_of
from memlint.detect.precision.method_chains import chain_of
from memlint.finding import Applicability
from memlint.syntax.arguments import keyword

DOUBLE = ("torch.float64", "torch.double", "torch.DoubleTensor", "torch.cuda.DoubleTensor")
CAUTION = "float32 rounds: results change"


def double_modules(model: ScriptModel) -> Iterator[Match]:
    """Modules that the script makes float64 and never casts back."""
    undone = {o for called in calls_of(model, ".float", ".half") for o in _modules_in(called.owner)}
    for called in calls_of(model, ".double", ".to", ".type"):
        node = called.node
        given = (*called.args, *called.keywords.values())
        wanted = any(isinstance(o, External) and o.path in DOUBLE for v in given for o in options_of(v))
        if not isinstance(node, cst.Call) or not (called.path == ".double" or wanted):
            continue
        owners = _modules_in(called.owner)
        if owners and undone.isdisjoint(owners):
            plans = _without_double(model, node) if called.path == ".double" else ()
            yield Match(node, {"call": model.short(node)}, plans=plans)


def _modules_in(owner: Value | None) -> list[Obj]:
    options = options_of(owner) if owner is not None else ()
    return [o.obj for o in options if isinstance(o, Ref) and o.obj.kind == "module"]


def _without_double(model: ScriptModel, call: cst.Call) -> tuple[Plan, ...]:
    """Drop the cast, where the inputs are not cast to match."""
    if not isinstance(call.func, cst.Attribute) or not is_only_double(model):
        return ()
    line = model.statement_of(call)
    change: Change = Replace(call, model.code(call.func.value))
    if (
        isinstance(model.parent(call), cst.Expr)
        and line is not None
        and not isinstance(call.func.value, cst.Call)
    ):
        change = Remove(line)
    return (Plan(Applicability.UNSAFE, "leave the parameters in float32", (change,), CAUTION),)


def is_only_double(model: ScriptModel) -> bool:
    """Whether the file asks for float64 in one place, and casts what it makes of arrays."""
    asked = len(re.findall(r"[dD]ouble|float64", model.text))
    return asked <= 1 and all(chain_of(model, made) == "cast" for made in from_arrays(model))


def from_arrays(model: ScriptModel) -> Iterator[cst.Call]:
    """Where tensors take over the dtype of an array, which may be float64."""
    for path in ("torch.from_numpy", "torch.tensor", "torch.as_tensor", "torch.asarray"):
        for node in model.names.references(path):
            call = model.parent(node)
            made = isinstance(call, cst.Call) and call.func is node and bool(call.args)
            if made and isinstance(call, cst.Call) and keyword(call, "dtype") is None:
                yield call
