"""Networks that serve a loss: gradients pass through them, and are kept for their parameters as well."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.knowledge import hints
from memlint.analysis.match import InsertAfter, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.untrained_networks import Untrained, is_layer, passed_through
from memlint.analysis.values import Obj
from memlint.finding import Applicability
from memlint.records import dataclass
from memlint.syntax.arguments import keyword
from memlint.syntax.expressions import literal, place
from memlint.syntax.tree import last_name

_CAUTION = "the parameters of this network get no gradients any more"


@dataclass(frozen=True, slots=True)
class LossNetwork:
    """A network that no optimizer has, made by the statement `made` under the name `name`."""

    found: Untrained
    made: cst.CSTNode
    name: str

    def plan(self) -> Plan:
        """Freeze it right where it is made."""
        change = InsertAfter(self.made, f"{self.name}.requires_grad_(False)")
        return Plan(Applicability.UNSAFE, f"freeze `{self.name}`", (change,), _CAUTION)


def freezes_some(model: ScriptModel) -> bool:
    """Whether the file may freeze parameters somewhere. A tensor that is made without a gradient freezes
    nothing, nor does an image that is optimized and asks for its gradient."""
    if "requires_grad" not in model.text:
        return False
    calls = model.names.calls
    return (
        any(_freezes(model, call) for call in calls)
        or any(_sets(line) for line in model.names.every(cst.Assign))
        or any(p.name.value == "requires_grad" for p in model.names.every(cst.Param))
        or any("requires_grad" in text.value for text in model.names.every(cst.SimpleString))
    )


def _freezes(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a call may freeze: `net.requires_grad_(False)`, or `Vgg(requires_grad=False)` of a class."""
    if last_name(call.func) == "requires_grad_":
        return bool(call.args) and literal(call.args[0].value) is not True
    given = keyword(call, "requires_grad")
    return (
        given is not None and literal(given) is not True and not model.path_of(call.func).startswith("torch.")
    )


def _sets(line: cst.Assign) -> bool:
    named = any(last_name(target.target) == "requires_grad" for target in line.targets)
    return named and literal(line.value) is not True


def loss_networks(model: ScriptModel) -> Iterator[LossNetwork]:
    """The networks of a loss that nothing out of view may train, each once."""
    seen: set[int] = set()
    for found, obj in passed_through(model):
        made, name = _made(model, found, obj)
        if obj.id in seen or made is None or _goes_elsewhere(model, obj, name) or _only_measures(model, obj):
            continue
        seen.add(obj.id)
        yield LossNetwork(found, made, name)


def _only_measures(model: ScriptModel, obj: Obj) -> bool:
    """Whether all that a class is put together from are measures of other packages: terms of a loss that are
    called so, and not after a network in them."""
    calls = model.every(cst.Call, obj.cls.node) if obj.cls is not None else ()
    made = [(last_name(c.func), model.path_of(c.func)) for c in calls]
    parts = [name for name, path in made if name[:1].isupper() or is_layer(path)]
    return bool(parts) and all(hints.MEASURE_CLASS.search(name) for name in parts)


def _made(model: ScriptModel, found: Untrained, obj: Obj) -> tuple[cst.CSTNode | None, str]:
    """The assignment that makes a network, and its name, by which the forward calls it as well."""
    call = found.forward.node
    name = place(call.func) if isinstance(call, cst.Call) else ""
    line = model.statement_of(obj.node) if obj.node is not None and model.owns(obj.node) else None
    bound = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
    if not isinstance(bound, cst.Assign) or len(bound.targets) != 1 or not name:
        return None, ""
    return (line, name) if place(bound.targets[0].target) == name else (None, "")


def _goes_elsewhere(model: ScriptModel, obj: Obj, name: str) -> bool:
    """Whether code out of view, or a caller, gets the network and may train it."""
    given = (event.objects | event.reaches for event in model.trace.opaque_calls.values())
    returned = (found.value for found in model.names.every(cst.Return) if found.value is not None)
    return any(obj.id in objects for objects in given) or any(
        place(part) == name and not _is_run(model, part)
        for value in returned
        for part in model.walk(value)
        if isinstance(part, (cst.Name, cst.Attribute))
    )


def _is_run(model: ScriptModel, network: cst.CSTNode) -> bool:
    """Whether an expression for a network stands there to be called: what leaves then is what it computes."""
    above = model.parent(network)
    return isinstance(above, cst.Call) and above.func is network
