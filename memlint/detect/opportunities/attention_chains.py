"""Statements between the scores of attention and their softmax, one by one."""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from memlint.analysis.model import ScriptModel
from memlint.detect.opportunities.attention_maps import Attention
from memlint.detect.opportunities.attention_recipes import Recipe, combined, recipe


def absorbed(
    model: ScriptModel, statement: cst.BaseStatement, found: Attention, known: dict[str, Recipe]
) -> tuple[cst.BaseStatement, str] | None:
    """The statement that binds what becomes of the scores, and the variable, which `known` then has.

    None where a statement does anything else. A mask may be added where there is one: `if mask is not None:`.
    """
    test = statement.test if isinstance(statement, cst.If) else None
    if isinstance(statement, cst.If):
        inner = statement.body.body if isinstance(statement.body, cst.IndentedBlock) else ()
        if statement.orelse is not None or len(inner) != 1 or not isinstance(inner[0], cst.BaseStatement):
            return None
        statement = inner[0]
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return None
    made = _assigned(model, statement.body[0], found, known)
    if made is None:
        return None
    name, after = made
    if test is not None:
        before, asked = known.get(name), _asked(model, test)
        if before is None or before.mask or not asked or replace(after, mask="") != before:
            return None
        told = f"{after.mask} if {asked} is not None else None"
        after = replace(after, mask=asked if after.mask == asked else told)
    known[name] = after
    return statement, name


def _assigned(
    model: ScriptModel, line: cst.BaseSmallStatement, found: Attention, known: dict[str, Recipe]
) -> tuple[str, Recipe] | None:
    """What an assignment to a name makes of the scores."""
    made: Recipe | None = None
    target: cst.BaseExpression | None = None
    if isinstance(line, cst.Assign) and len(line.targets) == 1:
        target, made = line.targets[0].target, recipe(model, line.value, found, known)
    elif isinstance(line, cst.AugAssign) and isinstance(line.target, cst.Name):
        target, before = line.target, known.get(line.target.value)
        made = combined(model, before, line.operator, line.value) if before is not None else None
    return (target.value, made) if isinstance(target, cst.Name) and made is not None else None


def _asked(model: ScriptModel, test: cst.BaseExpression) -> str:
    """What a condition asks whether it is there: `mask is not None`."""
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return ""
    target = test.comparisons[0]
    nothing = isinstance(target.comparator, cst.Name) and target.comparator.value == "None"
    is_there = nothing and isinstance(target.operator, cst.IsNot)
    return model.code(test.left) if is_there and isinstance(test.left, (cst.Name, cst.Attribute)) else ""
