"""MEM205: the optimizer has only a part of a network, and the rest still requires gradients."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.knowledge import hints
from memlint.analysis.match import Change, InsertBefore, Label, Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.grad_reads import grad_reads, is_checked_for_none, steps_by_hand
from memlint.catalogue import Rule
from memlint.detect.grad_mode.freezing_code import freezes_some, misspelt
from memlint.detect.grad_mode.loss_networks import loss_networks
from memlint.detect.grad_mode.partly_trained import FREEZES, Partial, partly_trained
from memlint.finding import Applicability
from memlint.syntax.expressions import same
from memlint.syntax.tree import last_name

_CAUTION = "the other parameters get no gradients any more"

_HARMLESS = frozenset({"print", "len", "save", "isinstance", "type", "summary", "eval", "id", "str", "repr"})


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Optimizers over heads, in files that freeze nothing."""
    if steps_by_hand(model) or any(hints.PARTLY_TRAINED.search(word) for word in model.identifiers):
        return
    seen: set[int] = set()
    for found in partly_trained(model) if not FREEZES.search(model.text) else ():
        optimizer = found.step.optimizer
        if optimizer.node is None or id(optimizer.node) in seen:
            continue
        seen.add(id(optimizer.node))
        whole = found.forward.code or "the network"
        part = _trained_part(optimizer.node, found)
        reason = _other_use(model, part.value) if part is not None else ""
        plan = _plan(model, optimizer.node, part) if part is not None and not reason else None
        yield Match(
            optimizer.node,
            {"network": whole, "part": ", ".join(map(_shown, found.trained)), "optimizer": found.step.code},
            labels=(Label("this forward builds the graph of all parameters", found.forward.node),),
            plans=(plan,) if plan is not None else (),
            no_fix=reason,
            causes=tuple((target,) for target in misspelt(model)[:1]),
        )
    for network in loss_networks(model) if not freezes_some(model) else ():
        forward, step = network.found.forward, network.found.step
        yield Match(
            network.made,
            {"network": network.name, "forward": model.short(forward.node), "optimizer": step.code},
            "loss",
            (Label("gradients pass through it here, on their way to what is trained", forward.node),),
            plans=(network.plan(),) if not grad_reads(model) else (),
        )


def _shown(member: str) -> str:
    return f"[{member}]" if member.isdecimal() else member


def _other_use(model: ScriptModel, whole: cst.BaseExpression) -> str:
    """Who else may want the gradients of a network that is frozen in part, "" where nobody is in view."""
    for read in grad_reads(model):
        if not is_checked_for_none(model, read):
            return f"`{model.short(read)}` may be None then"
    for node in (*model.names.every(cst.Name), *model.names.every(cst.Attribute)):
        if same(node, whole):
            call = _taker(model, node)
            if call is not None and last_name(call.func) not in _HARMLESS:
                return f"`{model.short(call)}` may train, or clip, the other parameters"
    return ""


def _taker(model: ScriptModel, node: cst.CSTNode) -> cst.Call | None:
    """The call that gets a network, or all of its parameters, as an argument."""
    above = model.parent(node)
    if isinstance(above, cst.Attribute) and above.attr.value in ("parameters", "named_parameters"):
        above = model.parent(model.parent(above) or above)
    call = model.parent(above) if isinstance(above, cst.Arg) else None
    return call if isinstance(call, cst.Call) else None


def _trained_part(optimizer: cst.CSTNode, found: Partial) -> cst.Attribute | None:
    """`net.head` of an optimizer that was given `net.head.parameters()`, and nothing else of the network."""
    given = optimizer.args[0].value if isinstance(optimizer, cst.Call) and optimizer.args else None
    if not isinstance(given, cst.Call) or not isinstance(given.func, cst.Attribute):
        return None
    part = given.func.value
    named = isinstance(part, cst.Attribute) and found.trained == (part.attr.value,)
    return part if isinstance(part, cst.Attribute) and named else None


def _plan(model: ScriptModel, optimizer: cst.CSTNode, part: cst.Attribute) -> Plan | None:
    """Freeze all of it and thaw the trained part, above the line that makes the optimizer."""
    line = model.own_statement_of(optimizer)
    if line is None:
        return None
    changes: tuple[Change, ...] = (
        InsertBefore(line, f"{model.code(part.value)}.requires_grad_(False)"),
        InsertBefore(line, f"{model.code(part)}.requires_grad_(True)"),
    )
    return Plan(Applicability.UNSAFE, f"freeze all of it but `{model.code(part)}`", changes, _CAUTION)
