"""MEM606: what is gathered from all processes is kept on every GPU, batch after batch."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Called
from memlint.analysis.fixes.plans import with_method
from memlint.analysis.interpret.contents import tensors_in
from memlint.analysis.match import Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.retained_values import RetainedValue, is_small, on_gpu, retained_values
from memlint.analysis.traits import Trait
from memlint.analysis.uses.device_uses import may_need_device
from memlint.analysis.uses.host_moves import reads_of_container
from memlint.analysis.values import Tensor
from memlint.catalogue import Rule
from memlint.finding import Applicability
from memlint.syntax.tree import last_name

_OBJECTS = ("torch.distributed.all_gather_object", "torch.distributed.gather_object")


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Stores of gathered tensors in evaluation loops, and GPU tensors sent as Python objects."""
    for retained in retained_values(model):
        if _keeps_gathered(model, retained):
            store = retained.store
            shown = model.short(store.node) if isinstance(store.node, cst.BaseComp) else store.target
            values = {"container": shown, "value": model.short(store.value_node)}
            plans, reason = _plans(model, retained)
            yield Match(store.node, values, plans=plans, no_fix=reason)
    seen: set[cst.CSTNode] = set()
    for event in model.trace.calls.values():
        call = event.node
        if event.path not in _OBJECTS or call in seen or not isinstance(call, cst.Call):
            continue
        if _sends_gpu(model, event) and not _is_parameter(model, call.args[1].value):
            seen.add(call)
            yield Match(call, {"value": model.short(call.args[1].value), "container": ""}, "object")


def _keeps_gathered(model: ScriptModel, retained: RetainedValue) -> bool:
    if any(retained.loop in b.loops for b in model.trace.backwards.values()):
        return False
    return any(
        Trait.GATHERED in m.traits
        and Trait.SCALAR not in m.traits
        and Trait.CPU not in m.traits
        and not is_small(retained.store, m)
        for m in retained.members
    )


def _sends_gpu(model: ScriptModel, event: Called) -> bool:
    sent = tensors_in(model.machine, event.args[1]) if len(event.args) > 1 else []
    return any(isinstance(t, Tensor) and on_gpu(t) and Trait.SCALAR not in t.traits for t in sent)


def _is_parameter(model: ScriptModel, value: cst.BaseExpression) -> bool:
    """Whether a value is whatever the function was called with: a wrapper knows nothing of it."""
    function = model.function_of(value)
    names = {p.name.value for p in function.params.params} if function is not None else set()
    return isinstance(value, cst.Name) and value.value in names


def _plans(model: ScriptModel, retained: RetainedValue) -> tuple[tuple[Plan, ...], str]:
    """`.cpu()` on a single tensor that is stored as it is; else why not."""
    store, value = retained.store, retained.store.value_node
    if value is store.node or not isinstance(store.value, Tensor):
        return (), ""
    if isinstance(value, (cst.Dict, cst.Tuple, cst.List)) or store.product:
        return (), ""
    given = model.parent(value)
    call = model.parent(given) if isinstance(given, cst.Arg) else None
    if isinstance(call, cst.Call) and last_name(call.func) == "extend":
        return (), ""  # what is stored are the members of the value, which is a list itself
    if may_need_device(model, reads_of_container(model, store.target, store.node)):
        return (), f"what is computed from `{store.target}` may need the tensors on the GPU"
    plan = Plan(
        Applicability.UNSAFE,
        "add `.cpu()`",
        (Replace(value, with_method(model, value, "cpu()")),),
        "what reads the container then gets CPU tensors, and every `.cpu()` waits for the GPU",
    )
    return (plan,), ""
