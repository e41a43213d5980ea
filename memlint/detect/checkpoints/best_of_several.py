"""Whether kept weights are the best of several states of a model, and whether they are used later."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.functions import returned
from memlint.analysis.dataflow.liveness import variable
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.detect.checkpoints.kept_weights import KeptWeights
from memlint.syntax.expressions import calls_one, place, reads_place, speaks_of, words_of
from memlint.syntax.tree import last_name, root_name


def goes_on(model: ScriptModel, node: cst.Call, kept: KeptWeights) -> bool:
    """Whether this is the best of several states of one model, which is trained further afterwards."""
    function = model.function_of(node)
    target = place(kept.target)
    conditional, loop = False, None
    for above in model.ancestors(node):
        if isinstance(above, (cst.For, cst.While)):
            loop = above
            break
        if above is function:
            break
        conditional = conditional or (isinstance(above, cst.If) and _compares(model, above.test))
    if not conditional and not kept.appended and "best" not in target.lower():
        return False
    if loop is None:
        shared = isinstance(kept.target, cst.Attribute) or _is_outer(model, function, target)
        return shared and conditional and function is not None and not kept.appended
    trains = (
        speaks_of(loop, hints.TRAINS)
        or calls_one(loop, "step")
        or any(around.node is loop for step in model.trace.steps.values() for around in step.loops)
    )
    return bool(trains) and not _is_made_in(model, kept.owner, loop)


def _compares(model: ScriptModel, test: cst.BaseExpression) -> bool:
    wanted = (cst.LessThan, cst.GreaterThan, cst.LessThanEqual, cst.GreaterThanEqual)
    if any(
        isinstance(n, cst.Comparison) and any(isinstance(t.operator, wanted) for t in n.comparisons)
        for n in model.walk(test)
    ):
        return True
    return bool(speaks_of(test, hints.BEST_SO_FAR))


def _is_outer(model: ScriptModel, function: cst.FunctionDef | None, name: str) -> bool:
    if function is None:
        return False
    return any(
        isinstance(n, (cst.Global, cst.Nonlocal)) and name in {i.name.value for i in n.names}
        for n in model.walk(function.body)
    )


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


def is_used(model: ScriptModel, kept: KeptWeights) -> bool:
    """Whether what was kept is loaded, saved or returned later, elsewhere than beside the assignment."""
    home = model.parent(model.statement_of(kept.value) or kept.value)
    for node in model.names.calls:
        name = last_name(node.func)
        if name in ("load_state_dict", "save", "set_state_dict") and node.args:
            elsewhere = model.parent(model.statement_of(node) or node) is not home
            if elsewhere and _reads_kept(model, kept, node.args[0].value):
                return True
    if isinstance(kept.target, cst.Attribute):
        return "best" in last_name(kept.target).lower()
    function = model.function_of(kept.value)
    given = returned(model, function) if function is not None else []
    return any(_reads_kept(model, kept, value) for value in given)


def _reads_kept(model: ScriptModel, kept: KeptWeights, node: cst.BaseExpression) -> bool:
    """Whether an expression reads what was kept: this value of the name, not another one bound to it."""
    attribute = isinstance(kept.target, cst.Attribute)
    short = last_name(kept.target) if attribute else root_name(kept.target)
    if short not in words_of(node):
        return False
    reads = None if attribute else _reads_after(model, kept, short)
    return reads is None or any(part in reads for part in model.walk(node))


def _reads_after(model: ScriptModel, kept: KeptWeights, name: str) -> set[cst.CSTNode] | None:
    """Where the kept value may be read under its name; None where other code may read it at any time."""
    line = model.statement_of(kept.value)
    if line is None:
        return None
    found = variable(model, line, name)
    if found is None or found.captured or found.scope.node is not (model.function_of(line) or model.module):
        return None
    return set(found.reads_after(line))
