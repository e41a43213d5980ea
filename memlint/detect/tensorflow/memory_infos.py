"""Calls of get_memory_info with a device or key that it does not know."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.guards import is_guarded
from memlint.analysis.match import Match, Plan, Replace
from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.repeats import words_assigned
from memlint.detect.tensorflow.devices import INFO, LIMITS, VISIBLE, Device, device
from memlint.finding import Applicability
from memlint.syntax.arguments import argument

_KEYS = frozenset({"current", "peak"})


def memory_infos(flow: Flow) -> Iterator[Match]:
    """Questions about memory that get a device object, or read a key that is not in the answer."""
    for call in flow.calls_of(*INFO):
        given = argument(call, 0, "device")
        if given is None:
            continue
        name = flow.model.code(call.func).rpartition(".")[2]
        wrong = _physical(flow, given)
        if wrong is not None:
            number = wrong.number
            plans: tuple[Plan, ...] = ()
            if isinstance(number, cst.Name) and wrong.kind == "GPU" and _counts_devices(flow, number):
                text = f'f"GPU:{{{number.value}}}"'
                plans = (Plan(Applicability.REPAIR, f"pass `{text}`", (Replace(given, text),)),)
            if not is_guarded(flow.model, call, errors=frozenset({"TypeError", "ValueError"})):
                yield Match(
                    given, {"function": name, "device": flow.model.short(given)}, "device", plans=plans
                )
    yield from _keys(flow)


def _counts_devices(flow: Flow, number: cst.Name) -> bool:
    """Whether the number of a physical device is that of the logical one, throughout the loop over them."""
    if any(flow.calls_of(*VISIBLE, *LIMITS)):
        return False
    loop = next((above for above in flow.model.ancestors(number) if isinstance(above, cst.For)), None)
    return loop is None or number.value not in words_assigned(flow, loop.body)


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
