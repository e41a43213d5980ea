"""MEM302: one autocast region holds the optimizer step and forward passes after it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Event, Region
from memlint.analysis.fixes.rewrites import with_keyword
from memlint.analysis.match import Label, Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.catalogue import Rule
from memlint.detect.precision.autocast_region_fix import CAUTION, is_autocast, moved_into_iteration
from memlint.detect.precision.stale_casts import Stale, stale
from memlint.finding import Applicability
from memlint.syntax.expressions import mentions


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
    """The match for a region whose casts of the weights stay what they were before the step."""
    site, step = _site(model, found.region), found.change
    plans = (moved_into_iteration(model, found.region, site), _uncached(model, site))
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
    casts = [e for e in expressions if mentions(e, "autocast")]
    found = [*casts, *expressions]
    return found[0] if found else node


def _uncached(model: ScriptModel, site: cst.CSTNode) -> Plan | None:
    if not isinstance(site, cst.Call) or not is_autocast(model, site):
        return None
    if any(
        arg.star or (arg.keyword is not None and arg.keyword.value == "cache_enabled") for arg in site.args
    ):
        return None
    change = with_keyword(model, site, "cache_enabled", "False")
    return Plan(Applicability.UNSAFE, "add `cache_enabled=False`", (change,), CAUTION)


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
