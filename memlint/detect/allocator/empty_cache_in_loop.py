"""MEM501: the allocator's cache is emptied, or garbage collected, at every step."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_frequency import Frequency, frequency_of, interval_of
from memlint.analysis.dataflow.execution_order import calls_of
from memlint.analysis.facts import Called
from memlint.analysis.knowledge import device_hints
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hardware.devices import cpu_only
from memlint.analysis.training.loops import batch_loops
from memlint.catalogue import Rule
from memlint.detect.allocator.call_removal import removal
from memlint.detect.allocator.making_room import (
    follows_a_move,
    makes_room,
    only_after_failure,
    tries_what_fits,
)
from memlint.detect.allocator.step_hooks import RARE, in_step_hook

_EMPTY = tuple(
    f"torch.{device}{module}.empty_cache"
    for device in ("cuda", "xpu", "mps", "npu", "accelerator", "mtia", "musa")
    for module in ("", ".memory")
)
_COLLECT = ("gc.collect",)


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Calls that empty the cache or collect garbage on (nearly) every iteration of a loop over batches.

    Not in notebooks: there they make room between cells that run again and again.
    """
    if cpu_only(model) or model.notebook:
        return
    seen: set[cst.CSTNode] = set()
    manual = "freeze" in model.identifiers or "disable" in model.identifiers
    found = [(event, "default") for event in calls_of(model, *_EMPTY)]
    found += [(event, "collect") for event in calls_of(model, *_COLLECT) if not manual]
    for event, variant in found:
        often = _often(model, event)
        if often is None:
            continue
        site = _site(event, often[1])
        if site not in seen:
            seen.add(site)
            yield _match(model, event.node, variant, site, *often)
    for call in _in_forward(model):
        if call not in seen:
            yield _match(model, call, "default", call, "in every forward pass", None)


def _in_forward(model: ScriptModel) -> Iterator[cst.Call]:
    """Calls that empty the cache whenever a module of the file runs forward."""
    for path in _EMPTY:
        for name in model.names.references(path):
            call, function = model.parent(name), model.function_of(name)
            owner = model.class_of(name)
            if not isinstance(call, cst.Call) or function is None or owner is None:
                continue
            is_module = any(model.names.one(base.value).endswith(".Module") for base in owner.bases)
            each = function.name.value == "forward" and is_module and interval_of(model, call, function) == 1
            if each and not follows_a_move(model, call):
                yield call


def _often(model: ScriptModel, event: Called) -> tuple[str, Frequency | None] | None:
    """How often a call runs, in words, with the loop where there is one in the file."""
    if only_after_failure(model, event.node) or tries_what_fits(model, event.node):
        return None
    found = frequency_of(model, event, batch_loops(model))
    if found is not None:
        if found.step > RARE or makes_room(model, event, found):
            return None
        return found.in_words(), found
    return ("at every step", None) if in_step_hook(model, event) else None


def _site(event: Called, found: Frequency | None) -> cst.CSTNode:
    """The call itself, or the call of the small helper that it stands in."""
    node: cst.CSTNode = event.node
    for frame in event.frame.chain():
        inside = found is None or frame is found.loop.frame
        if inside or frame.call is None or not device_hints.CLEANUP_HELPER.search(frame.name):
            break
        node = frame.call
    return node


def _match(
    model: ScriptModel,
    call: cst.CSTNode,
    variant: str,
    site: cst.CSTNode,
    often: str,
    found: Frequency | None,
) -> Match:
    """The match for one call, labelled with its loop and with where it stands if a function makes it."""
    labels = []
    if found is not None and isinstance(found.loop.node, cst.For):
        labels.append(Label("the loop", found.loop.node.iter))
    if site is not call:
        labels.append(Label("called in here", call))
    plan = removal(model, site, call)
    return Match(
        site,
        {"call": model.short(call), "often": often},
        variant,
        tuple(labels),
        plans=(plan,) if plan is not None else (),
    )
