"""What the hooks of Lightning store on `self`: in which hook, and in which list."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Store
from memlint.analysis.interpret.contents import tensors_in
from memlint.analysis.knowledge.libraries import BATCH_HOOK
from memlint.analysis.match import Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.containers import emptied_between_runs
from memlint.analysis.training.lifetimes.locality import started_empty
from memlint.analysis.training.lightning import ancestors, hook_classes
from memlint.analysis.training.retained_values import is_small
from memlint.analysis.traits import Trait
from memlint.analysis.uses.host_moves import moved_to_host
from memlint.analysis.values import Kind, Tensor
from memlint.detect.retention.lightning_keeps import is_rare
from memlint.syntax.arguments import keyword
from memlint.syntax.expressions import is_text, literal

_SELF = "self."
_LITTLE = Trait.CPU | Trait.SCALAR | Trait.FEW | Trait.BATCH | Trait.MEMBER


def hook_of(store: Store) -> cst.FunctionDef | None:
    """The hook that runs for every batch and in which something was kept, perhaps by a helper."""
    for frame in store.frame.chain():
        node = frame.node
        if isinstance(node, cst.FunctionDef) and BATCH_HOOK.match(node.name.value):
            return node
    return None


def attribute_of(store: Store) -> str:
    """The `name` of the `self.name` or `self.name[key]` that a store fills."""
    shown = store.target
    return re.split(r"[.\[]", shown.removeprefix(_SELF))[0] if shown.startswith(_SELF) else ""


def containers_of(model: ScriptModel, owner: cst.ClassDef) -> set[str]:
    """The names of the lists and dictionaries that a class, or one above it, starts empty."""
    return set().union(*(started_empty(model, cls) for cls in (owner, *ancestors(model, owner))))


def trains_one_epoch(model: ScriptModel) -> bool:
    """Whether the file tells the trainer to train for one epoch: `max_epochs=1`, `{"max_epochs": 1}`."""
    given = [keyword(call, "max_epochs") for call in model.names.calls]
    pairs = [e for e in model.names.every(cst.DictElement) if is_text(e.key, "max_epochs")]
    values = [value for value in (*given, *(pair.value for pair in pairs)) if value is not None]
    return bool(values) and all(literal(value) == 1 for value in values)


def kept_until_epoch_ends(model: ScriptModel) -> Iterator[Match]:
    """Stores of whole outputs, without a graph, in a list that the end of the epoch empties.

    Until then they are on the device, and what reads the list moves them to the host.
    """
    if any(is_text(named, "cpu") for call in model.names.calls if (named := keyword(call, "accelerator"))):
        return
    owners = hook_classes(model)
    for store in model.trace.single_stores.values():
        hook, name = hook_of(store), attribute_of(store)
        owner = next((o for o in owners if hook is not None and o is model.class_of(hook)), None)
        if hook is None or owner is None or store.how != "store" or store.bounded is not None:
            continue
        if not _holds_outputs(model, store, hook) or is_rare(model, store):
            continue
        emptied = emptied_between_runs(model, owner, name, ancestors(model, owner))
        if emptied and moved_to_host(model, store.target, store.node):
            values = {"container": store.target, "value": model.short(store.value_node), "turn": "batch"}
            note = f"no fix is offered: what reads `{store.target}` at the epoch's end may need the GPU"
            yield Match(store.node, values, "default", notes=(note,))


def _holds_outputs(model: ScriptModel, store: Store, hook: cst.FunctionDef) -> bool:
    """Whether what is kept is, or has, a whole tensor without a graph: a trainer evaluates without any."""
    kinds = {Kind.DETACHED} if hook.name.value == "training_step" else {Kind.DETACHED, Kind.GRAPH}
    tensors = [m for m in tensors_in(model.machine, store.value) if isinstance(m, Tensor)]
    large = [m for m in tensors if m.kind in kinds and not m.traits & _LITTLE]
    return any(not is_small(store, m) for m in large)
