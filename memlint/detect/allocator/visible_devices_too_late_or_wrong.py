"""MEM503: CUDA_VISIBLE_DEVICES is set when nobody reads it any more, or to what was not meant."""

from __future__ import annotations

from collections.abc import Iterator

from memlint.analysis.dataflow.execution_order import (
    call_trace,
    exclusive,
    is_conditional,
    ran_before,
    statement_in_module,
)
from memlint.analysis.dataflow.guards import is_guarded
from memlint.analysis.facts import Called
from memlint.analysis.match import Label, Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hardware.cuda_starts import starts
from memlint.analysis.training.hardware.environment import (
    Setting,
    first_import,
    hoisted,
    is_chosen_otherwise,
    is_repeated,
    serves_children,
    settings,
)
from memlint.catalogue import Rule
from memlint.detect.allocator.named_devices import named_devices
from memlint.detect.allocator.visible_devices_value import (
    NAME,
    hidden_device,
    is_misspelt,
    is_number,
    misspelt,
)
from memlint.finding import Applicability

# Packages whose import asks for the devices; their own files set the variable for those who call them.
_EAGER = frozenset({"monai", "kornia", "bitsandbytes", "pycuda.autoinit", "unsloth"})


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Settings of the visible devices that come too late, or that do not say what was meant."""
    mine = [s for s in settings(model) if s.name == NAME]
    for setting in settings(model):
        if setting.name != NAME and is_misspelt(model, setting.name):
            yield misspelt(setting)
    for setting in mine:
        if is_number(model, setting.value):
            yield Match(setting.node, {"value": model.short(setting.value)}, "number")
            continue
        if is_repeated(model, setting) or is_chosen_otherwise(model, setting):
            continue
        late = _late(model, setting)
        if late is not None:
            yield late
            continue
        hidden = hidden_device(model, setting)
        if hidden:
            yield Match(setting.node, {"value": str(setting.literal), "hidden": hidden}, "hides")
        elif len(mine) == 1:
            yield from _missing(model, setting)


def _late(model: ScriptModel, setting: Setting) -> Match | None:
    """A setting after CUDA has started, surely or perhaps, or after an import that may start it."""
    if setting.literal is not None and setting.literal.strip() in ("", "-1"):
        return None
    if serves_children(model, setting) or is_guarded(model, setting.node, errors=frozenset()):
        return None
    if not model.owns(setting.node) and is_conditional(model, setting.event):
        # A helper for choosing a device leaves one that is chosen alone.
        return None
    maybe: Called | None = None
    for event, sure in starts(model):
        before = "no" if exclusive(model, event, setting.event) else ran_before(model, event, setting.event)
        if before == "yes" and sure:
            plan = _plan(model, setting, event)
            values = {"start": model.short(event.node, 32)}
            label = Label("CUDA starts here", event.node)
            return Match(setting.node, values, "default", (label,), plans=(plan,) if plan else ())
        if before != "no" and maybe is None:
            maybe = event
    if maybe is not None:
        values = {"start": model.short(maybe.node, 32)}
        return Match(setting.node, values, "perhaps", (Label("CUDA may start here", maybe.node),))
    for event in call_trace(model):
        package = event.path.removeprefix("import ")
        others = {package, package.partition(".")[0]}.difference(model.path.replace("\\", "/").split("/"))
        eager = not _EAGER.isdisjoint(others) and package != event.path
        if eager and ran_before(model, event, setting.event) == "yes":
            label = Label("this import may start CUDA", event.node)
            return Match(setting.node, {"start": f"import {package}"}, "import", (label,))
    return None


def _plan(model: ScriptModel, setting: Setting, event: Called) -> Plan | None:
    place = statement_in_module(event)
    changes = hoisted(model, setting, first_import(model))
    if changes is None and place is not None:
        changes = hoisted(model, setting, model.statement_of(place))
    if changes is None or next(iter(_missing(model, setting)), None) is not None:
        return None
    caution = "from then on the setting has its effect: the script sees these GPUs only, if there are any"
    return Plan(Applicability.UNSAFE, "set it before anything starts CUDA", changes, caution)


def _missing(model: ScriptModel, setting: Setting) -> Iterator[Match]:
    """A device of a higher number than the value leaves visible."""
    parts = [part.strip() for part in (setting.literal or "").split(",")]
    if not setting.firm or not all(p.isdecimal() for p in parts) or is_conditional(model, setting.event):
        return
    if serves_children(model, setting):
        return
    for node, number in named_devices(model):
        if number >= len(parts):
            values = {"value": str(setting.literal), "device": f"cuda:{number}", "visible": str(len(parts))}
            yield Match(setting.node, values, "missing", (Label("there is no such device", node),))
            return
