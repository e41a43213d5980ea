"""MEM104: a view of a part is stored, and with it the whole tensor that it was cut from."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Part
from memlint.analysis.fixes.plans import with_method
from memlint.analysis.match import Label, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.retained_values import Holding, holdings, mutated
from memlint.analysis.training.views import is_small_part
from memlint.analysis.values import Kind, Tensor
from memlint.catalogue import Rule
from memlint.finding import Applicability
from memlint.syntax.tree import root_name


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Stores in loops over data of views whose base would otherwise be freed with its iteration."""
    for holding in holdings(model, forwards=True):
        part = _pinned(model, holding)
        if part is None or _stored_whole(model, part, holding):
            continue
        keep = holding.keep
        labels = (Label("the view is made here", part.node),) if not _is_inside(model, part, holding) else ()
        yield Match(
            keep.node,
            {
                "container": model.short(keep.node) if isinstance(keep.node, cst.BaseComp) else keep.target,
                "view": model.short(part.node),
                "base": model.short(part.base),
            },
            labels=labels,
            plans=_plans(model, holding, part),
        )


def _pinned(model: ScriptModel, holding: Holding) -> Part | None:
    """The selection that one of the stored tensors is a view of; None when it is worth nothing."""
    if holding.keep.product:
        return None  # `acc = torch.cat([acc, v])` copies
    for tensor in holding.tensors:
        for number in tensor.parts:
            part = model.trace.parts.get(number)
            if part is None or part.every or tensor.kind is Kind.INDEX:
                continue
            if holding.loop in part.born and is_small_part(model, part):
                return part
    return None


def _stored_whole(model: ScriptModel, part: Part, holding: Holding) -> bool:
    """Whether the base is kept in any case: itself, or through another of its parts."""
    base = model.code(part.base)
    for other in holdings(model, forwards=True):
        if other is holding:
            continue
        if other.loop is holding.loop and model.code(other.keep.value_node) == base:
            return True
        numbers = {n for tensor in other.tensors for n in tensor.parts}
        parts = [p for n in numbers if (p := model.trace.parts.get(n)) is not None]
        if any(model.code(p.base) == base and p.frame is part.frame for p in parts):
            return True
    return False


def _is_inside(model: ScriptModel, part: Part, holding: Holding) -> bool:
    return part.node is holding.keep.value_node or holding.keep.node in model.ancestors(part.node)


def _plans(model: ScriptModel, holding: Holding, part: Part) -> tuple[Plan, ...]:
    keep, value = holding.keep, holding.keep.value_node
    if not isinstance(keep.value, Tensor) or value is keep.node:
        return ()
    if isinstance(value, (cst.Dict, cst.Tuple, cst.List)):
        return ()
    scope = model.function_of(keep.node) or model.module
    names = {model.code(value), root_name(value), root_name(part.base), keep.target} - {""}
    if any(mutated(model, name, scope) for name in names - {keep.target}):
        return ()
    sure = keep.grad == "off" or "detach()" in model.code(value)
    return (
        Plan(
            Applicability.SAFE if sure else Applicability.UNSAFE,
            "add `.clone()`",
            (Replace(value, with_method(model, value, "clone()")),),
            "" if sure else "right if the value is a tensor",
        ),
    )
