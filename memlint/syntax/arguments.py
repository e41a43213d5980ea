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
    names = _by_position(call, function)
    return argument(call, names.index(name) if name in names else -1, name)


def parameter_for(call: cst.Call, function: cst.FunctionDef, given: cst.Arg) -> str:
    """The parameter that an argument of a call is for, the other way round; "" where it is not to be told."""
    if given.keyword is not None:
        return given.keyword.value
    plain = [arg for arg in call.args if arg.keyword is None]
    position = next(i for i, arg in enumerate(plain) if arg is given)
    names = _by_position(call, function)
    known = position < len(names) and not any(arg.star for arg in plain[: position + 1])
    return names[position] if known else ""


def _by_position(call: cst.Call, function: cst.FunctionDef) -> list[str]:
    """The parameters that positional arguments are for, without that of a method's object."""
    names = [p.name.value for p in (*function.params.posonly_params, *function.params.params)]
    if names and names[0] in ("self", "cls") and isinstance(call.func, (cst.Attribute, cst.Name)):
        return names[1:]
    return names


def argument(call: cst.Call, position: int, name: str) -> cst.BaseExpression | None:
    """The argument at a position or of a name; None where it is not given, or not to be told."""
    named = keyword(call, name)
    if named is not None:
        return named
    plain = [a for a in call.args if a.keyword is None]
    if any(a.star for a in plain[: position + 1]) or not 0 <= position < len(plain):
        return None
    return plain[position].value
