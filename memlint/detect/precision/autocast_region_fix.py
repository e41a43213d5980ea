"""Opening an autocast region around the forward and the loss of each iteration only."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

import libcst as cst

from memlint.analysis.facts import Event, Region
from memlint.analysis.knowledge.libraries import AUTOCASTS
from memlint.analysis.match import Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.finding import Applicability
from memlint.syntax.expressions import mentions

CAUTION = "training changes: from then on it learns, and every forward casts the weights again"


def moved_into_iteration(model: ScriptModel, region: Region, site: cst.CSTNode) -> Plan | None:
    """Open the region around the forward and the loss of each iteration instead of around the loop."""
    block = region.node
    if not isinstance(block, cst.With) or len(block.items) != 1 or block.asynchronous is not None:
        return None
    if not is_autocast(model, site) or block.items[0].asname is not None:
        return None
    work = _forward_and_loss(model, block)
    if not work or not isinstance(block.body, cst.IndentedBlock):
        return None
    inner = block.with_changes(body=cst.IndentedBlock(work, header=block.body.header), leading_lines=())
    holder = model.parent(work[0])
    assert isinstance(holder, cst.IndentedBlock)
    at = holder.body.index(work[0])
    body = [*holder.body[:at], inner, *holder.body[at + len(work) :]]
    outer = block.body.deep_replace(holder, holder.with_changes(body=body))
    code = cst.Module([]).code_for_node(outer).split("\n", 1)[1] if outer is not None else ""
    code = textwrap.dedent(code)
    if code[:1].isspace():  # a line inside brackets or a string stands further left
        return None
    title = "open the region around the forward and the loss only"
    return Plan(Applicability.UNSAFE, title, (Replace(block, code),), CAUTION)


def _forward_and_loss(model: ScriptModel, block: cst.With) -> list[cst.BaseStatement]:
    """The statements of an iteration from its first forward to its backward; empty when that is not clear."""
    inside = set(model.walk(block.body))
    backwards = _places_in(model.trace.backwards.values(), inside)
    holder = model.parent(model.statement_of(backwards[0]) or backwards[0]) if backwards else None
    if not isinstance(holder, cst.IndentedBlock) or not isinstance(
        model.parent(holder), (cst.For, cst.While)
    ):
        return []
    lines = {node: at for at, line in enumerate(holder.body) for node in model.walk(line)}
    forwards = _places_in(model.trace.forwards.values(), inside)
    if any(place not in lines for place in (*backwards, *forwards)):
        return []
    end = min(lines[place] for place in backwards)
    if any(lines[place] >= end for place in forwards):
        return []
    while mentions(holder.body[end - 1], "zero_grad"):
        end -= 1
    return list(holder.body[min(lines[place] for place in forwards) : end])


def _places_in(events: Iterable[Event], inside: set[cst.CSTNode]) -> list[cst.CSTNode]:
    """Where in a block's own code events happen: they themselves, or the calls that lead to them."""
    found = []
    for event in events:
        places = [event.node, *(frame.call for frame in event.frame.chain() if frame.call is not None)]
        found += [node for node in places if node in inside][:1]
    return found


def is_autocast(model: ScriptModel, site: cst.CSTNode) -> bool:
    """Whether an expression makes an autocast context."""
    return isinstance(site, cst.Call) and model.path_of(site.func) in AUTOCASTS
