"""What a table of APIs asks of a call: which arguments are passed, and with which values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import libcst as cst

from memlint.analysis.dataflow.constants import MISSING, constant
from memlint.analysis.dataflow.definitions import Definition
from memlint.analysis.dataflow.value_sources import expressions_behind, value_sources
from memlint.analysis.model import ScriptModel

Condition = dict[str, Any]
"""`keyword` and `position` of an argument, and one of `given`, `equals`, `one-of`, `not-one-of`, `none`."""


def passed(call: cst.Call, condition: Condition) -> cst.Arg | None:
    """The argument that a condition speaks of; None where it is not passed, or perhaps in `*` or `**`."""
    plain = [arg for arg in call.args if arg.keyword is None and arg.star != "**"]
    for arg in call.args:
        if arg.keyword is not None and arg.keyword.value == condition["keyword"]:
            return arg
    position = condition.get("position", len(plain))
    before = plain[: position + 1]
    return plain[position] if position < len(plain) and not any(arg.star for arg in before) else None


def holds(model: ScriptModel, call: cst.Call, condition: Condition) -> bool:
    """Whether a condition holds for certain."""
    arg = passed(call, condition)
    if condition.get("given") is False:
        return arg is None and not _may_pass(call, condition)
    if arg is None:
        return False
    asked = {"equals", "one-of", "not-one-of", "none"} & condition.keys()
    if not asked:
        return True
    value = constant(model, arg.value)
    if value is MISSING:
        return False
    if "none" in asked:
        return (value is None) is condition["none"]
    if "not-one-of" in asked:
        return not _is_among(value, condition["not-one-of"])
    return _is_among(value, condition.get("one-of", [condition.get("equals")]))


def _may_pass(call: cst.Call, condition: Condition) -> bool:
    """Whether what is unpacked into a call may hold the argument."""
    stars = {arg.star for arg in call.args} - {""}
    return "**" in stars or ("*" in stars and "position" in condition)


def _is_among(value: object, wanted: Iterable[object]) -> bool:
    """Whether a value is one of some literals; True is not 1, but 1.0 is."""
    return any(isinstance(value, bool) == isinstance(one, bool) and value == one for one in wanted)


def is_made_by(model: ScriptModel, node: cst.BaseExpression, apis: Sequence[str]) -> bool:
    """Whether all that a value may be is known, and comes from calls of one of these names.

    A parameter counts by its annotation.
    """
    ends = expressions_behind(model, node)
    return bool(ends) and all(_is_made(model, end, apis) for end in ends)


def _is_made(model: ScriptModel, end: cst.CSTNode, apis: Sequence[str]) -> bool:
    if isinstance(end, cst.Call):
        return model.path_of(end.func) in apis
    sources = value_sources(model, end) if isinstance(end, cst.BaseExpression) else [Definition("param", end)]
    return bool(sources) and all(
        isinstance(source.node, cst.Param)
        and source.node.annotation is not None
        and model.path_of(source.node.annotation.annotation) in apis
        for source in sources
    )
