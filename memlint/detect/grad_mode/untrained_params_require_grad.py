"""MEM205: the optimizer has only a part of a network, and the rest still requires gradients."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.knowledge import hints
from memlint.analysis.match import Change, InsertBefore, Label, Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.catalogue import Rule
from memlint.detect.grad_mode.partly_trained import FREEZES, Partial, partly_trained
from memlint.finding import Applicability

_CAUTION = "the other parameters get no gradients any more"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Optimizers over heads, in files that freeze nothing."""
    if FREEZES.search(model.text) or any(hints.PARTLY_TRAINED.search(word) for word in model.identifiers):
        return
    seen: set[int] = set()
    for found in partly_trained(model):
        optimizer = found.step.optimizer
        if optimizer.node is None or id(optimizer.node) in seen:
            continue
        seen.add(id(optimizer.node))
        whole = found.forward.code or "the network"
        plan = _plan(model, optimizer.node, found)
        yield Match(
            optimizer.node,
            {"network": whole, "part": ", ".join(map(_shown, found.trained)), "optimizer": found.step.code},
            labels=(Label("this forward builds the graph of all parameters", found.forward.node),),
            plans=(plan,) if plan is not None else (),
        )


def _shown(member: str) -> str:
    return f"[{member}]" if member.isdecimal() else member


def _plan(model: ScriptModel, optimizer: cst.CSTNode, found: Partial) -> Plan | None:
    """Freeze all of it and thaw the trained part, above the line that makes the optimizer."""
    line = model.own_statement_of(optimizer)
    given = optimizer.args[0].value if isinstance(optimizer, cst.Call) and optimizer.args else None
    if line is None or not isinstance(given, cst.Call) or not isinstance(given.func, cst.Attribute):
        return None
    part = given.func.value
    if len(found.trained) != 1 or not isinstance(part, cst.Attribute) or part.attr.value != found.trained[0]:
        return None
    changes: tuple[Change, ...] = (
        InsertBefore(line, f"{model.code(part.value)}.requires_grad_(False)"),
        InsertBefore(line, f"{model.code(part)}.requires_grad_(True)"),
    )
    return Plan(Applicability.UNSAFE, f"freeze all of it but `{model.code(part)}`", changes, _CAUTION)
