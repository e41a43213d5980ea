"""Which NumPy expressions are float64 without anybody having asked for it."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.reaching_definitions import reaching_values
from memlint.analysis.knowledge.numpy_functions import (
    DOUBLE_MAKERS,
    DOUBLE_TYPES,
    GENERATORS,
    KEEPING_FUNCTIONS,
    KEEPING_METHODS,
    RANDOM_FUNCTIONS,
    REDUCTIONS,
    SCALER_CLASSES,
    SIZE_POSITIONS,
)
from memlint.analysis.model import ScriptModel
from memlint.detect.precision.byte_images import DEPTH, is_byte_image
from memlint.detect.precision.pandas_tables import is_continuous, is_table, table_of_values
from memlint.syntax.expressions import is_text
from memlint.syntax.tree import dotted


def is_double(model: ScriptModel, node: cst.BaseExpression, depth: int = 0) -> bool:
    """Whether an expression surely is a float64 array of more than one element."""
    if depth > DEPTH:
        return False
    table = table_of_values(model, node)
    if table is not None and is_table(model, table):
        return is_continuous(model, table)
    if isinstance(node, cst.Call):
        return _call(model, node, depth)
    if isinstance(node, cst.BinaryOperation):
        return _arithmetic(model, node, depth)
    if isinstance(node, cst.UnaryOperation):
        return is_double(model, node.expression, depth + 1)
    if isinstance(node, cst.Subscript):
        sliced = any(isinstance(e.slice, cst.Slice) for e in node.slice)
        return sliced and is_double(model, node.value, depth + 1)
    if isinstance(node, cst.Attribute) and node.attr.value == "T":
        return is_double(model, node.value, depth + 1)
    if isinstance(node, (cst.Name, cst.Attribute)):
        values = reaching_values(model, node)
        return bool(values) and all(is_double(model, v, depth + 1) for v in values)
    return False


def _call(model: ScriptModel, node: cst.Call, depth: int) -> bool:
    """Whether a call gives a float64 array: of numpy, of a random generator, of a method."""
    if any(a.keyword is not None and a.keyword.value == "dtype" for a in node.args):
        return False
    path = model.names.one(node.func)
    first = node.args[0].value if node.args else None
    name = path.rpartition(".")[2]
    if path.startswith("numpy.random."):
        return name in RANDOM_FUNCTIONS and _is_sized(node, name)
    if path.startswith("numpy."):
        return _numpy_function(model, node, name, first, depth)
    if isinstance(node.func, cst.Attribute) and not path:
        return _method(model, node, node.func, depth)
    return False


def _is_sized(node: cst.Call, name: str) -> bool:
    """Whether a random function is asked for an array."""
    size = any(a.keyword is not None and a.keyword.value == "size" for a in node.args)
    return size or len(node.args) >= SIZE_POSITIONS.get(name, 1)


def _numpy_function(
    model: ScriptModel, node: cst.Call, name: str, first: cst.BaseExpression | None, depth: int
) -> bool:
    """Whether a function of numpy gives float64."""
    if name in ("zeros", "ones", "empty"):
        return len(node.args) == 1
    if name in DOUBLE_MAKERS:
        return True
    if name in ("array", "asarray") and isinstance(first, (cst.List, cst.Tuple)):
        return len(node.args) == 1 and any(isinstance(n, cst.Float) for n in model.walk(first))
    if name in KEEPING_FUNCTIONS and first is not None:
        parts = [e.value for e in first.elements] if isinstance(first, (cst.List, cst.Tuple)) else [first]
        return any(is_double(model, p, depth + 1) for p in parts)
    return False


def _method(model: ScriptModel, node: cst.Call, func: cst.Attribute, depth: int) -> bool:
    name, owner = func.attr.value, func.value
    if name == "astype" and node.args:
        kind = node.args[0].value
        named = dotted(kind) == "float" or is_text(kind, "float", "float64", "double")
        return named or model.names.one(kind) in DOUBLE_TYPES
    if name in KEEPING_METHODS or (name in REDUCTIONS and node.args):
        return is_double(model, owner, depth + 1)
    made = _maker(model, owner)
    if made in GENERATORS:
        return name in RANDOM_FUNCTIONS and _is_sized(node, name)
    return bool(SCALER_CLASSES.match(made)) and name in ("fit_transform", "transform")


def _maker(model: ScriptModel, owner: cst.BaseExpression) -> str:
    """The import path of what made the object that a name is bound to."""
    values = reaching_values(model, owner) if isinstance(owner, cst.Name) else [owner]
    only = values[0] if len(values) == 1 else None
    return model.names.one(only.func) if isinstance(only, cst.Call) else ""


def _arithmetic(model: ScriptModel, node: cst.BinaryOperation, depth: int) -> bool:
    sides = (node.left, node.right)
    if any(is_double(model, side, depth + 1) for side in sides):
        return True
    number = isinstance(node.right, (cst.Float, cst.Integer))
    if not isinstance(node.operator, cst.Divide) or not number:
        return False
    table = table_of_values(model, node.left)
    if table is not None and is_table(model, table):
        return True
    return is_byte_image(model, node.left, depth)
