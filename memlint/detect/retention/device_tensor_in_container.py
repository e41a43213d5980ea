"""MEM103: a container takes in tensors that stay on the accelerator, batch after batch."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.fixes.plans import with_method
from memlint.analysis.knowledge import hints
from memlint.analysis.match import Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.lifetimes.locality import stays_local
from memlint.analysis.training.loops import over_loader
from memlint.analysis.training.retained_values import (
    RetainedValue,
    held_on_gpu,
    is_small,
    readers,
    retained_values,
)
from memlint.analysis.uses.tensor_uses import is_several
from memlint.analysis.uses.writes_in_place import written_in_place
from memlint.analysis.values import Kind, Tensor
from memlint.catalogue import Rule
from memlint.detect.retention.container_use import (
    is_computed_with,
    is_joined,
    is_length,
    leaves_device,
)
from memlint.detect.retention.few_numbers import is_few
from memlint.detect.retention.gathered_for_callers import (
    is_for_callers,
    is_left_to_callers,
    is_result,
)
from memlint.detect.retention.lightning_stores import kept_until_epoch_ends
from memlint.detect.retention.moved_inputs import is_input
from memlint.detect.retention.stored_kinds import (
    is_block_of_a_tensor,
    is_differentiated_leaf,
    is_kept_for_itself,
    may_be_no_tensor,
)
from memlint.finding import Applicability
from memlint.syntax.tree import last_name


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Stores in loops over data whose value has no graph, and lies on an accelerator.

    Labels beside the outputs of the same loop are no finding of their own: who moves those moves both.
    """
    found = list(_found(model))
    yield from kept_until_epoch_ends(model)
    large = {id(retained.loop.node) for retained, match in found if match.variant != "small"}
    yield from (m for r, m in found if m.variant != "small" or id(r.loop.node) not in large)


def _found(model: ScriptModel) -> Iterator[tuple[RetainedValue, Match]]:
    for retained in retained_values(model):
        held = held_on_gpu(model, retained)
        if not held or any(t.kind is Kind.GRAPH for t in retained.tensors):
            continue
        store = retained.store
        few = hints.CLASSES.search(retained.loop.source) is not None or is_few(model, retained)
        large = [t for t in held if not (few or is_small(retained.store, t))]
        used = is_computed_with(model, retained) or is_left_to_callers(model, retained)
        variant = "small" if not large else "used" if used else "default"
        if variant == "default" and is_for_callers(model, retained):
            variant = "unmoved"
        if is_result(model, retained) or may_be_no_tensor(model, retained) or is_block_of_a_tensor(retained):
            continue
        apart = hints.OVER_NETWORKS.search(retained.loop.source) or is_kept_for_itself(model, retained)
        if apart or is_differentiated_leaf(model, retained) or is_input(model, retained):
            continue
        by_batch = over_loader(retained.loop) or "batch" in retained.loop.source.lower()
        turn = "batch" if by_batch else "iteration"
        shown = model.short(store.node) if isinstance(store.node, cst.BaseComp) else store.target
        values = {"container": shown, "value": model.short(store.value_node), "turn": turn}
        plans, notes = _fix(model, retained)
        causes = ((_cause(model, retained),),) if variant == "default" else ()
        yield retained, Match(store.node, values, variant, notes=notes, plans=plans, causes=causes)


def _cause(model: ScriptModel, retained: RetainedValue) -> cst.CSTNode:
    """The loop in which a store stands: who moves what one container takes in moves that of the others."""
    store, loop = retained.store.node, retained.loop.node
    return loop if model.function_of(store) is model.function_of(loop) else store


def _fix(model: ScriptModel, retained: RetainedValue) -> tuple[tuple[Plan, ...], tuple[str, ...]]:
    """`.cpu()` on the value where all that reads the container moves it there anyway; else a note why not."""
    store, value = retained.store, retained.store.value_node
    if refusal := _refusal(model, retained):
        return (), (f"no fix is offered: {refusal}",)
    safe = written_in_place(model, value, model.function_of(store.node) or model.module) != "yes"
    caution = "" if safe else "the value is written in place elsewhere: the copy does not change with it"
    applicability = Applicability.SAFE if safe else Applicability.UNSAFE
    moved = Replace(value, with_method(model, value, "cpu()"))
    return (Plan(applicability, "add `.cpu()`", (moved,), caution),), ()


def _refusal(model: ScriptModel, retained: RetainedValue) -> str:
    """Why `.cpu()` at the place of the store might break the script, "" where it cannot."""
    store, value = retained.store, retained.store.value_node
    if value is store.node or is_several(model, value) or store.product:
        return "what is stored is put together of several values"
    read = [r for r in readers(model, retained) if not is_length(model, r)]
    if not stays_local(model, store.node, store.target) or not read:
        return f"what reads `{store.target}` is not visible to memlint, and may need the tensors on the GPU"
    if not all(leaves_device(model, reader) for reader in read):
        return f"what is computed from `{store.target}` may need the tensors on the GPU"
    joined = any(is_joined(model, reader) for reader in read)
    if joined and isinstance(store.node, cst.Call) and last_name(store.node.func) == "append":
        return ""
    tensor = isinstance(store.value, Tensor) and (joined or not store.value.opaque)
    tensor = tensor and all(isinstance(m, Tensor) for m in retained.members)
    return "" if tensor else "nothing here shows that it is a tensor"
