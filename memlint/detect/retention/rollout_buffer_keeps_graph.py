"""MEM116: a buffer of transitions keeps the graph, or the GPU copy, of what the policy computed."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Loop, Store
from memlint.analysis.fixes.plans import with_method
from memlint.analysis.knowledge import hints
from memlint.analysis.match import Label, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.retention import SHORT_DEQUE
from memlint.analysis.uses.tensor_uses import is_several
from memlint.analysis.values import Items, Ref, Tensor
from memlint.catalogue import Rule
from memlint.detect.retention.buffer_contents import what_is_wrong
from memlint.detect.retention.env_loops import env_loops
from memlint.finding import Applicability
from memlint.syntax.expressions import speaks_of


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Stores in loops that step an environment whose value has a graph that no backward uses."""
    loops = env_loops(model)
    worst: dict[cst.CSTNode, tuple[str, Store]] = {}
    for store in model.trace.stores.values():
        inside = [x for x in store.loops if x in loops and x in store.grows]
        if store.how != "store" or not inside or isinstance(store.node, cst.Yield):
            continue
        if store.bounded is not None and 0 <= store.bounded <= SHORT_DEQUE:
            continue
        site = _site(store, inside[-1])
        variant = what_is_wrong(model, store) if _is_buffer(model, store, site) else ""
        known = worst[site][0] if site in worst else ""
        if variant and (not known or _WORST_FIRST.index(variant) < _WORST_FIRST.index(known)):
            worst[site] = variant, store
    for site, (variant, store) in worst.items():
        yield _match(model, store, site, variant)


_WORST_FIRST = ("default", "rollout", "device", "small")
"""Of several fields that one call puts into lists of their own, the worst is the one to report."""


def _is_buffer(model: ScriptModel, store: Store, site: cst.CSTNode) -> bool:
    """Whether a container takes in transitions: several fields at once, or its name says so."""
    if isinstance(store.value, Items) or (isinstance(store.value, Ref) and store.value.obj.kind != "module"):
        return True
    func = site.func if isinstance(site, cst.Call) else None
    return bool(hints.BUFFER.search(store.target)) or (func is not None and speaks_of(func, hints.BUFFER))


def _site(store: Store, loop: Loop) -> cst.CSTNode:
    """The call that fills the buffer, seen from the loop: climbs out of `push` and the like."""
    frame, node = store.frame, store.node
    while frame.caller is not None and frame is not loop.frame and hints.ADDS_TO_BUFFER.match(frame.name):
        call = frame.call
        if call is None:
            break
        frame, node = frame.caller, call
    return node


def _match(model: ScriptModel, store: Store, site: cst.CSTNode, variant: str) -> Match:
    labels = () if site is store.node else (Label(f"`{store.target}` stores it here", store.node),)
    func = site.func if isinstance(site, cst.Call) else None
    buffer = model.short(func.value) if isinstance(func, cst.Attribute) else store.target
    return Match(
        site,
        {"buffer": buffer, "value": model.short(store.value_node)},
        variant,
        labels=labels,
        plans=_plans(model, store, site, variant),
    )


def _plans(model: ScriptModel, store: Store, site: cst.CSTNode, variant: str) -> tuple[Plan, ...]:
    """`.detach()` on the only field that carries a graph; none where several may."""
    value = store.value_node
    if site is not store.node or variant not in ("default", "rollout") or not isinstance(store.value, Tensor):
        return ()
    if is_several(model, value):
        return ()  # what `extend` takes apart
    return (
        Plan(
            Applicability.UNSAFE,
            "add `.detach()`",
            (Replace(value, with_method(model, value, "detach()")),),
            "right only if nothing that reads the buffer differentiates through it",
        ),
    )
