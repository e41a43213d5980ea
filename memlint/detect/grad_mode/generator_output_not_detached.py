"""MEM204: a discriminator step differentiates through the generator as well."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Forward
from memlint.analysis.fixes.plans import with_method
from memlint.analysis.match import Label, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.uses.tensor_uses import is_several
from memlint.catalogue import Rule
from memlint.detect.grad_mode.joint_backwards import Passing, passings
from memlint.finding import Applicability

_CAUTION = "gradients of the other network are no longer added to"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Once for each call of the trained network that gets the other one's result."""
    seen: set[int] = set()
    for found in passings(model):
        node, direct = _argument(model, found)
        if id(node) in seen:
            continue
        seen.add(id(node))
        plans: tuple[Plan, ...] = ()
        if direct and isinstance(node, cst.BaseExpression) and not is_several(model, node):
            changes = (Replace(node, with_method(model, node, "detach()")),)
            plans = (Plan(Applicability.UNSAFE, "add `.detach()`", changes, _CAUTION),)
        yield Match(
            node,
            {
                "value": model.short(node, 30),
                "source": found.source.code or "the other network",
                "backward": model.short(found.backward.node, 30),
                "optimizer": found.step.code,
            },
            labels=(Label("its graph is built here", found.source.node),) if found.own is not None else (),
            plans=plans,
        )


def _argument(model: ScriptModel, found: Passing) -> tuple[cst.CSTNode, bool]:
    """What carries the graph into the trained network, and whether only this step runs that code."""
    own, frame = found.own, found.backward.frame
    if own is None:
        return found.source.node, False
    if own.frame is not frame and len({f.frame for f in _at(model, own)}) > 1:
        # A helper that the other network's step runs too: what is wrong is this call of it.
        site = next((f.call for f in own.frame.chain() if f.caller is frame and f.call is not None), None)
        return (site or own.node), False
    upstream = model.trace.descendants(found.source.ids)
    for expression, ids in model.trace.passed_arguments.get((id(own.node), own.frame.id), []):
        if ids & upstream:
            return expression, True
    return own.node, False


def _at(model: ScriptModel, forward: Forward) -> list[Forward]:
    return [f for f in model.trace.forwards.values() if f.node is forward.node]
