"""What a file sets a number or a string to: literals, constants, defaults of parameters and options."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.model import ScriptModel


def integer_of(model: ScriptModel, node: cst.BaseExpression) -> int | None:
    """The integer that an expression stands for, when the file gives it exactly one value."""
    if isinstance(node, cst.Integer):
        return int(node.evaluated_value)
    name = last_name(node)
    if not name:
        return None
    given = list(_given(model, name))
    found = {int(v.evaluated_value) if isinstance(v, cst.Integer) else None for v in given}
    return found.pop() if len(found) == 1 else None


def last_name(node: cst.BaseExpression) -> str:
    """`k` for `k`, `args.k` and `self.k`; "" for anything else."""
    if isinstance(node, cst.Name):
        return node.value
    return node.attr.value if isinstance(node, cst.Attribute) else ""


def _given(model: ScriptModel, name: str) -> Iterator[cst.BaseExpression]:
    """Every value that the file assigns to a variable, attribute, parameter or option of this name."""
    for node in model.names.preorder.nodes:
        kind = type(node)
        if kind is cst.Assign:
            if any(last_name(t.target) == name for t in node.targets):  # type: ignore[attr-defined]
                yield node.value  # type: ignore[attr-defined]
        elif kind is cst.AnnAssign:
            if node.value is not None and last_name(node.target) == name:  # type: ignore[attr-defined]
                yield node.value  # type: ignore[attr-defined]
        elif kind is cst.Param and node.name.value == name and node.default is not None:  # type: ignore[attr-defined]
            yield node.default  # type: ignore[attr-defined]
    for call in model.names.calls:
        if option_of(call) == name:
            default = keyword(call, "default")
            if default is not None:
                yield default


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


def keyword(call: cst.Call, name: str) -> cst.BaseExpression | None:
    """The value of a keyword argument."""
    return next((a.value for a in call.args if a.keyword is not None and a.keyword.value == name), None)


def argument(call: cst.Call, position: int, name: str) -> cst.BaseExpression | None:
    """The value of an argument given by position or by name."""
    plain = [a for a in call.args if a.keyword is None]
    if position < len(plain) and not any(a.star for a in plain[: position + 1]):
        return plain[position].value
    return keyword(call, name)
