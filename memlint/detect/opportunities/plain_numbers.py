"""Expressions that are numbers of Python, not tensors, by how they are made."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.model import ScriptModel
from memlint.syntax.expressions import literal

_ARITHMETIC = (cst.Add, cst.Subtract, cst.Multiply, cst.Divide, cst.FloorDivide, cst.Power)
_MAKES = frozenset({"float", "int", "len"})
_INFINITIES = frozenset({"math.inf", "torch.inf", "numpy.inf"})
_DEPTH = 8


def is_number(model: ScriptModel, node: cst.CSTNode, depth: int = _DEPTH) -> bool:
    """Whether an expression is a number whatever the arguments of its function are, those of a constructor
    apart."""
    if depth == 0:
        return False
    if isinstance(node, (cst.Integer, cst.Float)):
        return True
    if isinstance(node, cst.UnaryOperation):
        return is_number(model, node.expression, depth - 1)
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, _ARITHMETIC):
        sides = [is_number(model, side, depth - 1) for side in (node.left, node.right)]
        return all(sides) or (_is_root(node) and _is_open(model, node.left, depth - 1))
    if isinstance(node, cst.BooleanOperation) and isinstance(node.operator, cst.Or):
        return is_number(model, node.right, depth - 1)
    if isinstance(node, cst.Subscript):
        return isinstance(node.value, cst.Attribute) and node.value.attr.value == "shape"
    if isinstance(node, cst.Call):
        return _makes_number(model, node)
    return isinstance(node, (cst.Name, cst.Attribute)) and _stands_for_numbers(model, node, depth - 1)


def is_infinite(model: ScriptModel, node: cst.BaseExpression) -> bool:
    """Whether an expression is minus infinity."""
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        inner = node.expression
        return model.path_of(inner) in _INFINITIES or _spells(inner, "inf")
    return _spells(node, "-inf")


def _makes_number(model: ScriptModel, call: cst.Call) -> bool:
    func = call.func
    if isinstance(func, cst.Name):
        return func.value in _MAKES
    if model.path_of(func).startswith("math."):
        return True
    return isinstance(func, cst.Attribute) and func.attr.value == "size" and len(call.args) == 1


def _is_root(node: cst.BinaryOperation) -> bool:
    """Whether something is taken to the power of a half: of a width, as scales of attention are made."""
    power = node.right.expression if isinstance(node.right, cst.UnaryOperation) else node.right
    return isinstance(node.operator, cst.Power) and literal(power) == 0.5


def _is_open(model: ScriptModel, node: cst.BaseExpression, depth: int) -> bool:
    """Whether an expression is made of numbers and of arguments of a constructor, as a width is: what
    `forward` is given may be a tensor."""
    if isinstance(node, cst.BinaryOperation):
        return _is_open(model, node.left, depth) and _is_open(model, node.right, depth)
    sources = value_sources(model, node)
    return depth > 0 and all(
        (source.kind == "param" and _is_of_constructor(model, source.node))
        or (source.node is not node and _is_number_or_open(model, source.node, depth - 1))
        for source in sources
    )


def _is_of_constructor(model: ScriptModel, parameter: cst.CSTNode) -> bool:
    function = model.function_of(parameter)
    return isinstance(function, cst.FunctionDef) and function.name.value == "__init__"


def _is_number_or_open(model: ScriptModel, node: cst.CSTNode, depth: int) -> bool:
    opens = isinstance(node, (cst.BinaryOperation, cst.Name, cst.Attribute))
    return is_number(model, node, depth) or (opens and _is_open(model, node, depth))  # type: ignore[arg-type]


def _stands_for_numbers(model: ScriptModel, node: cst.Name | cst.Attribute, depth: int) -> bool:
    sources = value_sources(model, node)
    made = [source.node for source in sources if source.kind == "value" and source.node is not node]
    return bool(made) and len(made) == len(sources) and all(is_number(model, each, depth) for each in made)


def _spells(node: cst.BaseExpression, text: str) -> bool:
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Name) or len(node.args) != 1:
        return False
    told = literal(node.args[0].value)
    return node.func.value == "float" and isinstance(told, str) and told.lower() == text
