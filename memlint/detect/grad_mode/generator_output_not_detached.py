"""MEM204: a discriminator step differentiates through the generator as well."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

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

_ELSEWHERE = "the value also goes another way into what the optimizer trains, which memlint cannot cut"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Once for each call of the trained network that gets the other one's result."""
    seen: set[int] = set()
    for found in passings(model):
        node, direct = _argument(model, found)
        if id(node) in seen:
            continue
        seen.add(id(node))
        cuts = _cuts(model, found) if direct else []
        changes = tuple(Replace(cut, with_method(model, cut, "detach()")) for cut in cuts)
        plans = (Plan(Applicability.UNSAFE, "add `.detach()`", changes, _CAUTION),) if changes else ()
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
            no_fix=_ELSEWHERE if direct and found.others and not plans else "",
        )


def _cuts(model: ScriptModel, found: Passing) -> list[cst.BaseExpression]:
    """The arguments to detach, so that the backward ends at the networks that it is for; [] where one of them
    cannot be told. What comes out of such a network stays as it is: its own gradient goes that way."""
    passes = [own for own in (found.own, *found.others) if own is not None]
    trained = model.trace.descendants(frozenset[int]().union(*(own.ids for own in passes)))
    cuts: dict[cst.BaseExpression, None] = {}
    for own in passes:
        node, direct = _argument(model, replace(found, own=own))
        if not direct or not isinstance(node, cst.BaseExpression) or is_several(model, node):
            return []
        if not _ids_given(model, own, node) & trained:
            cuts[node] = None
    return list(cuts)


def _ids_given(model: ScriptModel, own: Forward, node: cst.CSTNode) -> frozenset[int]:
    """The values that an argument of a pass may hold."""
    given = model.trace.passed_arguments.get((id(own.node), own.frame.id), [])
    return frozenset[int]().union(*(ids for expression, ids in given if expression is node))


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
