"""MEM110: a hook stores something at every call, or hooks themselves pile up."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.catalogue import Rule
from memlint.detect.retention.hook_stores import is_detached, records, stores
from memlint.detect.retention.hooks_pile_up import piles_up
from memlint.detect.retention.registrations import Registration, registrations


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Hooks that append what they are given, and hooks that are registered again and again."""
    seen: set[cst.CSTNode] = set()
    for found in registrations(model):
        for store in stores(model, found):
            if store[0] not in seen:
                seen.add(store[0])
                yield _stored(model, found, *store)
        if found.call not in seen and piles_up(model, found):
            seen.add(found.call)
            yield Match(
                found.call, {"hook": model.short(found.call.func), "value": "", "container": ""}, "repeated"
            )


# --- what a hook stores ---------------------------------------------------------------------------


def _stored(
    model: ScriptModel,
    found: Registration,
    call: cst.Call,
    box: cst.BaseExpression,
    value: cst.BaseExpression,
) -> Match:
    variant = "default" if not is_detached(found, value) and records(model) else "detached"
    labels = () if call in model.walk(found.call) else (Label("registered here", found.call),)
    values = {"container": model.short(box), "value": model.short(value), "hook": found.name}
    return Match(call, values, variant, labels=labels, giver=_giver(model, found))


def _giver(model: ScriptModel, found: Registration) -> cst.CSTNode | None:
    """The registration of a hook, or the call of this file that leads to it."""
    if model.owns(found.call):
        return found.call
    return next((model.home_call(event.frame) for event in found.events), None)
