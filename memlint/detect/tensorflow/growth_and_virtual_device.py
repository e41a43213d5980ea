"""MTF103: one GPU is given memory growth and a memory limit, which exclude each other."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.guards import is_guarded, never_runs
from memlint.analysis.match import Label, Match, Plan, Remove
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.call_order import CallPoint, calls_in_order
from memlint.analysis.tensorflow.flow import Flow, concerns, flow_of
from memlint.catalogue import Rule
from memlint.detect.tensorflow.devices import GROWTH, LIMITS, Device, device, is_on, mentions
from memlint.finding import Applicability
from memlint.syntax.arguments import argument
from memlint.syntax.tree import comments_within, statements

_RAISED = frozenset({"ValueError", "RuntimeError"})


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Pairs of the two settings on a device that one run of the file makes."""
    if not concerns(model):
        return
    flow = flow_of(model)
    if not mentions(flow, GROWTH) or not mentions(flow, LIMITS):
        return
    seen: set[cst.CSTNode] = set()
    for events in calls_in_order(flow, lambda call: flow.api(call.func) in (*GROWTH, *LIMITS)):
        for number, event in enumerate(events):
            for later in events[number + 1 :]:
                match = _match(flow, event, later)
                if match is not None and match.node not in seen and not never_runs(model, match.node):
                    seen.add(match.node)
                    yield match


def _match(flow: Flow, first: CallPoint, second: CallPoint) -> Match | None:
    """The match for memory growth and a limit on one device, by which of them comes first."""
    kinds = [flow.api(e.node.func) in GROWTH for e in (first, second)]
    accumulation = first if kinds[0] else second
    if kinds[0] == kinds[1] or not is_on(accumulation.node) or first.excludes(second):
        return None
    one, other = (device(flow, argument(e.node, 0, "device")) for e in (first, second))
    if one is None or other is None or "list" in (one.how, other.how) or not one.meets(other):
        return None
    shown = argument(accumulation.node, 0, "device")
    assert shown is not None
    limit = second if kinds[0] else first
    values = {"device": flow.model.short(shown), "limit": flow.model.code(limit.node.func).rpartition(".")[2]}
    if not kinds[0]:
        if is_guarded(flow.model, second.node, errors=_RAISED):
            return None
        label = Label("the limit is set here", first.node)
        return Match(second.node, values, "raises", (label,), causes=((second.node,),))
    plan = _plan(flow, accumulation, limit, one, other)
    label = Label("this limit drops the growth again", limit.node)
    node, plans = accumulation.node, (plan,) if plan else ()
    return Match(node, values, "default", (label,), plans=plans, causes=((node,),))


def _plan(flow: Flow, accumulation: CallPoint, limit: CallPoint, one: Device, other: Device) -> Plan | None:
    """Delete the growth line, where every device that it speaks of gets the limit."""
    if one.how != other.how or one.index != other.index or not limit.surely_before(accumulation):
        return None
    line = flow.model.statement_of(accumulation.node)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    if not isinstance(line.body[0], cst.Expr) or line.body[0].value is not accumulation.node:
        return None
    whole = _whole(flow, line)
    if comments_within(whole):
        return None  # they would stay behind, beside a line that they are not about
    return Plan(Applicability.SAFE, "delete the growth line", (Remove(whole),))


def _whole(flow: Flow, line: cst.SimpleStatementLine) -> cst.BaseStatement:
    """The line, or the loop that has nothing else to do."""
    block = flow.model.parent(line)
    loop = flow.model.parent(block) if block is not None else None
    alone = isinstance(loop, cst.For) and loop.body is block and len(statements(loop.body)) == 1
    if isinstance(loop, cst.For) and alone and loop.orelse is None and isinstance(loop.iter, cst.Name):
        return loop
    return line
