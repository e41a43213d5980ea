"""Modules that are cast to float64, and tensors that take over the dtype of an array."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_order import calls_of
from memlint.analysis.dataflow.guards import stands_behind
from memlint.analysis.interpret.devices import CPU_DEVICE
from memlint.analysis.knowledge import hints
from memlint.analysis.match import Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Const, External, Obj, Ref, Scalar, Value, options_of
from memlint.detect.precision.method_chains import chain_of
from memlint.syntax.arguments import keyword
from memlint.syntax.expressions import speaks_of
from memlint.syntax.tree import comments_above, last_name

DOUBLE = ("torch.float64", "torch.double", "torch.DoubleTensor", "torch.cuda.DoubleTensor")
CAUTION = "float32 rounds: results change"
_INPUTS = "a network in float64 gets its inputs in float64, and they have to be cast with it"


def double_modules(model: ScriptModel) -> Iterator[Match]:
    """Modules that the script makes float64 and never casts back."""
    undone = {o for called in calls_of(model, ".float", ".half") for o in _modules_in(called.owner)}
    for called in calls_of(model, ".double", ".to", ".type"):
        node = called.node
        given = (*called.args, *called.keywords.values())
        wanted = any(_is_float64(value) for value in given)
        if not isinstance(node, cst.Call) or not (called.path == ".double" or wanted):
            continue
        if any(v in (Const("cpu"), Scalar(CPU_DEVICE)) for v in given):
            continue  # the same call puts it on the CPU
        if _goes_with_an_input(model, node):
            continue
        owners = _modules_in(called.owner)
        if owners and undone.isdisjoint(owners):
            yield Match(node, {"call": model.short(node)}, no_fix=_INPUTS)


def _goes_with_an_input(model: ScriptModel, node: cst.Call) -> bool:
    """Whether a call takes a network in float64 and an input that it casts for it, `explain(net.double(),
    x.double())`: somebody wants the precision."""
    inside: cst.CSTNode = node
    for above in model.ancestors(node):
        if isinstance(above, cst.Call):
            others = (arg.value for arg in above.args if arg is not inside)
            if any(isinstance(other, cst.Call) and last_name(other.func) == "double" for other in others):
                return True
        elif isinstance(above, cst.BaseStatement):
            return False
        inside = above
    return False


def _is_float64(value: Value) -> bool:
    """Whether a value is float64 whichever way the script runs: among other dtypes it is one to choose."""
    options = options_of(value)
    return bool(options) and all(isinstance(o, External) and o.path in DOUBLE for o in options)


def _modules_in(owner: Value | None) -> list[Obj]:
    options = options_of(owner) if owner is not None else ()
    return [o.obj for o in options if isinstance(o, Ref) and o.obj.kind == "module"]


def is_asked_for(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a flag of the script chooses the precision, or a comment above says why it is this one."""
    if stands_behind(model, node, lambda test: speaks_of(test, hints.ASKS_FOR_PRECISION)):
        return True
    lines = (
        above for above in model.ancestors(node) if isinstance(above, (cst.SimpleStatementLine, cst.For))
    )
    return any(hints.EXPLAINS_PRECISION.search(text) for line in lines for text in comments_above(line))


def is_only_double(model: ScriptModel) -> bool:
    """Whether a file asks for float64 in one place, and torch makes all tensors that it computes with."""
    asked = len(re.findall(r"[dD]ouble|float64", model.text))
    bound = model.names.module_scope.imports.values()
    packages = {path.partition(".")[0] for paths in bound for path in paths}
    made_here = packages <= {"torch", *sys.stdlib_module_names} and not any(
        frame.entry and frame.caller is not None
        for forward in model.trace.forwards.values()
        for frame in forward.frame.chain()
    )
    return asked <= 1 and made_here and all(chain_of(model, made) == "cast" for made in from_arrays(model))


def from_arrays(model: ScriptModel) -> Iterator[cst.Call]:
    """Where tensors take over the dtype of an array, which may be float64."""
    for path in ("torch.from_numpy", "torch.tensor", "torch.as_tensor", "torch.asarray"):
        for node in model.names.references(path):
            call = model.parent(node)
            made = isinstance(call, cst.Call) and call.func is node and bool(call.args)
            if made and isinstance(call, cst.Call) and keyword(call, "dtype") is None:
                yield call
