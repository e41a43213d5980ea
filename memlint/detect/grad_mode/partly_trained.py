"""Networks of which an optimizer has only a part."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Forward, Step
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.untrained_networks import (
    first_in_turns,
    has_parameters,
    inside,
    is_layer,
    network,
    optimized,
    turn_of,
)
from memlint.analysis.values import Obj, Ref, options_of
from memlint.records import dataclass
from memlint.syntax.expressions import mentions
from memlint.syntax.tree import dotted

FREEZES = re.compile(r"\brequires_grad\s*=[^=]|requires_grad_\(|requires_grad['\"]")


@dataclass(frozen=True, slots=True)
class Partial:
    """A forward of the module `whole`, of which `step` trains only the members `trained`."""

    forward: Forward
    step: Step
    whole: Obj
    trained: tuple[str, ...]


def partly_trained(model: ScriptModel) -> Iterator[Partial]:
    """The forwards of modules of which the optimizers of the file get only some members."""
    owners, complete = optimized(model)
    if not complete:
        return
    parts, beside = _with_contents(model, owners), first_in_turns(model.trace.steps.values())
    for forward in model.trace.forwards.values():
        whole = network(forward)
        if whole is None or whole.by_name or whole.id in parts:
            continue
        if forward.grad != "on" or not forward.recorded:
            continue
        step = beside.get(turn_of(forward))
        trained = _trained_members(model, whole, parts)
        if step is not None and trained and _leaves_some(model, whole, trained, parts):
            yield Partial(forward, step, whole, trained)


def _with_contents(model: ScriptModel, owners: frozenset[int]) -> frozenset[int]:
    """These modules and what they hold, but not what they are parts of."""
    found = set(owners)
    for number in owners:
        obj = model.trace.objects[number]
        if "of" not in obj.args:
            found |= inside(model, [number])
    return frozenset(found)


def _trained_members(model: ScriptModel, whole: Obj, parts: frozenset[int]) -> tuple[str, ...]:
    """The attributes of a network whose parameters an optimizer has."""
    held = [name[1:] for name, value in _modules_of(model, whole) if value.id in parts]
    read = [obj.name for n in parts if _is_part(obj := model.trace.objects[n], whole) and obj.name]
    return tuple(sorted({*held, *read}))


def _is_part(obj: Obj, whole: Obj) -> bool:
    owner = obj.args.get("of")
    return isinstance(owner, Ref) and owner.obj is whole


def _modules_of(model: ScriptModel, whole: Obj) -> list[tuple[str, Obj]]:
    held = [(n, o) for n, v in model.machine.entries(whole) if n[0] == "." for o in options_of(v)]
    if whole.path.endswith(".Sequential"):
        held += [(f".{n}", v) for n, v in whole.args.items() if n.isdecimal()]
    return [(n, o.obj) for n, o in held if isinstance(o, Ref) and o.obj.kind == "module"]


def _leaves_some(model: ScriptModel, whole: Obj, trained: tuple[str, ...], parts: frozenset[int]) -> bool:
    """Whether parameters of the network are surely in no optimizer, and its own code cuts nothing off."""
    if whole.cls is None and not whole.path.endswith(".Sequential"):
        heads = all(hints.HEAD_MODULE.match(name) for name in trained)
        return bool(whole.path) and heads and not whole.path.startswith("torch.nn.")
    if whole.cls is not None and mentions(whole.cls.node, "no_grad", "detach", "detach_", "inference_mode"):
        return False
    found = whole.cls.find("__init__") if whole.cls is not None else None
    if whole.cls is not None and found is not None and found[1].cross_module:
        # The run does not enter the constructors of other files: what they assign is read off the code.
        freezes = mentions(whole.cls.node, "requires_grad", "requires_grad_")
        return not freezes and any(n not in trained for n in _layers_of(model, found[0]))
    return any(
        value.id not in parts and name[1:] not in trained and has_parameters(model, value)
        for name, value in _modules_of(model, whole)
    )


def _layers_of(model: ScriptModel, constructor: cst.FunctionDef) -> set[str]:
    """The attributes to which a constructor assigns something with parameters."""
    assigned = (n for n in model.walk(constructor) if isinstance(n, cst.Assign))
    return {
        dotted(target.target).removeprefix("self.")
        for n in assigned
        for target in n.targets
        if dotted(target.target).startswith("self.") and _makes_layers(model, n.value)
    }


def _makes_layers(model: ScriptModel, value: cst.BaseExpression) -> bool:
    calls = (n for n in model.walk(value) if isinstance(n, cst.Call))
    return any(is_layer(model.path_of(call.func)) for call in calls)
