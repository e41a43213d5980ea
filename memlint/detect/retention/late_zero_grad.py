"""MEM122: the gradients of the last step live through the forward pass, to be cleared right after it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_order import in_one_iteration, program_point
from memlint.analysis.facts import Forward, Zero
from memlint.analysis.knowledge import naming
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.gradients import owners_of
from memlint.analysis.training.loops import in_training
from memlint.analysis.training.sizing.modules import language_model, parameter_count
from memlint.analysis.values import Ref, options_of
from memlint.catalogue import Rule
from memlint.detect.retention.gradient_needs import (
    drops_gradients,
    is_cleared_elsewhere,
    reads_gradients_between,
    same_path,
    steps_between,
)
from memlint.detect.retention.zero_grad_fix import LateZero, moved_before_forward

_LARGE = 50_000_000


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Zero between the forward and the backward of one iteration, with nothing that needs it there."""
    if model.imports("deepspeed") or (model.target_torch is not None and model.target_torch < (2, 0)):
        return
    seen: set[cst.CSTNode] = set()
    for zero in model.trace.zeros.values():
        found = _late(model, zero) if zero.node not in seen else None
        if found is None:
            continue
        seen.add(zero.node)
        size = _size(model, found)
        first = found.forwards[0]
        values = {"zero": model.short(zero.node), "forward": model.short(first.node), "size": size}
        label = Label(
            "this forward runs while the gradients of the step before are still allocated", first.node
        )
        moved = moved_before_forward(model, found)
        plans, reason = ((), moved) if isinstance(moved, str) else ((moved,), "")
        variant, causes = "large" if size else "default", ((zero.node,),)
        yield Match(zero.node, values, variant, (label,), (), plans, reason, causes=causes, holds=">=2.0")


def _late(model: ScriptModel, zero: Zero) -> LateZero | None:
    """The zero_grad with the forwards before it and the backward after; None where gradients are needed."""
    if not _sets_to_none(model, zero) or is_cleared_elsewhere(model, zero):
        return None
    after = [
        b
        for b in model.trace.backwards.values()
        if b.fills and b.loops == zero.loops and program_point(model, b) > program_point(model, zero)
    ]
    backward = min(after, key=lambda b: program_point(model, b), default=None)
    if backward is None or not in_training(model.trace, backward) or not same_path(model, zero, backward):
        return None
    reached = model.trace.ancestors(backward.ids)
    forwards = sorted(
        (
            f
            for f in model.trace.forwards.values()
            if f.ids & reached and not _only_compares(f)
            and in_one_iteration(zero, f) and len(f.loops) >= len(zero.loops)
            and program_point(model, f) < program_point(model, zero) and _is_owned(model, zero, f)
            and not reads_gradients_between(model, f, zero)
        ),
        key=lambda f: program_point(model, f),
    )  # fmt: skip
    if not forwards or steps_between(model, forwards[0], zero):
        return None
    return LateZero(zero, tuple(forwards), backward)


def _only_compares(forward: Forward) -> bool:
    """Whether a method of a network, known by its name only, takes the loss of what it is given."""
    modules = [o.obj for o in options_of(forward.module) if isinstance(o, Ref)]
    named = naming.loss_call(forward.code.rpartition(".")[2]) and "." in forward.code
    return named and all(module.by_name for module in modules)


def _sets_to_none(model: ScriptModel, zero: Zero) -> bool:
    node = zero.node
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return False
    return node.func.attr.value == "zero_grad" and drops_gradients(node)


def _is_owned(model: ScriptModel, zero: Zero, forward: Forward) -> bool:
    """Whether the gradients that are cleared belong to the module of a forward, as far as one can tell."""
    module = forward.module.obj if isinstance(forward.module, Ref) else None
    target = zero.target
    if target is None or module is None:
        return False
    if target.kind != "optimizer":
        return target is module or (target.by_name and module.by_name and target.name == module.name)
    owned = owners_of(model, target)
    if owned:
        return module.id in owned or any(model.trace.objects[n].by_name for n in owned)
    return len({s.optimizer.name or s.optimizer.id for s in model.trace.steps.values()}) <= 1


def _size(model: ScriptModel, found: LateZero) -> str:
    """What shows that the parameters with gradients are many; "" where nothing does."""
    if model.imports("peft"):
        return ""
    for forward in found.forwards:
        assert isinstance(forward.module, Ref)
        obj = forward.module.obj
        count = parameter_count(model, obj)
        if language_model(obj) or count >= _LARGE:
            return language_model(obj) or f"{count // 1_000_000} million parameters"
    return ""
