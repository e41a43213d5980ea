"""MEM127: what a Lightning hook keeps of every batch on `self`, epoch after epoch."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Store
from memlint.analysis.fixes.plans import detach
from memlint.analysis.knowledge import libraries
from memlint.analysis.match import Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.containers import emptied_between_runs
from memlint.analysis.training.lightning import (
    ancestors,
    callback_classes,
    hook_classes,
)
from memlint.analysis.uses.tensor_uses import is_several
from memlint.analysis.values import Tensor, Value, options_of
from memlint.catalogue import Rule
from memlint.detect.retention.lightning_epoch_end import cleared_at_the_end, is_only_read_at_the_end
from memlint.detect.retention.lightning_keeps import has_graph, is_large, is_rare, is_tensor_for_sure
from memlint.detect.retention.lightning_stores import attribute_of, containers_of, hook_of, trains_one_epoch
from memlint.finding import Applicability


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Additions to containers on self, made in a hook that runs for every batch."""
    owners = [*hook_classes(model), *callback_classes(model)]
    filled = {id(owner): containers_of(model, owner) for owner in owners}
    seen: set[cst.CSTNode] = set()
    for store in [*model.trace.single_stores.values(), *model.trace.stores.values()]:
        hook = hook_of(store)
        if hook is None or store.node in seen or store.how != "store" or store.bounded is not None:
            continue
        owner = next((o for o in owners if o is model.class_of(hook)), None)
        name = attribute_of(store)
        if owner is None or name not in filled[id(owner)] or is_rare(model, store):
            continue
        seen.add(store.node)
        if not is_tensor_for_sure(model, store, hook):
            continue
        yield from _judge(model, store, hook, owner, name)


def _judge(
    model: ScriptModel, store: Store, hook: cst.FunctionDef, owner: cst.ClassDef, name: str
) -> Iterator[Match]:
    """The match for a list that a step of a LightningModule fills: with graphs, or never emptied."""
    graph = hook.name.value == "training_step" and store.grad == "on" and has_graph(model, store)
    emptied = emptied_between_runs(model, owner, name, ancestors(model, owner))
    if emptied and not graph:
        return
    values = {"list": f"self.{name}", "value": model.short(store.value_node), "hook": hook.name.value}
    if not graph:
        large = "large" if is_large(model, store) else "default"
        once = libraries.ONE_PASS_HOOK.match(hook.name.value) or trains_one_epoch(model)
        variant = "one-pass" if once else large
        yield Match(store.node, values, variant, plans=cleared_at_the_end(model, owner, name))
        return
    plans: tuple[Plan, ...] = ()
    if _is_tensor(store.value) and not is_several(model, store.value_node):
        detached = detach(model, store.value_node, safe=is_only_read_at_the_end(model, owner, name))
        plans = (detached,) if emptied else _both(detached, cleared_at_the_end(model, owner, name))
    yield Match(store.node, values, "graph-epoch" if emptied else "graph", plans=plans)


def _both(detached: Plan, cleared: tuple[Plan, ...]) -> tuple[Plan, ...]:
    title = "add `.detach()` and clear the list at the end of the epoch"
    return tuple(
        Plan(Applicability.UNSAFE, title, (*detached.changes, *plan.changes), plan.caution)
        for plan in cleared
    )


def _is_tensor(value: Value) -> bool:
    return all(isinstance(option, Tensor) and not option.opaque for option in options_of(value))
