"""MTF102: calls that configure GPU memory in a way that raises, or that comes too late."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.guards import is_guarded, never_runs
from memlint.analysis.match import Label, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.flow import Flow, concerns, flow_of
from memlint.analysis.tensorflow.order import Event, orders
from memlint.catalogue import Rule
from memlint.detect.tensorflow.devices import (
    GROWTH,
    INFO,
    LIMITS,
    SETTINGS,
    VISIBLE,
    Device,
    device,
    is_on,
    mentions,
    starts_runtime,
)
from memlint.finding import Applicability
from memlint.syntax.arguments import argument

_CONFIGS = ("tf.config.LogicalDeviceConfiguration", "tf.config.experimental.VirtualDeviceConfiguration")
_KNOWN = frozenset({"memory_limit", "experimental_priority", "experimental_device_ordinal"})
_KEYS = frozenset({"current", "peak"})
_LATE = frozenset({"RuntimeError", "ValueError", "Exception", "BaseException", ""})
_SPREADS = ("tf.distribute.MirroredStrategy", "tf.distribute.MultiWorkerMirroredStrategy")


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Wrong arguments, wrong devices, settings after the start of the runtime, growth on some GPUs only."""
    if not concerns(model):
        return
    flow = flow_of(model)
    seen: set[cst.CSTNode] = set()
    for match in (*_arguments(flow), *_infos(flow), *_late(flow), *_uneven(flow)):
        if match.node not in seen and not never_runs(model, match.node):
            seen.add(match.node)
            yield match


# --- arguments ----------------------------------------------------------------------------------------


def _arguments(flow: Flow) -> Iterator[Match]:
    for call in flow.calls_of(*_CONFIGS):
        name = flow.model.code(call.func).rpartition(".")[2]
        if any(arg.star for arg in call.args):
            continue
        wrong = _unknown_argument(flow, call)
        limit = argument(call, 0, "memory_limit")
        if wrong:
            yield Match(call, {"config": name, "what": wrong}, "argument")
        elif limit is None or flow.model.code(limit) == "None":
            if _for_gpu(flow, call):
                yield Match(call, {"config": name}, "missing")
        elif isinstance(limit, cst.Float) and 0 < float(limit.evaluated_value) <= 1:
            yield Match(limit, {"value": flow.model.code(limit)}, "fraction")


def _unknown_argument(flow: Flow, call: cst.Call) -> str:
    for arg in call.args:
        if arg.keyword is not None and arg.keyword.value not in _KNOWN:
            return f"argument `{arg.keyword.value}`"
    first = argument(call, 0, "memory_limit")
    if isinstance(first, cst.SimpleString):
        return f"text {flow.model.short(first, 20)} as its limit"
    return ""


def _for_gpu(flow: Flow, call: cst.Call) -> bool:
    """Whether a configuration is handed to the set-up of a GPU."""
    for above in flow.model.ancestors(call):
        if isinstance(above, cst.Call) and flow.api(above.func) in LIMITS:
            found = device(flow, argument(above, 0, "device"))
            return found is not None and found.kind == "GPU"
    return False


# --- get_memory_info ------------------------------------------------------------------------------------


def _infos(flow: Flow) -> Iterator[Match]:
    for call in flow.calls_of(*INFO):
        given = argument(call, 0, "device")
        if given is None:
            continue
        name = flow.model.code(call.func).rpartition(".")[2]
        wrong = _physical(flow, given)
        if wrong is not None:
            number = wrong.number
            plans: tuple[Plan, ...] = ()
            if isinstance(number, cst.Name) and wrong.kind == "GPU":
                text = f'f"GPU:{{{number.value}}}"'
                plans = (Plan(Applicability.REPAIR, f"pass `{text}`", (Replace(given, text),)),)
            if not is_guarded(flow.model, call, errors=frozenset({"TypeError", "ValueError"})):
                yield Match(
                    given, {"function": name, "device": flow.model.short(given)}, "device", plans=plans
                )
    yield from _keys(flow)


def _physical(flow: Flow, given: cst.BaseExpression) -> Device | None:
    """The physical device that is passed where the name of a logical one belongs."""
    found = device(flow, given)
    if found is not None and found.how != "list":
        return found
    for source in flow.sources(given):
        if isinstance(source, cst.Attribute) and source.attr.value == "name":
            found = device(flow, source.value)
            if found is not None:
                return found
    return None


