"""Taking the logits out of a function that needs them for its loss only."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.liveness import variable
from memlint.analysis.match import Change, Remove, Replace
from memlint.analysis.model import ScriptModel
from memlint.detect.opportunities.vocabulary_losses import VocabularyLoss

_BRANCHES = "the loss is computed in a branch whose condition cannot be asked earlier"
_BOUND = "what the last layer is given gets another value before the loss"


def without_logits(model: ScriptModel, found: VocabularyLoss) -> tuple[Change, ...] | str:
    """The change of the line that gives logits their name, or why it must stay."""
    if found.line is None:
        return ()
    statement = model.statement_of(found.line)
    block = model.parent(statement) if statement is not None else None
    inside = [*model.ancestors(found.call)]
    if statement is None or block not in inside:
        return _BRANCHES
    within = inside[: inside.index(block)]
    tests = [a for a in within if isinstance(a, (cst.If, cst.For, cst.While, cst.Try, cst.FunctionDef))]
    if any(
        _is_bound_between(model, name, statement, found.call) for name in model.every(cst.Name, found.head)
    ):
        return _BOUND
    if not tests:
        own = model.own_statement_of(found.line) or statement
        return (Replace(found.head, "None"),) if found.returned else (Remove(own),)
    branch = tests[0]
    if len(tests) > 1 or not isinstance(branch, cst.If) or model.every(cst.Call, branch.test):
        return _BRANCHES
    names = model.every(cst.Name, branch.test)
    if any(_is_bound_between(model, name, statement, branch) for name in names):
        return _BRANCHES
    taken, head = branch.body in within, model.code(found.head)
    test = model.code(branch.test)
    value = f"None if {test} else {head}" if taken else f"{head} if {test} else None"
    return (Replace(found.head, value),)


def _is_bound_between(model: ScriptModel, name: cst.Name, first: cst.CSTNode, last: cst.CSTNode) -> bool:
    """Whether a variable is bound behind one statement and before another place."""
    found = variable(model, name, name.value)
    start, end = model.positions[first], model.positions[last]
    bound = (n for names in (found.binds.values() if found is not None else ()) for n in names)
    own = set(model.every(cst.Name, first))
    return any(start < model.positions[n] < end and n not in own for n in bound)
