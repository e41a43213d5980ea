"""Values of pandas tables: which of them are float64 whatever the file held."""

from __future__ import annotations

import re

import libcst as cst

from memlint.analysis.dataflow.reaching_definitions import reaching_values
from memlint.analysis.knowledge import data_hints
from memlint.analysis.model import ScriptModel

_DEPTH = 6
_READS = re.compile(r"^pandas\.(read_\w+|DataFrame|concat|merge)$")
_SAME_TABLE = frozenset(
    "dropna drop fillna sample reset_index set_index copy sort_values sort_index head tail query merge join "
    "iloc loc interpolate clip ffill bfill rolling shift diff".split()
)


def table_of_values(model: ScriptModel, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The table of `table.values` and `table.to_numpy()`; None for any other expression."""
    if not model.imports("pandas"):
        return None
    if isinstance(node, cst.Call) and not node.args and isinstance(node.func, cst.Attribute):
        return node.func.value if node.func.attr.value == "to_numpy" else None
    if isinstance(node, cst.Attribute) and node.attr.value == "values":
        return node.value
    return None


def is_table(model: ScriptModel, node: cst.BaseExpression, depth: int = 0) -> bool:
    """Whether an expression is a pandas table or columns of one."""
    if depth > _DEPTH:
        return False
    if isinstance(node, cst.Call):
        if _READS.match(model.names.one(node.func)):
            return True
        func = node.func
        same = isinstance(func, cst.Attribute) and func.attr.value in _SAME_TABLE
        return same and is_table(model, func.value, depth + 1)  # type: ignore[attr-defined]
    if isinstance(node, cst.Subscript):
        return is_table(model, node.value, depth + 1)
    if isinstance(node, cst.Attribute):
        if node.attr.value in _SAME_TABLE:
            return is_table(model, node.value, depth + 1)
        return bool(data_hints.DATA_FRAME.search(node.attr.value))
    if isinstance(node, cst.BinaryOperation):
        return any(is_table(model, side, depth + 1) for side in (node.left, node.right))
    if isinstance(node, cst.Name):
        values = reaching_values(model, node)
        if not values:
            return bool(data_hints.DATA_FRAME.search(node.value))
        return all(is_table(model, value, depth + 1) for value in values)
    return False


def is_continuous(model: ScriptModel, table: cst.BaseExpression) -> bool:
    """Whether a table was divided, or is one column whose name speaks of a quantity."""
    divided = (n for n in model.walk(table) if isinstance(n, cst.BinaryOperation))
    if any(isinstance(n.operator, cst.Divide) for n in divided):
        return True
    if not isinstance(table, cst.Subscript) or len(table.slice) != 1:
        return False
    index = table.slice[0].slice
    name = index.value if isinstance(index, cst.Index) else None
    if not isinstance(name, cst.SimpleString):
        return False
    return bool(data_hints.CONTINUOUS_COLUMN.search(str(name.evaluated_value)))
