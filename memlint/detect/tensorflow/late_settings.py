"""Settings of the devices that come after the start of the runtime."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.guards import is_guarded
from memlint.analysis.match import Label, Match
from memlint.analysis.tensorflow.call_order import CallPoint, calls_in_order
from memlint.analysis.tensorflow.flow import Flow
from memlint.detect.tensorflow.devices import SETTINGS, device, mentions
from memlint.detect.tensorflow.runtime_starts import starts_runtime
from memlint.syntax.arguments import argument

_LATE = frozenset({"RuntimeError", "ValueError", "Exception", "BaseException", ""})


def late_settings(flow: Flow) -> Iterator[Match]:
    """Settings of devices that come after the runtime has begun, on some way through the file."""

    def wanted(call: cst.Call) -> bool:
        return flow.api(call.func) in SETTINGS or starts_runtime(flow, call)

    if not mentions(flow, SETTINGS):
        return
    for events in calls_in_order(flow, wanted):
        for number, event in enumerate(events):
            if flow.api(event.node.func) not in SETTINGS:
                continue
            earlier = [e for e in events[:number] if _starts(flow, e)]
            first = next((e for e in earlier if e.surely_before(event) and not e.excludes(event)), None)
            if first is not None:
                caught = is_guarded(flow.model, event.node, errors=_LATE)
                yield _late_match(flow, event, first, "caught" if caught else "default")
                continue
            around = _next_pass(flow, event, events[number + 1 :])
            if around is not None and not is_guarded(flow.model, event.node, errors=_LATE):
                yield _late_match(flow, event, around, "loop")


def _starts(flow: Flow, event: CallPoint) -> bool:
    return flow.api(event.node.func) not in SETTINGS and starts_runtime(flow, event.node)


def _next_pass(flow: Flow, event: CallPoint, later: list[CallPoint]) -> CallPoint | None:
    """A start of the runtime behind a setting in one pass of a loop over the GPUs."""
    loops = {node for node in event.loops if isinstance(node, cst.For)}
    found = device(flow, argument(event.node, 0, "device"))
    if found is None or found.how != "each" or found.kind != "GPU":
        return None
    inside = (e for e in later if loops.intersection(e.loops))
    return next((e for e in inside if _starts(flow, e)), None)


def _late_match(flow: Flow, event: CallPoint, first: CallPoint, variant: str) -> Match:
    call, start = (flow.model.code(e.node.func).rpartition(".")[2] for e in (event, first))
    label = Label(f"`{start}` sets the devices up here", first.node)
    return Match(event.node, {"call": call, "first": start}, variant, (label,))
