"""What happens before what within one iteration, across the calls of helpers."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Event
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Frame


def moment(model: ScriptModel, event: Event) -> tuple[int, ...]:
    """Where an event stands in program order: compare moments of events in the same iteration."""
    calls = [frame.call for frame in reversed(event.frame.chain()) if frame.call is not None]
    return (*(model.positions.get(call, 0) for call in calls), model.positions[event.node])


def share_iteration(first: Event, second: Event) -> bool:
    """Whether two events belong to the same iteration: one runs in the loops of the other, or deeper."""
    shorter = min(len(first.loops), len(second.loops))
    return first.loops[:shorter] == second.loops[:shorter]


def seen_from(frame: Frame, event: Event) -> cst.CSTNode | None:
    """The node of a running function during which an event happens: its own, or the call that leads to it."""
    node, inner = event.node, event.frame
    while inner is not frame:
        if inner.caller is None or inner.call is None:
            return None
        node, inner = inner.call, inner.caller
    return node
