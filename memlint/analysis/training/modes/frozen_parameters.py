"""Whether the parameters of a network are frozen where a forward pass runs."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.facts import Forward
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Ref, options_of
from memlint.syntax.expressions import literal
from memlint.syntax.tree import dotted, root_name, statements


def is_frozen(model: ScriptModel, forward: Forward) -> bool:
    """Whether the function above the forward takes the gradients from all weights of what it runs, or
    the network was told to do so itself: `net.freeze()`."""
    told = (o for o in model.trace.opaque_calls.values() if hints.FREEZES_ALL.match(o.name))
    frozen = frozenset().union(*(o.objects for o in told))
    run = {option.obj.id for option in options_of(forward.module) if isinstance(option, Ref)}
    if run and run <= frozen:
        return True
    if not isinstance(forward.frame.node, cst.FunctionDef):
        return False
    used = {n.value for n in model.walk(forward.node) if isinstance(n, cst.Name)}
    return any(
        model.positions[node] < model.positions[forward.node]
        and owner in used
        and not _has_parts_that_learn(model, owner, node, forward)
        for node, owner in _freezings(model, forward.frame.node)
    )


@cached
def _freezings(model: ScriptModel, function: cst.FunctionDef) -> list[tuple[cst.CSTNode, str]]:
    """The lines of a function that freeze networks, each with the network."""
    return [(node, owner) for node in model.walk(function) if (owner := _frozen_owner(node))]


def _has_parts_that_learn(model: ScriptModel, owner: str, freezing: cst.CSTNode, forward: Forward) -> bool:
    """Whether a network gets a new layer, or one of its own back, between freezing and forward pass."""
    between = range(model.positions[freezing] + 1, model.positions[forward.node])
    for node in model.walk(forward.frame.node):
        if model.positions.get(node, 0) not in between:
            continue
        if type(node) is cst.Assign and isinstance(node.value, cst.Call):
            targets = [t.target for t in node.targets if not isinstance(t.target, cst.Name)]
            if any(root_name(target) == owner for target in targets):
                return True
        if type(node) is cst.For and not _frozen_owner(node) and type(node.iter) is cst.Call:
            path = dotted(node.iter.func)
            if path.startswith(f"{owner}.") and path.endswith(".parameters"):
                return True
    return False


def _frozen_owner(node: cst.CSTNode) -> str:
    """`net` of `for p in net.parameters(): p.requires_grad = False` and of `net.requires_grad_(False)`."""
    if type(node) is cst.For and type(node.iter) is cst.Call and not node.iter.args:
        path = dotted(node.iter.func)
        body = statements(node.body)
        line = body[0] if len(body) == 1 else None
        part = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else line
        return path.removesuffix(".parameters") if path.endswith(".parameters") and _freezes(part) else ""
    return _given_no_gradients(node)


def _freezes(statement: cst.CSTNode | None) -> bool:
    """Whether a statement is `p.requires_grad = False` or `p.requires_grad_(False)`."""
    if isinstance(statement, cst.Assign):
        target = statement.targets[0].target
        sets = isinstance(target, cst.Attribute) and target.attr.value == "requires_grad"
        return sets and literal(statement.value) is False
    return bool(_given_no_gradients(statement))


def _given_no_gradients(statement: cst.CSTNode | None) -> str:
    """`net` of the statement `net.requires_grad_(False)`."""
    call = statement.value if type(statement) is cst.Expr else None
    if not isinstance(call, cst.Call) or len(call.args) != 1 or literal(call.args[0].value) is not False:
        return ""
    path = dotted(call.func)
    return path.removesuffix(".requires_grad_") if path.endswith(".requires_grad_") else ""
