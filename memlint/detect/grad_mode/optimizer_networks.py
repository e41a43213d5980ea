"""Which networks each of several optimizers trains, and whether a forward pass runs one of them."""

from __future__ import annotations

from memlint.analysis.dataflow.functions import method
from memlint.analysis.facts import Forward
from memlint.analysis.knowledge import naming
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.untrained_networks import inside, network
from memlint.analysis.values import Obj, Params


def owned_networks(model: ScriptModel) -> dict[Obj, frozenset[int]]:
    """The networks of every optimizer, of those for which they are known."""
    found = {}
    for obj in model.trace.objects.values():
        given = obj.args.get("#owners") if obj.kind == "optimizer" else None
        if isinstance(given, Params) and given.owners:
            found[obj] = inside(model, given.owners)
    return found or _named_pair(model)


def _named_pair(model: ScriptModel) -> dict[Obj, frozenset[int]]:
    """The networks of the two optimizers of a GAN that a snippet makes nowhere, by their names: `optimizerD`
    has `netD`."""
    objects = [o for o in model.trace.objects.values() if o.kind in ("optimizer", "module")]
    if not all(o.by_name for o in objects):
        return {}
    sides: dict[str, set[int]] = {}
    for module in (o for o in objects if o.kind == "module"):
        sides.setdefault(naming.side_of_gan(module.name), set()).add(module.id)
    optimizers = {o: naming.side_of_gan(o.name) for o in objects if o.kind == "optimizer"}
    return {o: frozenset(sides[side]) for o, side in optimizers.items() if side and side in sides}


def runs_one_of(model: ScriptModel, forward: Forward, owners: frozenset[int]) -> bool:
    """Whether a forward pass runs one of these networks, or one whose own `forward` runs nothing but them."""
    obj = network(forward)
    if obj is None:
        return False
    if obj.id in owners:
        return True
    parts = _run_by(model, obj)
    return bool(parts) and parts <= owners


def _run_by(model: ScriptModel, obj: Obj) -> frozenset[int]:
    """The networks that the `forward` of a class runs, by their numbers; none where one is not known."""
    forward = method(model, obj.cls.node, "forward") if obj.cls is not None else None
    if forward is None:
        return frozenset()
    calls = [f for f in model.trace.forwards.values() if model.function_of(f.node) is forward]
    found = [network(f) for f in calls]
    return frozenset(n.id for n in found if n is not None) if None not in found else frozenset()