def _keys(flow: Flow) -> Iterator[Match]:
    """Reads of a member that the dictionary of get_memory_info does not have."""
    if "get_memory_info" not in flow.model.identifiers:
        return
    for node in flow.model.names.every(cst.Subscript):
        if not isinstance(node.slice[0].slice, cst.Index):
            continue
        key = node.slice[0].slice.value
        if not isinstance(key, cst.SimpleString) or key.evaluated_value in _KEYS:
            continue
        made = flow.sources(node.value)
        if made and all(isinstance(s, cst.Call) and flow.api(s.func) == INFO[0] for s in made):
            yield Match(node, {"key": str(key.evaluated_value)}, "key")


# --- order ----------------------------------------------------------------------------------------------


def _late(flow: Flow) -> Iterator[Match]:
    def wanted(call: cst.Call) -> bool:
        return flow.api(call.func) in SETTINGS or starts_runtime(flow, call)

    if not mentions(flow, SETTINGS):
        return
    for events in orders(flow, wanted):
        for number, event in enumerate(events):
            if flow.api(event.node.func) not in SETTINGS:
                continue
            earlier = [e for e in events[:number] if _starts(flow, e)]
            first = next((e for e in earlier if e.surely_before(event) and not e.excludes(event, flow)), None)
            if first is not None:
                caught = is_guarded(flow.model, event.node, errors=_LATE)
                yield _late_match(flow, event, first, "caught" if caught else "default")
                continue
            around = _next_pass(flow, event, events[number + 1 :])
            if around is not None and not is_guarded(flow.model, event.node, errors=_LATE):
                yield _late_match(flow, event, around, "loop")


def _starts(flow: Flow, event: Event) -> bool:
    return flow.api(event.node.func) not in SETTINGS and starts_runtime(flow, event.node)


def _next_pass(flow: Flow, event: Event, later: list[Event]) -> Event | None:
    """A start of the runtime behind a setting in one pass of a loop over the GPUs."""
    loops = {node for node, arm in event.path if arm == "loop" and isinstance(node, cst.For)}
    found = device(flow, argument(event.node, 0, "device"))
    if found is None or found.how != "each" or found.kind != "GPU":
        return None
    inside = (e for e in later if loops & {node for node, arm in e.path if arm == "loop"})
    return next((e for e in inside if _starts(flow, e)), None)


def _late_match(flow: Flow, event: Event, first: Event, variant: str) -> Match:
    call, start = (flow.model.code(e.node.func).rpartition(".")[2] for e in (event, first))
    label = Label(f"`{start}` sets the devices up here", first.node)
    return Match(event.node, {"call": call, "first": start}, variant, (label,))


# --- growth on some GPUs ----------------------------------------------------------------------------------


def _uneven(flow: Flow) -> Iterator[Match]:
    model = flow.model
    calls = [c for c in flow.calls_of(*GROWTH) if is_on(c)]
    placed = [(c, device(flow, argument(c, 0, "device"))) for c in calls]
    if not placed or "CUDA_VISIBLE_DEVICES" in model.text or flow.calls_of(*VISIBLE):
        return
    indices = {d.index for _, d in placed if d is not None}
    if any(d is None or d.how != "index" or d.kind != "GPU" for _, d in placed) or len(indices) != 1:
        return
    call, found = placed[0]
    if found is None or not found.index.lstrip("-").isdigit() or _counts(flow, call):
        return
    spread = [c for c in flow.calls_of(*_SPREADS) if not c.args]
    labels = (Label("this uses every visible GPU", spread[0]),) if spread else ()
    given = argument(call, 0, "device")
    assert given is not None
    variant = "uneven" if spread else "some"
    yield Match(call, {"device": model.short(given)}, variant, labels)


def _counts(flow: Flow, call: cst.Call) -> bool:
    """Whether a condition around a call asks for the exact number of GPUs."""
    tests = (a.test for a in flow.model.ancestors(call) if isinstance(a, cst.If))
    return any("len(" in (text := flow.model.code(t)) and "== 1" in text for t in tests)
