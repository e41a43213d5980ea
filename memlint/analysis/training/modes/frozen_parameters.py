"""Whether the parameters of a network are frozen where a forward pass runs."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.execution_order import active_nodes
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.facts import Forward
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Ref, options_of
from memlint.syntax.expressions import literal, same
from memlint.syntax.tree import dotted, last_name, root_name, statements


def is_frozen(model: ScriptModel, forward: Forward) -> bool:
    """Whether the function above the forward takes the gradients from all weights of what it runs, or
    the network was told to do so: `net.freeze()`, `Net(no_grad=True)`, or a context manager does so."""
    told = (o for o in model.trace.opaque_calls.values() if hints.FREEZES_ALL.match(o.name))
    frozen = frozenset().union(*(o.objects for o in told))
    run = {option.obj.id for option in options_of(forward.module) if isinstance(option, Ref)}
    if _stands_among_frozen(model, forward) or _takes_from_frozen(model, forward):
        return True
    if (run and run <= frozen) or _is_made_without_grad(model, forward) or _gets_its_weights(model, forward):
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


def _stands_among_frozen(model: ScriptModel, forward: Forward) -> bool:
    """Whether a context manager whose name says that it freezes is around a forward pass, or a call that
    leads to it: `with freezing(model.parameters()):`."""
    places = [node for node in active_nodes(forward).values() if model.owns(node)]
    blocks = (above for node in places for above in model.ancestors(node) if isinstance(above, cst.With))
    items = (item.item for block in blocks for item in block.items)
    return any(isinstance(i, cst.Call) and hints.FREEZES_WITHIN.search(last_name(i.func)) for i in items)


def _takes_from_frozen(model: ScriptModel, forward: Forward) -> bool:
    """Whether a method of a network computes a loss, `net.calculate_loss(out)`, where its function runs it
    in such blocks alone: there are no weights of its own to train in a loss."""
    func = forward.node.func if isinstance(forward.node, cst.Call) else None
    if not isinstance(func, cst.Attribute) or not hints.LOSS_TERM.search(func.attr.value):
        return False
    runs = (f for f in model.trace.forwards.values() if f is not forward and f.module == forward.module)
    others = [f for f in runs if forward.frame in f.frame.chain()]
    return bool(others) and all(_stands_among_frozen(model, other) for other in others)


def _gets_its_weights(model: ScriptModel, forward: Forward) -> bool:
    """Whether the function hands a network out of view the weights that it is to run with, as searches over
    populations do, `policy.set_parameters(row)`: plain tensors take no gradients."""
    modules = [option.obj for option in options_of(forward.module) if isinstance(option, Ref)]
    node, scope = forward.node, forward.frame.node
    if not isinstance(node, cst.Call) or not modules or not all(m.by_name for m in modules):
        return False
    told = (c.func for c in model.every(cst.Call, scope) if isinstance(c.func, cst.Attribute) and c.args)
    return any(f.attr.value == "set_parameters" and same(f.value, node.func) for f in told)


def _is_made_without_grad(model: ScriptModel, forward: Forward) -> bool:
    """Whether the call that makes a network, whose class is not in view, tells it to record nothing."""
    if not _has_no_grad_option(model):
        return False
    modules = [option.obj for option in options_of(forward.module) if isinstance(option, Ref)]
    if any(obj.cls is not None for obj in modules) or not isinstance(forward.node, cst.Call):
        return False
    made = [source.node for source in value_sources(model, forward.node.func)]
    return bool(made) and all(isinstance(call, cst.Call) and _records_nothing(model, call) for call in made)


@cached
def _has_no_grad_option(model: ScriptModel) -> bool:
    """Whether the file writes such an option at all: few do, and only then is each network looked up."""
    keywords = (a.keyword.value for a in model.names.every(cst.Arg) if a.keyword is not None)
    keys = (str(literal(element.key)) for element in model.names.every(cst.DictElement))
    return any(name in hints.NO_GRAD_OPTIONS for name in (*keywords, *keys))


def _records_nothing(model: ScriptModel, made: cst.Call) -> bool:
    """Whether a call has an option such as `no_grad=True`, be it in a dictionary of options."""
    options = [(a.keyword.value, a.value) for a in made.args if a.keyword is not None]
    sources = [source.node for given in made.args for source in value_sources(model, given.value)]
    elements = [e for d in sources if isinstance(d, cst.Dict) for e in d.elements]
    options += [(str(literal(e.key)), e.value) for e in elements if isinstance(e, cst.DictElement)]
    return any(name in hints.NO_GRAD_OPTIONS and literal(value) in (True, "True") for name, value in options)


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
