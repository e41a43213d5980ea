"""MEM405: every step makes a new iterator of a loader and takes one batch from it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.facts import Draw
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loading.loader_values import loader_evidence
from memlint.analysis.values import Frame
from memlint.catalogue import Rule
from memlint.detect.loading.fresh_batches import is_live, is_only_shuffled
from memlint.detect.loading.iterator_fix import made_before_loop
from memlint.detect.loading.loader_expressions import is_iterator
from memlint.detect.loading.once_per_step import each_step, iterated
from memlint.syntax.arguments import keyword
from memlint.syntax.expressions import asks_length, place, same
from memlint.syntax.tree import dotted

_NEXT = ("next", "__next__")


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Iterators made and used for one batch in a loop that trains."""
    seen: set[cst.CSTNode] = set()
    for draw in model.trace.draws.values():
        if draw.how != "iter" or draw.node in seen:
            continue
        known = loader_evidence(draw.value)
        source = iterated(draw.node)
        if not known or source is None or _is_used_up(model, source) or is_live(draw):
            continue
        taken = _taken(model, draw)
        if taken is None or not each_step(model, draw):
            continue
        seen.add(draw.node)
        plan = made_before_loop(model, draw, source)
        labels = (Label("takes one batch and drops the rest", taken),) if taken is not draw.node else ()
        yield Match(
            draw.node,
            {"loader": model.short(source)},
            "named" if known != "made" else "sampled" if is_only_shuffled(draw) else "default",
            labels,
            plans=(plan,) if plan is not None else (),
        )


def _is_used_up(model: ScriptModel, source: cst.BaseExpression) -> bool:
    """Whether `source` already is an iterator, of which `iter` makes no new one, or gives one batch: of all
    data, or of what a sampler draws for it."""
    if is_iterator(model, source):
        return True
    made = [d.node for d in value_sources(model, source) if isinstance(d.node, cst.Call)]
    return any(_has_one_batch(model, loader) for loader in made)


def _has_one_batch(model: ScriptModel, loader: cst.Call) -> bool:
    """Whether a loader is made for one batch: `DataLoader(data, sampler=RandomSampler(..., num_samples=n),
    batch_size=n)`, or with as many samples in a batch as there are."""
    size, sampler = keyword(loader, "batch_size"), keyword(loader, "sampler")
    if size is None:
        return False
    if any(asks_length(d.node) for d in value_sources(model, size)):
        return True
    makers = (d.node for d in value_sources(model, sampler)) if sampler is not None else ()
    drawn = (keyword(m, "num_samples") for m in makers if isinstance(m, cst.Call))
    return any(number is not None and same(number, size) for number in drawn)


def _taken(model: ScriptModel, draw: Draw) -> cst.CSTNode | None:
    """The `next` that takes from the new iterator in the same round of the same loop."""
    above = model.parent(draw.node)
    if isinstance(above, cst.Attribute):
        return draw.node if above.attr.value in _NEXT else None
    if isinstance(above, cst.Arg):
        call = model.parent(above)
        return draw.node if isinstance(call, cst.Call) and dotted(call.func) == "next" else None
    if not isinstance(above, cst.Assign) or len(above.targets) != 1:
        return None
    name = place(above.targets[0].target)
    inside = draw.loops[-1] if draw.loops else None
    takes = [d for d in _calls_of_next(model, draw.frame) if _from(model, d) == name]
    loops = [_innermost(model, node) for node in takes]
    here = _innermost(model, draw.node)
    if inside is None or not takes or any(loop is not here for loop in loops):
        return None
    return takes[0]


def _calls_of_next(model: ScriptModel, frame: Frame) -> list[cst.Call]:
    """Every `next(x)`, `x.next()` and `for` source written in the function that a frame runs."""
    return [n for n in model.walk(frame.node) if type(n) is cst.Call and _from(model, n)]


def _from(model: ScriptModel, call: cst.Call) -> str:
    if isinstance(call.func, cst.Name) and call.func.value == "next" and call.args:
        return place(call.args[0].value)
    if isinstance(call.func, cst.Attribute) and call.func.attr.value in _NEXT:
        return place(call.func.value)
    return ""


def _innermost(model: ScriptModel, node: cst.CSTNode) -> cst.CSTNode | None:
    for above in model.ancestors(node):
        if isinstance(above, (cst.For, cst.While)):
            return above
        if isinstance(above, cst.FunctionDef):
            return None
    return None
