"""Running averages that live on from step to step and take in something with a graph."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.regions import is_grad_off
from memlint.analysis.facts import Average
from memlint.analysis.knowledge import hints, libraries
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.graphs import is_differentiated
from memlint.analysis.training.retention import consumed
from memlint.syntax.expressions import given_to
from memlint.syntax.tree import dotted, last_name, walk, words_in


@cached
def running(model: ScriptModel) -> dict[cst.CSTNode, Average]:
    """These averages by their statement."""
    found: dict[cst.CSTNode, Average] = {}
    for average in model.trace.averages.values():
        if average.node not in found and _is_running(model, average):
            found[average.node] = average
    return found


def is_used(model: ScriptModel, average: Average) -> bool:
    """Whether some backward runs through the average, or through the container that it is put into."""
    stores = (store for store in model.trace.stores.values() if store.node is average.node)
    return is_differentiated(model, average.made) or any(consumed(model, store) for store in stores)


def _is_running(model: ScriptModel, average: Average) -> bool:
    if is_grad_off(model, average.node) or not _survives(model, average):
        return False
    if is_used(model, average) and not _fails(model, average):
        return False
    named = bool(hints.AVERAGE_VARIABLE.search(average.target))
    return average.weights or named or _is_buffer(model, average)


def _is_buffer(model: ScriptModel, average: Average) -> bool:
    """Whether the average is a buffer of its module: state that no optimizer and no gradient is meant for."""
    owner = model.class_of(average.node)
    name = average.target.removeprefix("self.")
    return owner is not None and any(
        call.func.attr.value == "register_buffer"
        and bool(call.args)
        and isinstance(call.args[0].value, cst.SimpleString)
        and call.args[0].value.evaluated_value == name
        for call in model.walk(owner)
        if type(call) is cst.Call and type(call.func) is cst.Attribute
    )


def _fails(model: ScriptModel, average: Average) -> bool:
    """Whether a backward of the loop runs through the average into the iterations before."""
    return any(
        backward.older & set(average.loops) and average.made & model.trace.ancestors(backward.ids)
        for backward in model.trace.backwards.values()
    )


def _survives(model: ScriptModel, average: Average) -> bool:
    """Whether the average is still there in the next step: an attribute, an element, an outer variable."""
    root = words_in(average.target)[0] if words_in(average.target) else ""
    function = model.function_of(average.node)
    if root == "self":
        return function is not None and function.name.value != "__init__"
    if _walked(model, average.node, root) is not None:
        # The loop's own name, bound again, leaves what is stored as it was; to store it is an average too.
        return not (isinstance(average.node, cst.Assign) and average.target == root)
    if root in average.frame.outer or _is_handed_back(model, average):
        return True
    loop = average.loops[-1] if average.loops else None
    if loop is None or loop.frame is not average.frame or not isinstance(loop.node, (cst.For, cst.While)):
        return False
    return not any(
        root in _targets(model, node) for node in model.walk(loop.node) if node is not average.node
    )


def _is_handed_back(model: ScriptModel, average: Average) -> bool:
    """Whether a function gives the average back to a call that keeps it in an attribute."""
    function, call = model.function_of(average.node), average.frame.call
    above = model.parent(call) if call is not None and function is not None else None
    if not isinstance(above, cst.Assign) or average.frame.node is not function or function is None:
        return False
    given = (r.value for r in model.every(cst.Return, function) if r.value is not None)
    pairs = (pair for value in given for t in above.targets for pair in given_to(t.target, value))
    return any(
        isinstance(kept, cst.Attribute) and dotted(value) == average.target for kept, value in pairs
    )


def walks_stored(iterated: cst.BaseExpression) -> bool:
    """Whether the names of a loop over this stand for stored tensors: parameters, entries of a dictionary."""
    calls = (n for n in walk(iterated) if type(n) is cst.Call)
    return any(libraries.WALKS_STORED.search(last_name(call.func)) for call in calls)


def _walked(model: ScriptModel, node: cst.CSTNode, root: str) -> cst.For | None:
    """The loop around a statement that goes through stored tensors under this name."""
    for above in model.ancestors(node):
        if isinstance(above, (cst.FunctionDef, cst.ClassDef)):
            return None
        if isinstance(above, cst.For) and walks_stored(above.iter):
            names = {n.value for n in model.walk(above.target) if isinstance(n, cst.Name)}
            if root in names:
                return above
    return None


def _targets(model: ScriptModel, node: cst.CSTNode) -> set[str]:
    """The names that a statement binds."""
    if not isinstance(node, (cst.Assign, cst.For)):
        return set()
    bound = [t.target for t in node.targets] if isinstance(node, cst.Assign) else [node.target]
    return {n.value for b in bound for n in model.walk(b) if isinstance(n, cst.Name)}
