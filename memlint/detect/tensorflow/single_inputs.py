"""Which arguments of a model are one input, made into a batch of one."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.tensorflow.flow import Flow
from memlint.syntax.arguments import argument, keyword
from memlint.syntax.expressions import UNKNOWN, calls_in, literal, mentions, same
from memlint.syntax.tree import dotted, last_name, walk

_MADE = (cst.Call, cst.Subscript, cst.BinaryOperation)


def is_single_input(flow: Flow, given: cst.BaseExpression) -> bool:
    """Whether an argument is one input, made into a batch of one; of several inputs each."""
    if isinstance(given, (cst.List, cst.Tuple)) and len(given.elements) > 1:
        return all(is_single_input(flow, element.value) for element in given.elements)
    if isinstance(given, cst.Dict) and given.elements:
        return all(is_single_input(flow, element.value) for element in given.elements)
    made = [s for s in flow.sources(given) if isinstance(s, _MADE)]
    lists = [s.args[0].value for s in made if isinstance(s, cst.Call) and s.args]
    if any(isinstance(one, cst.List) and len(one.elements) == 1 for one in lists):
        return True
    return any(_makes_one(part) for part in (given, *made))


def _makes_one(node: cst.CSTNode) -> bool:
    """Whether an expression makes a batch of one: `x[None]`, `x.reshape(1, -1)`, `np.array([x])`. What it
    adds behind the first dimension is a channel, `x[..., np.newaxis]`."""
    if mentions(node, "atleast_2d") or _is_list_of_one(node):
        return True
    if any(_adds_a_batch(call) for call in calls_in(node, "expand_dims")):
        return True
    indices = (n for n in walk(node) if isinstance(n, cst.Subscript) and n.slice)
    firsts = (n.slice[0].slice for n in indices)
    if any(_is_new_axis(first) or _is_one_wide(first) for first in firsts):
        return True
    shapes = (call.args[0].value for call in calls_in(node, "reshape") if call.args)
    if any(literal(_first(shape)) == 1 for shape in shapes):
        return True
    if isinstance(node, cst.Call) and literal(_first(_shape_of(node))) == 1:
        return True
    arrays = (call for call in calls_in(node, "array") if call.args and dotted(call.func) == "np.array")
    return any(_is_list_of_one(call.args[0].value) for call in arrays)


def _adds_a_batch(call: cst.Call) -> bool:
    """Whether `expand_dims` may put a dimension before all others."""
    axis = argument(call, 1, "axis")
    number = literal(axis) if axis is not None else UNKNOWN
    return not isinstance(number, int) or number == 0


def _is_new_axis(index: cst.BaseSlice) -> bool:
    if not isinstance(index, cst.Index):
        return False
    return literal(index.value) is None or last_name(index.value) == "newaxis"


def _is_one_wide(index: cst.BaseSlice) -> bool:
    """Whether a slice takes one: `x[i : i + 1]`."""
    if not isinstance(index, cst.Slice) or index.lower is None or index.step is not None:
        return False
    end = index.upper
    if not isinstance(end, cst.BinaryOperation) or not isinstance(end.operator, cst.Add):
        return False
    return same(end.left, index.lower) and literal(end.right) == 1


_OF_SHAPE = ("zeros", "ones", "full", "empty")
_OF_NUMBERS = ("rand", "randn", "random", "uniform", "normal")


def _shape_of(call: cst.Call) -> cst.BaseExpression:
    """The shape of the array that a call makes: `np.zeros((1, 4))`, `np.random.rand(1, 4)`, `size=(1, 4)`."""
    name, several = last_name(call.func), len(call.args) > 1
    given = keyword(call, "size") or keyword(call, "shape")
    if given is not None and name in (*_OF_SHAPE, *_OF_NUMBERS):
        return given
    plain = bool(call.args) and call.args[0].keyword is None
    counted = name in ("rand", "randn") and several and "random" in dotted(call.func)
    counted = counted or (name in ("normal", "uniform") and dotted(call.func) == f"tf.random.{name}")
    return call.args[0].value if plain and (name in _OF_SHAPE or counted) else call


def _first(shape: cst.BaseExpression) -> cst.BaseExpression:
    many = shape.elements if isinstance(shape, (cst.Tuple, cst.List)) else ()
    return many[0].value if many else shape


def _is_list_of_one(node: cst.CSTNode) -> bool:
    elements = node.elements if isinstance(node, cst.List) else ()
    return len(elements) == 1 and isinstance(elements[0].value, cst.Name)
