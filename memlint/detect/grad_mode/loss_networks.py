"""Networks that serve a loss: gradients pass through them, and are kept for their parameters as well."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.knowledge import hints
from memlint.analysis.match import InsertAfter, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.untrained_networks import Untrained, is_layer, layer_loop, passed_through
from memlint.analysis.values import Obj, Ref
from memlint.finding import Applicability
from memlint.records import dataclass
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
    called so, and not after a network in them. A number that it learns for each of them has no gradients to
    speak of."""
    calls = model.every(cst.Call, obj.cls.node) if obj.cls is not None else ()
    made = [(last_name(c.func), model.path_of(c.func)) for c in calls if not _is_learnt_number(c)]
    parts = [name for name, path in made if name[:1].isupper() or is_layer(path)]
    return bool(parts) and all(hints.MEASURE_CLASS.search(name) for name in parts)


def _is_learnt_number(call: cst.Call) -> bool:
    """Whether a call makes a parameter of one number: `nn.Parameter(torch.zeros(1))`."""
    given = call.args[0].value if last_name(call.func) == "Parameter" and call.args else None
    sizes = (
        [literal(arg.value) for arg in given.args if arg.keyword is None]
        if isinstance(given, cst.Call)
        else []
    )
    return len(sizes) == 1 and isinstance(sizes[0], (int, float)) and sizes[0] <= 1


def _made(model: ScriptModel, found: Untrained, obj: Obj) -> tuple[cst.CSTNode | None, str]:
    """The assignment that makes a network, and its name, by which the forward calls it as well."""
    call, layers = found.forward.node, layer_loop(found.forward)
    parts, names = [obj], {place(_whole(call.func))} if isinstance(call, cst.Call) else set()
    if layers is not None:
        # The layers of a loop are parts of what it goes through: `for name, layer in net.named_children()`.
        names = {place(n) for n in model.walk(layers.iter) if isinstance(n, (cst.Name, cst.Attribute))}
        while isinstance(whole := parts[-1].args.get("of"), Ref):
            parts.append(whole.obj)
    for part in parts:
        line = model.statement_of(part.node) if part.node is not None and model.owns(part.node) else None
        bound = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
        if isinstance(bound, cst.Assign) and len(bound.targets) == 1:
            name = place(bound.targets[0].target)
            if name and name in names:
                return line, name
    return None, ""


def _whole(network: cst.BaseExpression) -> cst.BaseExpression:
    """The network of which a slice or a layer is called: `net[:5](x)`."""
    while isinstance(network, cst.Subscript):
        network = network.value
    return network


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
    while isinstance(above, cst.Subscript):
        above = model.parent(above)
    return isinstance(above, cst.Call) and _whole(above.func) is network
