"""Gradients that a training step asks for, of data or of hidden layers, and nothing reads."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.fixes.plans import ASKED
from memlint.analysis.fixes.rewrites import indented, without_keywords
from memlint.analysis.match import Change, Match, Plan, Remove, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.grad_reads import asks_for_graph
from memlint.analysis.training.loading.batch_values import (
    VARIABLES,
    is_batch,
    made_from_batch,
    serves_training_only,
)
from memlint.finding import Applicability
from memlint.syntax.expressions import literal


def unread_gradients(model: ScriptModel) -> Iterator[Match]:
    """Gradients of inputs and intermediate tensors that the file asks for and never reads."""
    for call in model.names.calls:
        if not isinstance(call.func, cst.Attribute):
            if model.names.one(call.func) in VARIABLES:
                yield from _variable(model, call)
            continue
        name, owner = call.func.attr.value, call.func.value
        if name == "retain_grad" and isinstance(owner, cst.Name) and serves_training_only(model, owner):
            yield _match(model, call, owner, "retained", _without_statement(model, call))
        elif name == "requires_grad_" and _asks(model, call) and made_from_batch(model, call, owner):
            yield _match(
                model, call, owner, "input", _without_statement(model, call) or _unwrapped(model, call, owner)
            )
    yield from _assigned(model)


def _asks(model: ScriptModel, call: cst.Call) -> bool:
    return not call.args or literal(call.args[0].value) is True


def _variable(model: ScriptModel, call: cst.Call) -> Iterator[Match]:
    """`Variable(x, requires_grad=True)` around data."""
    asks = any(
        a.keyword is not None and a.keyword.value == "requires_grad" and literal(a.value) is True
        for a in call.args
    )
    if asks and call.args[0].keyword is None and made_from_batch(model, call, call.args[0].value):
        changes: tuple[Change, ...] = (without_keywords(model, call, frozenset({"requires_grad"})),)
        yield _match(model, call, call.args[0].value, "input", changes)


def _assigned(model: ScriptModel) -> Iterator[Match]:
    """`x.requires_grad = True` on data."""
    for node in model.names.every(cst.Assign):
        if len(node.targets) == 1 and literal(node.value) is True:
            target = node.targets[0].target
            if (
                isinstance(target, cst.Attribute)
                and target.attr.value == "requires_grad"
                and is_batch(model, target.value)
            ):
                line = model.parent(node)
                alone = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
                gone = line if alone and line is not None else node
                yield _match(model, node, target.value, "input", (Remove(gone),))


def _match(
    model: ScriptModel,
    node: cst.CSTNode,
    owner: cst.BaseExpression,
    variant: str,
    changes: tuple[Change, ...],
) -> Match:
    asked = asks_for_graph(model)
    kind = Applicability.UNSAFE if asked else Applicability.SAFE
    plan = Plan(kind, "do not ask for this gradient", changes, ASKED if asked else "")
    return Match(
        node, {"name": model.short(owner), "what": "grad"}, variant, plans=(plan,) if changes else ()
    )


def _without_statement(model: ScriptModel, call: cst.Call) -> tuple[Change, ...]:
    """Take the statement away, with its line where it has one of its own."""
    statement = model.parent(call)
    if not isinstance(statement, cst.Expr):
        return ()
    line = model.parent(statement)
    alone = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
    return (Remove(line if alone and line is not None else statement),)


def _unwrapped(model: ScriptModel, call: cst.Call, owner: cst.BaseExpression) -> tuple[Change, ...]:
    return (Replace(call, indented(model, call, owner)),)
