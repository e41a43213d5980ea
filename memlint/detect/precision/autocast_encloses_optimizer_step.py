"""MEM302: one autocast region holds the optimizer step and forward passes after it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

import libcst as cst

from memlint.analysis.facts import Event, Region
from memlint.analysis.knowledge.libraries import AUTOCASTS
from memlint.analysis.match import Label, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.catalogue import Rule
from memlint.detect.precision.stale_casts import Stale, stale
from memlint.finding import Applicability

_CAUTION = "training changes: from then on it learns, and every forward casts the weights anew"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Every region once, with the first change of parameters in it."""
    if "clear_autocast_cache" in model.identifiers:
        return
    frozen: dict[int, Match] = {}
    for found in stale(model):
        frozen.setdefault(id(found.region.node), _frozen(model, found))
    yield from frozen.values()
    yield from _backwards(model, set(frozen))


def _frozen(model: ScriptModel, found: Stale) -> Match:
    site, step = _site(model, found.region), found.change
    plans = (_moved(model, found.region, site), _uncached(model, site))
    return Match(
        site,
        {
            "context": model.short(site),
            "step": model.short(step.node),
            "forward": model.short(found.forward.node),
        },
        "swap" if found.swapped else "default",
        (Label("the weights change here, their casts do not", step.node),),
        plans=tuple(plan for plan in plans if plan is not None),
    )


def _site(model: ScriptModel, region: Region) -> cst.CSTNode:
    """The expression that opens a region: an item of its `with`, or a decorator."""
    node = region.node
    if isinstance(node, cst.With):
        expressions = [item.item for item in node.items]
    elif isinstance(node, cst.FunctionDef):
        expressions = [decorator.decorator for decorator in node.decorators]
    else:
        return node
    casts = [e for e in expressions if "autocast" in model.code(e)]
    found = [*casts, *expressions]
    return found[0] if found else node


def _moved(model: ScriptModel, region: Region, site: cst.CSTNode) -> Plan | None:
    """Open the region around the forward and the loss of each iteration instead of around the loop."""
    block = region.node
    if not isinstance(block, cst.With) or len(block.items) != 1 or block.asynchronous is not None:
        return None
    if not _is_autocast(model, site) or block.items[0].asname is not None:
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
    title = "open the region around the forward and the loss only"
    return Plan(Applicability.UNSAFE, title, (Replace(block, textwrap.dedent(code)),), _CAUTION)


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
    while "zero_grad" in model.code(holder.body[end - 1]):
        end -= 1
    return list(holder.body[min(lines[place] for place in forwards) : end])


def _places_in(events: Iterable[Event], inside: set[cst.CSTNode]) -> list[cst.CSTNode]:
    """Where in a block's own code events happen: they themselves, or the calls that lead to them."""
    found = []
    for event in events:
        places = [event.node, *(frame.call for frame in event.frame.chain() if frame.call is not None)]
        found += [node for node in places if node in inside][:1]
    return found


def _uncached(model: ScriptModel, site: cst.CSTNode) -> Plan | None:
    if not isinstance(site, cst.Call) or not _is_autocast(model, site):
        return None
    if any(
        arg.star or (arg.keyword is not None and arg.keyword.value == "cache_enabled") for arg in site.args
    ):
        return None
    arguments = [model.code(arg).strip().rstrip(",") for arg in site.args]
    code = f"{model.code(site.func)}({', '.join([*arguments, 'cache_enabled=False'])})"
    return Plan(Applicability.UNSAFE, "add `cache_enabled=False`", (Replace(site, code),), _CAUTION)


def _is_autocast(model: ScriptModel, site: cst.CSTNode) -> bool:
    return isinstance(site, cst.Call) and model.path_of(site.func) in AUTOCASTS


def _backwards(model: ScriptModel, reported: set[int]) -> Iterator[Match]:
    """A region that one iteration opens and closes: nothing is frozen, but backward belongs outside."""
    seen: set[int] = set()
    for backward in model.trace.backwards.values():
        region = _open_cast(backward)
        if region is None or id(region.node) in reported | seen or not backward.fills or backward.unseen:
            continue
        seen.add(id(region.node))
        if backward.loops == region.loops:
            values = {"context": model.short(_site(model, region)), "step": model.short(backward.node)}
            yield Match(backward.node, values, "backward")


def _open_cast(event: Event) -> Region | None:
    found = event.regions[-1] if event.regions else None
    return found if found is not None and found.cast.enabled is not False else None
