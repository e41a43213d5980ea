"""MEM804: an optimizer whose step makes temporaries as large as the parameters."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.fixes.rewrites import with_last
from memlint.analysis.knowledge import libraries
from memlint.analysis.match import Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hardware.devices import may_use_cuda
from memlint.analysis.training.tests_in_code import stands_in_unit_test
from memlint.analysis.values import Const, Obj
from memlint.catalogue import Rule
from memlint.finding import Applicability
from memlint.syntax.arguments import argument, keywords
from memlint.syntax.expressions import literal

_DECIDED = frozenset({"fused", "foreach", "differentiable", "capturable"})
_DECAY = ("SGD", 4)
"""SGD makes a temporary for the decay of the weights alone: its fifth parameter, 0 by default."""

# Frameworks that step the optimizer themselves, and not all of them take a fused one.
_STEPPED_ELSEWHERE = (
    "lightning", "pytorch_lightning", "lightning_fabric", "apex", "deepspeed", "opacus", "torch_xla",
)  # fmt: skip
_COMPLEX = frozenset("cfloat cdouble chalf complex32 complex64 complex128".split())
_SPARSE = frozenset({"sparse", "SparseAdam", "is_sparse"})

_FUSED_CAUTION = "one kernel computes the same but for the last bits; it takes no sparse gradients"
_LOOP_CAUTION = "the step launches several kernels for each parameter, which takes longer"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Optimizers of torch that a training on a GPU steps, and that were given no implementation."""
    if not may_use_cuda(model) or model.imports(*_STEPPED_ELSEWHERE) or model.identifiers & _COMPLEX:
        return
    stepped = {step.optimizer.id for step in model.trace.steps.values()}
    told: set[cst.Call] = set()  # `(Adam if fast else Rprop)(...)` makes an object of either
    for obj in model.trace.objects.values():
        call = obj.node
        if obj.id not in stepped or obj.by_name or not isinstance(call, cst.Call) or not model.owns(call):
            continue
        name = libraries.multi_tensor(obj.path)
        if call in told or not name or stands_in_unit_test(model, call):
            continue
        if _makes_temporaries(name, obj, call):
            told.add(call)
            plan = _plan(model, name, call) if _is_surely(model, call, name) else None
            yield Match(call, {"optimizer": name}, plans=(plan,) if plan is not None else ())


def _is_surely(model: ScriptModel, call: cst.Call, name: str) -> bool:
    """Whether a call makes an optimizer of this class and of no other, as one that a caller chooses may."""
    return all(
        source.kind == "value" and libraries.multi_tensor(model.path_of(source.node)) == name
        for source in value_sources(model, call.func)
    )


def _makes_temporaries(name: str, obj: Obj, call: cst.Call) -> bool:
    """Whether the implementation is left to torch, and the default one is not in place."""
    if not call.args or any(arg.star for arg in call.args) or keywords(call) & _DECIDED:
        return False
    if name != _DECAY[0]:
        return True
    decay = argument(call, _DECAY[1], "weight_decay")
    known = obj.args.get("weight_decay", obj.args.get(str(_DECAY[1])))
    return decay is not None and literal(decay) != 0 and not (isinstance(known, Const) and not known.value)


def _plan(model: ScriptModel, name: str, call: cst.Call) -> Plan | None:
    """A fused kernel where torch has one, else one parameter after the other."""
    if name in libraries.FUSED_OPTIMIZERS:
        if model.identifiers & _SPARSE:
            return None
        change = with_last(model, call, "fused=True")
        return Plan(Applicability.UNSAFE, "add `fused=True`", (change,), _FUSED_CAUTION, needs="2.4")
    change = with_last(model, call, "foreach=False")
    return Plan(Applicability.UNSAFE, "add `foreach=False`", (change,), _LOOP_CAUTION)
