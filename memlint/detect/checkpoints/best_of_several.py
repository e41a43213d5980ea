"""Whether kept weights are the best of several states of a model."""

from __future__ import annotations

from itertools import takewhile

import libcst as cst

from memlint.analysis.dataflow.control_flow import Leave, leaves
from memlint.analysis.dataflow.functions import returned
from memlint.analysis.dataflow.value_sources import call_graph
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.detect.checkpoints.kept_weights import KeptWeights
from memlint.syntax.arguments import argument_for, parameters
from memlint.syntax.expressions import UNKNOWN, calls_one, literal, place, reads_place, speaks_of
from memlint.syntax.tree import root_name


def goes_on(model: ScriptModel, node: cst.BaseExpression, kept: KeptWeights) -> bool:
    """Whether this is the best of several states of one model, which is trained further afterwards."""
    function = model.function_of(node)
    target = place(kept.target)
    if hints.UNTRAINED_NETWORK.search(target) and "best" not in target.lower():
        return False  # an average of the weights, or a target: each step reads it on the device
    inside = list(takewhile(lambda above: above is not function, model.ancestors(node)))
    loop = next((above for above in inside if isinstance(above, (cst.For, cst.While))), None)
    conditional = False
    for above in inside[: inside.index(loop)] if loop is not None else inside:
        if not isinstance(above, cst.If) or not _compares(model, above.test):
            continue
        if loop is not None and leaves(above.body, Leave.BREAK | Leave.RETURN):
            return False  # it trains no further
        conditional = conditional or _compares(model, above.test, results=True)
    if not conditional and not kept.appended and "best" not in target.lower():
        return False
    if loop is None:
        shared = (
            isinstance(kept.target, cst.Attribute)
            or _is_outer(model, function, target)
            or _is_given_back(model, function, target)
        )
        several = shared and conditional and not kept.appended
        return several and function is not None and not _is_made_for_call(model, kept.owner, function)
    trains = (
        speaks_of(loop, hints.TRAINS)
        or calls_one(loop, "step")
        or any(around.node is loop for step in model.trace.steps.values() for around in step.loops)
    )
    return bool(trains) and not _is_made_in(model, kept.owner, loop)


def _compares(model: ScriptModel, test: cst.BaseExpression, *, results: bool = False) -> bool:
    """Whether a condition compares by size, or names what is best so far; as `results`, two that change: one
    with a fixed number, `decay > 0`, asks for a setting."""
    wanted = (cst.LessThan, cst.GreaterThan, cst.LessThanEqual, cst.GreaterThanEqual)
    sides = (
        (node.left, part.comparator)
        for node in model.walk(test)
        if isinstance(node, cst.Comparison)
        for part in node.comparisons
        if isinstance(part.operator, wanted)
    )
    fixed = (any(literal(side) is not UNKNOWN for side in pair) for pair in sides)
    if any(not (results and is_fixed) for is_fixed in fixed):
        return True
    return bool(speaks_of(test, hints.BEST_SO_FAR))


def _is_outer(model: ScriptModel, function: cst.FunctionDef | None, name: str) -> bool:
    if function is None:
        return False
    return any(
        isinstance(n, (cst.Global, cst.Nonlocal)) and name in {i.name.value for i in n.names}
        for n in model.walk(function.body)
    )


def _is_given_back(model: ScriptModel, function: cst.FunctionDef | None, name: str) -> bool:
    """Whether a function gets the best so far and gives back what it is then: `best = update(best, net)`."""
    if function is None or name not in parameters(function):
        return False
    return any(reads_place(value, [name]) for value in returned(model, function))


def _is_made_for_call(model: ScriptModel, owner: cst.BaseExpression, function: cst.FunctionDef) -> bool:
    """Whether a loop around a call of the function makes the model that the call judges."""
    for call in call_graph(model).sites(function):
        loop = next((a for a in model.ancestors(call) if isinstance(a, (cst.For, cst.While))), None)
        given = argument_for(call, function, owner.value) if isinstance(owner, cst.Name) else owner
        if loop is not None and given is not None and _is_made_in(model, given, loop):
            return True
    return False


def _is_made_in(model: ScriptModel, owner: cst.BaseExpression, loop: cst.CSTNode) -> bool:
    """Whether every turn of the loop makes a new model: then its weights change no more."""
    wanted = {place(owner), root_name(owner)} - {"self", ""}
    for node in model.walk(loop):
        if isinstance(node, cst.AssignTarget):
            targets = [
                node.target,
                *([e.value for e in node.target.elements] if isinstance(node.target, cst.Tuple) else []),
            ]
            if any(place(t) in wanted for t in targets):
                return True
        if isinstance(node, cst.For) and reads_place(node.target, wanted):
            return True
    return False
