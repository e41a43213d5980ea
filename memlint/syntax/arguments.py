"""What calls pass: arguments by position, keyword or parameter."""

from __future__ import annotations

import libcst as cst


def keyword(call: cst.Call, name: str) -> cst.BaseExpression | None:
    """The value of a keyword argument."""
    return next((a.value for a in call.args if a.keyword is not None and a.keyword.value == name), None)


def keywords(call: cst.Call) -> set[str]:
    """The names of the keyword arguments of a call."""
    return {arg.keyword.value for arg in call.args if arg.keyword is not None}


def listed_parameters(function: cst.FunctionDef | cst.Lambda) -> list[cst.Param]:
    """The parameters of a function, `*args` and `**kwargs` last."""
    params = function.params
    listed = [*params.posonly_params, *params.params, *params.kwonly_params]
    return listed + [p for p in (params.star_arg, params.star_kwarg) if isinstance(p, cst.Param)]


def parameters(function: cst.FunctionDef | cst.Lambda) -> list[str]:
    """The names of a function's parameters."""
    return [p.name.value for p in listed_parameters(function)]


def argument_for(call: cst.Call, function: cst.FunctionDef, name: str) -> cst.BaseExpression | None:
    """What a call passes for a parameter of the function that it calls."""
    names = [p.name.value for p in (*function.params.posonly_params, *function.params.params)]
    if names and names[0] in ("self", "cls") and isinstance(call.func, (cst.Attribute, cst.Name)):
        names = names[1:]
    return argument(call, names.index(name) if name in names else -1, name)


def argument(call: cst.Call, position: int, name: str) -> cst.BaseExpression | None:
    """The argument at a position or of a name; None where it is not given, or not to be told."""
    named = keyword(call, name)
    if named is not None:
        return named
    plain = [a for a in call.args if a.keyword is None]
    if any(a.star for a in plain[: position + 1]) or not 0 <= position < len(plain):
        return None
    return plain[position].value
