"""Abstract arithmetic and comparison of values."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.interpret.containers import elements, graded, new_list
from memlint.analysis.interpret.contents import deep_ids, weights_in
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Args
from memlint.analysis.values import (
    NONE,
    SCALAR,
    Choice,
    Const,
    External,
    Items,
    Kind,
    Method,
    Params,
    Ref,
    Scalar,
    Tensor,
    Unknown,
    Value,
    kind_of,
    options_of,
)
from memlint.syntax.expressions import literal

_SCALES = (cst.MultiplyAssign, cst.DivideAssign, cst.FloorDivideAssign, cst.PowerAssign)
_KEEPS = (cst.MatrixMultiply, cst.MatrixMultiplyAssign)
_LESS = (cst.Subtract, cst.SubtractAssign, cst.BitAnd, cst.BitAndAssign)


def arithmetic(machine: Machine, left: Value, right: Value, node: cst.CSTNode) -> Value:
    """The result of an arithmetic operation on two values."""
    if isinstance(left, Items) and isinstance(right, Items):
        return Items(left.items + right.items)
    if any(isinstance(v, Ref) and v.obj.kind == "list" for v in (left, right)):
        if isinstance(getattr(node, "operator", None), _LESS):
            return _without(machine, left, node)
        repeats = isinstance(getattr(node, "operator", None), (cst.Multiply, cst.MultiplyAssign))
        return _repeated(machine, left, right, node) if repeats else _concatenated(machine, left, right, node)
    if isinstance(left, Params) and isinstance(right, Params) and not (left.single or right.single):
        return Params(left.owners | right.owners)
    lists = any(isinstance(v, Params) and not v.single for v in (left, right))
    if lists and isinstance(getattr(node, "operator", None), (cst.Add, cst.AddAssign)):
        return _concatenated(machine, left, right, node)
    kinds = [k for v in (left, right) if (k := kind_of(v)) is not None]
    ids = deep_ids(machine, left) | deep_ids(machine, right)
    if isinstance(getattr(node, "operator", None), cst.Power):
        # A share of the weights, `0.1 * p`, goes into averages of them, which have a rule of their own.
        ids |= weights_in(machine, (left, right), node)
    if any(isinstance(v, Params) for v in (left, right)) and machine.state is not None:
        kinds.append(Kind.DETACHED if machine.state.grad == "off" else Kind.GRAPH)
    unknown = any(isinstance(o, (Unknown, Method)) for v in (left, right) for o in options_of(v))
    if not kinds and isinstance(getattr(node, "operator", None), _SCALES) and _is_number(left):
        return SCALAR  # `mu *= config.tau`: a number that is scaled, by a number most likely
    if kinds and (max(kinds) >= Kind.MAYBE or not unknown):
        kind = graded(machine, max(kinds))
        # A product of matrices keeps both until a backward runs through it.
        light = not isinstance(getattr(node, "operator", None), _KEEPS)
        result: Tensor | Unknown = machine.tensor(max(kind, Kind.INDEX), node, ids, lightweight=light)
    elif unknown:
        result = machine.unknown(node, ids, lightweight=True)
    else:
        return SCALAR
    _limit_proof(machine, result, left, right, node)
    return result


def _is_number(value: Value) -> bool:
    return all(isinstance(o, Scalar) or (isinstance(o, Const) and o != NONE) for o in options_of(value))


def _limit_proof(
    machine: Machine, result: Tensor | Unknown, left: Value, right: Value, node: cst.CSTNode
) -> None:
    """A backward through `loss / n` shows that `loss` is a tensor; of `n` it shows nothing."""
    operator = getattr(node, "operator", None)
    if isinstance(operator, (cst.Divide, cst.DivideAssign)):
        shown = deep_ids(machine, left)
    elif isinstance(operator, (cst.Multiply, cst.MultiplyAssign)):
        shown = frozenset().union(*(deep_ids(machine, v) for v in (left, right) if kind_of(v) is not None))
    else:
        return
    for number in result.ids if shown else ():
        machine.trace.proved_by_backward[number] = shown


def _concatenated(machine: Machine, left: Value, right: Value, node: cst.CSTNode) -> Value:
    """The sum of two lists: a new list with the elements of both."""
    fresh = new_list(machine, node)
    sides = [_members(machine, side) for side in (left, right)]
    parameters = any(isinstance(member, Params) for side in sides for member in side)
    for side, members in zip((left, right), sides, strict=True):
        # Beside parameters of networks, what is out of view may be parameters of others.
        unseen = parameters and isinstance(side, Unknown)
        for member in (elements(machine, side, node),) if unseen else members:
            machine.put(fresh.obj, member)
    return fresh


def _without(machine: Machine, left: Value, node: cst.CSTNode) -> Value:
    """What two sets leave of the left one: all that is in the result was in it, `phases - {"test"}`."""
    if isinstance(left, Unknown):
        return machine.unknown(node, deep_ids(machine, left), lightweight=True)
    return _concatenated(machine, left, SCALAR, node)


def _repeated(machine: Machine, left: Value, right: Value, node: cst.CSTNode) -> Value:
    """A list several times over, `[0] * length`: how often is no element of it."""
    given = (v for v in (left, right) if isinstance(v, Ref) and v.obj.kind == "list")
    return _concatenated(machine, next(given, SCALAR), SCALAR, node)


def _members(machine: Machine, value: Value) -> tuple[Value, ...]:
    """What a list, a tuple or the parameters of a network hold, as far as it is in view."""
    if isinstance(value, Ref) and value.obj.kind == "list":
        inner = machine.content(value.obj)
        return (inner,) if inner is not None else ()
    if isinstance(value, Ref) and value.obj.kind == "module":
        return (Params(frozenset((value.obj.id,))),)
    if isinstance(value, Items):
        return value.items
    return (value,) if isinstance(value, (Params, Tensor)) else ()


def compare(left: Value, operator: cst.BaseCompOp, right: Value) -> bool | None:
    """Whether a comparison holds, None when that is not known."""
    if isinstance(operator, (cst.Is, cst.IsNot)) and right == NONE:
        known = _is_none(left)
        return known if known is None or isinstance(operator, cst.Is) else not known
    if isinstance(left, Const) and isinstance(right, Const):
        if isinstance(operator, cst.Equal):
            return left.value == right.value
        if isinstance(operator, cst.NotEqual):
            return left.value != right.value
    if (
        isinstance(left, Const)
        and isinstance(right, Items)
        and all(isinstance(v, Const) for v in right.items)
    ):
        held = left in right.items
        if isinstance(operator, cst.In):
            return held
        if isinstance(operator, cst.NotIn):
            return not held
    return None


def of_text(text: Const, name: str, args: Args) -> Value:
    """What a method of a known string gives: a test of it, or the string in other letters."""
    given = args[0].value if len(args) == 1 and isinstance(args[0], Const) else None
    if not isinstance(text.value, str):
        return SCALAR
    if name in ("lower", "upper", "strip") and not args:
        return Const(getattr(text.value, name)())
    if name in ("startswith", "endswith") and isinstance(given, str):
        return Const(getattr(text.value, name)(given))
    return SCALAR


def cut(text: Const, part: cst.Slice) -> Value:
    """A piece of a known string between literal bounds, `name[:-2]`."""
    bounds = [literal(b) if b is not None else None for b in (part.lower, part.upper)]
    known = [b for b in bounds if b is None or isinstance(b, int)]
    if not isinstance(text.value, str) or len(known) != 2 or part.step is not None:
        return SCALAR
    return Const(text.value[known[0] : known[1]])


def _is_none(value: Value) -> bool | None:
    if isinstance(value, Choice):
        found = {_is_none(v) for v in value.options}
        return found.pop() if len(found) == 1 else None
    if isinstance(value, Const):
        return value.value is None
    vague = (
        isinstance(value, (Unknown, Method, External))
        or (isinstance(value, Scalar) and not value.what)
        or (isinstance(value, Ref) and value.obj.by_name)
    )
    return None if vague else False
