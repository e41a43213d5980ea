"""MEM104: a view of a part is stored, and with it the whole tensor that it was cut from."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Part
from memlint.analysis.fixes.plans import with_method
from memlint.analysis.match import Label, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.retained_values import RetainedValue, retained_values
from memlint.analysis.training.views import is_all_of_it, is_cut, is_of_many, is_small_part
from memlint.analysis.traits import Trait
from memlint.analysis.uses.layouts import layout_is_free
from memlint.analysis.uses.tensor_uses import is_several
from memlint.analysis.uses.writes_in_place import written_in_place
from memlint.analysis.values import Kind, Tensor
from memlint.catalogue import Rule
from memlint.finding import Applicability
from memlint.syntax.expressions import calls_one, place, same
from memlint.syntax.tree import leftmost

_OF_STORAGE = frozenset(
    "_base _is_view as_strided data_ptr is_contiguous is_set_to storage storage_offset stride "
    "untyped_storage".split()
)

_ORDER = "the copy lies differently in memory: what sums over it may differ in the last digit"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Stores in loops over data of views whose base would otherwise be freed with its iteration."""
    for retained in retained_values(model, forwards=True):
        part = _pinned(model, retained)
        if part is None or _stored_whole(model, part, retained):
            continue
        if is_all_of_it(model, part, retained.loop.node):
            continue
        store = retained.store
        labels = (Label("the view is made here", part.node),) if not _is_inside(model, part, retained) else ()
        yield Match(
            store.node,
            {
                "container": model.short(store.node)
                if isinstance(store.node, cst.BaseComp)
                else store.target,
                "view": model.short(part.node),
                "base": model.short(part.base),
            },
            "default" if is_of_many(model, part) else "unsized",
            labels=labels,
            plans=_plans(model, retained, part),
        )


def _pinned(model: ScriptModel, retained: RetainedValue) -> Part | None:
    """The selection that one of the stored tensors is a view of; None when it is worth nothing."""
    if retained.store.product:
        return None  # `acc = torch.cat([acc, v])` copies
    for tensor in retained.tensors:
        for number in tensor.parts:
            part = model.trace.parts.get(number)
            rows = part is not None and part.every and not is_cut(part)
            if part is None or rows or tensor.kind in (Kind.INDEX, Kind.GRAPH):
                continue  # a graph keeps all that the network has computed
            if tensor.traits & (Trait.FEW | Trait.PIECES):
                continue  # a column of a number for each class; all pieces together are the whole
            if retained.loop in part.born and is_small_part(model, part):
                return part
    return None


def _stored_whole(model: ScriptModel, part: Part, retained: RetainedValue) -> bool:
    """Whether the base is kept in any case: itself, or through another of its parts."""
    for other in retained_values(model, forwards=True):
        if other is retained:
            continue
        if other.loop is retained.loop and same(other.store.value_node, part.base):
            return True
        numbers = {n for tensor in other.tensors for n in tensor.parts}
        parts = [p for n in numbers if (p := model.trace.parts.get(n)) is not None]
        if any(same(p.base, part.base) and p.frame is part.frame for p in parts):
            return True
    return False


def _is_inside(model: ScriptModel, part: Part, retained: RetainedValue) -> bool:
    return part.node is retained.store.value_node or retained.store.node in model.ancestors(part.node)


def _plans(model: ScriptModel, retained: RetainedValue, part: Part) -> tuple[Plan, ...]:
    """`.clone()` on a view that is kept, unless the file changes the view or its base in place."""
    store, value = retained.store, retained.store.value_node
    if not isinstance(store.value, Tensor) or value is store.node:
        return ()
    if is_several(model, value):
        return ()
    scope = model.function_of(store.node) or model.module
    nodes = [n for n in (value, leftmost(value), leftmost(part.base), part.base) if place(n) != store.target]
    if any(written_in_place(model, node, scope) == "yes" for node in nodes):
        return ()
    caution = ""
    if not (store.grad == "off" or calls_one(value, "detach")):
        caution = "right if the value is a tensor"
    elif _OF_STORAGE & model.identifiers:
        caution = "this file asks how tensors lie in memory, and a copy lies differently"
    elif not layout_is_free(model, store):
        caution = _ORDER
    return (
        Plan(
            Applicability.UNSAFE if caution else Applicability.SAFE,
            "add `.clone()`",
            (Replace(value, with_method(model, value, "clone()")),),
            caution,
        ),
    )
