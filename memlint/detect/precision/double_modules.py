"""Modules that are cast to float64, and tensors that take over the dtype of an array."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_order import calls_of
from memlint.analysis.interpret.devices import CPU_DEVICE
from memlint.analysis.match import Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Const, Scalar
from memlint.detect.precision.method_chains import chain_of
from memlint.detect.precision.wanted_precision import asks_again, casts_inputs, is_float64, modules_in
from memlint.syntax.arguments import keyword
from memlint.syntax.tree import last_name

CAUTION = "float32 rounds: results change"
_INPUTS = "a network in float64 gets its inputs in float64, and they have to be cast with it"


def double_modules(model: ScriptModel) -> Iterator[Match]:
    """Modules that the script makes float64 and never casts back: one decision, which the first one shows."""
    cause: cst.CSTNode | None = None
    undone = {o for called in calls_of(model, ".float", ".half") for o in modules_in(called.owner)}
    for called in calls_of(model, ".double", ".to", ".type"):
        node = called.node
        given = (*called.args, *called.keywords.values())
        wanted = any(is_float64(value) for value in given)
        if not isinstance(node, cst.Call) or not (called.path == ".double" or wanted):
            continue
        if any(v in (Const("cpu"), Scalar(CPU_DEVICE)) for v in given):
            continue  # the same call puts it on the CPU
        if _goes_with_an_input(model, node):
            continue
        owners = modules_in(called.owner)
        if owners and undone.isdisjoint(owners):
            variant = "asked" if casts_inputs(model) else "default"
            cause = cause or node
            yield Match(node, {"call": model.short(node)}, variant, no_fix=_INPUTS, causes=((cause,),))


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


def is_only_double(model: ScriptModel) -> bool:
    """Whether a file asks for float64 in one place, and torch makes all tensors that it computes with."""
    bound = model.names.module_scope.imports.values()
    packages = {path.partition(".")[0] for paths in bound for path in paths}
    made_here = packages <= {"torch", *sys.stdlib_module_names} and not any(
        frame.entry and frame.caller is not None
        for forward in model.trace.forwards.values()
        for frame in forward.frame.chain()
    )
    cast = all(chain_of(model, made) == "cast" for made in from_arrays(model))
    return cast and made_here and not asks_again(model)


def from_arrays(model: ScriptModel) -> Iterator[cst.Call]:
    """Where tensors take over the dtype of an array, which may be float64."""
    for path in ("torch.from_numpy", "torch.tensor", "torch.as_tensor", "torch.asarray"):
        for node in model.names.references(path):
            call = model.parent(node)
            made = isinstance(call, cst.Call) and call.func is node and bool(call.args)
            if made and isinstance(call, cst.Call) and keyword(call, "dtype") is None:
                yield call
