"""What a file sets a number or a string to: literals, constants, defaults of parameters and options."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.model import ScriptModel
from memlint.syntax.arguments import keyword


def integer_of(model: ScriptModel, node: cst.BaseExpression) -> int | None:
    """The integer that an expression stands for, when the file gives it exactly one value."""
    if isinstance(node, cst.Integer):
        return int(node.evaluated_value)
    name = last_name(node)
    if not name:
        return None
    found = {int(v.evaluated_value) if isinstance(v, cst.Integer) else None for v in given_to(model, name)}
    return found.pop() if len(found) == 1 else None


def last_name(node: cst.BaseExpression) -> str:
    """`k` for `k`, `args.k` and `self.k`; "" for anything else."""
    if isinstance(node, cst.Name):
        return node.value
    return node.attr.value if isinstance(node, cst.Attribute) else ""


def given_to(model: ScriptModel, name: str) -> list[cst.BaseExpression]:
    """Every value that the file assigns to a variable, attribute, parameter or option of this name."""
    return _given_by_name(model).get(name, [])


@cached
def _given_by_name(model: ScriptModel) -> dict[str, list[cst.BaseExpression]]:
    found: dict[str, list[cst.BaseExpression]] = {}
    for bound, value in _given(model):
        found.setdefault(bound, []).append(value)
    return found


def _given(model: ScriptModel) -> Iterator[tuple[str, cst.BaseExpression]]:
    for node in model.names.preorder.nodes:
        kind = type(node)
        if kind is cst.Assign:
            for target in node.targets:  # type: ignore[attr-defined]
                yield last_name(target.target), node.value  # type: ignore[attr-defined]
        elif kind is cst.AnnAssign and node.value is not None:  # type: ignore[attr-defined]
            yield last_name(node.target), node.value  # type: ignore[attr-defined]
        elif kind is cst.Param and node.default is not None:  # type: ignore[attr-defined]
            yield node.name.value, node.default  # type: ignore[attr-defined]
    for call in model.names.calls:
        default = keyword(call, "default") if option_of(call) else None
        if default is not None:
            yield option_of(call), default


def option_of(call: cst.Call) -> str:
    """The attribute that `parser.add_argument("--some-option", ...)` fills, "" for other calls."""
    if not isinstance(call.func, cst.Attribute) or call.func.attr.value != "add_argument":
        return ""
    dest = keyword(call, "dest")
    if isinstance(dest, cst.SimpleString):
        return str(dest.evaluated_value)
    flags = [
        str(a.value.evaluated_value)
        for a in call.args
        if a.keyword is None and isinstance(a.value, cst.SimpleString)
    ]
    long = [f for f in flags if f.startswith("--")] or flags
    return long[0].lstrip("-").replace("-", "_") if long else ""
