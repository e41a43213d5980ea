"""MEM106: a recurrent state goes into the next iteration together with its graph."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.match import InsertAfter, Label, Match, Plan, causes_of
from memlint.analysis.model import ScriptModel
from memlint.catalogue import Rule
from memlint.detect.retention.recurrent_modules import recurrent_kind
from memlint.detect.retention.recurrent_state import Carried, carried
from memlint.finding import Applicability
from memlint.syntax.expressions import reads_place
from memlint.syntax.tree import dotted

_CAUTION = "gradients then stop at the border between two iterations: truncated backpropagation through time"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Modules that get their own result back in the next iteration of a loop."""
    seen: set[cst.CSTNode] = set()
    for found in carried(model):
        node = found.forward.inside or found.forward.node
        if node in seen:
            continue
        seen.add(node)
        values = {"state": _state(model, found), "call": model.short(node)}
        plan = _plan(model, found)
        plans = (plan,) if plan else ()
        causes = causes_of([found.forward]) if found.how == "evaluation" else ()
        yield Match(node, values, _variant(found), _labels(found), plans=plans, causes=causes)


def _variant(found: Carried) -> str:
    if not found.sure:
        return "unseen"
    return found.how


def _labels(found: Carried) -> tuple[Label, ...]:
    labels = []
    if found.forward.inside is not None:
        labels.append(Label("the next iteration goes on with the state of this call", found.forward.node))
    if found.backward is not None:
        labels.append(Label("this backward runs into the graph of the iteration before", found.backward.node))
    return tuple(labels)


def _state(model: ScriptModel, found: Carried) -> str:
    node = found.forward.inside
    if node is None:
        return model.short(_innermost(found.value)) if found.value is not None else "the state"
    attributes = [
        model.code(n)
        for n in model.walk(node)
        if isinstance(n, cst.Attribute) and dotted(n) in _stored(model, node)
    ]
    return attributes[-1] if attributes else "the state"


def _innermost(value: cst.BaseExpression) -> cst.BaseExpression:
    """The state of several parts among the values of a tuple: `(hx, cx)` of `(x, (hx, cx))`."""
    parts = value.elements if isinstance(value, cst.Tuple) else ()
    return next((_innermost(p.value) for p in parts if isinstance(p.value, cst.Tuple)), value)


def _stored(model: ScriptModel, node: cst.CSTNode) -> set[str]:
    """The attributes that the class of a call assigns."""
    owner = model.class_of(node)
    if owner is None:
        return set()
    return {
        dotted(part)
        for statement in model.walk(owner)
        if isinstance(statement, cst.Assign)
        for target in statement.targets
        for part in model.walk(target)
        if isinstance(part, cst.Attribute)
    }


def _plan(model: ScriptModel, found: Carried) -> Plan | None:
    """Detach after the backward (in evaluation: after the call), where the shape of the state is known."""
    if not isinstance(found.value, (cst.Name, cst.Attribute)) or not found.sure:
        return None
    name, kind = model.code(found.value), recurrent_kind(model, found.forward)
    if not kind or kind == "LSTMCell":
        return None
    after = model.statement_of((found.backward or found.forward).node)
    call = model.statement_of(found.forward.node)
    if after is None or call is None or model.parent(after) is not model.parent(call):
        return None
    if model.positions[after] < model.positions[call] or not _rebinds(model, call, name):
        return None
    detached = f"tuple(s.detach() for s in {name})" if kind == "LSTM" else f"{name}.detach()"
    beside = model.own_statement_of((found.backward or found.forward).node) or after
    changes = (InsertAfter(beside, f"{name} = {detached}"),)
    return Plan(Applicability.UNSAFE, f"detach `{name}` for the next iteration", changes, _CAUTION)


def _rebinds(model: ScriptModel, statement: cst.CSTNode, name: str) -> bool:
    """Whether the statement of the call binds the state again."""
    targets = (t.target for n in model.walk(statement) if isinstance(n, cst.Assign) for t in n.targets)
    return any(reads_place(target, [name]) for target in targets)
