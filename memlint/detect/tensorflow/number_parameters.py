"""Whether a function that gets a Python number also works with a tensor in its place."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.tensorflow.flow import Flow
from memlint.syntax.expressions import literal


def takes_tensor(flow: Flow, function: cst.FunctionDef, name: str, given: cst.BaseExpression) -> bool:
    """Whether all that a function does with a parameter works where a tensor comes instead of a number.

    TensorFlow converts the other operand to the type of the tensor: `0.1 * step` raises for an int32
    tensor, and so does `step * x` for a tensor `x` of floats.
    """
    floating = _is_float(flow, given, 4)
    reads = [n for n in flow.model.every(cst.Name, function.body) if n.value == name]
    return all(_works(flow, read, floating) for read in reads)


def _is_float(flow: Flow, node: cst.CSTNode, depth: int) -> bool:
    if isinstance(node, cst.BinaryOperation):
        sides = (_is_float(flow, side, depth) for side in (node.left, node.right))
        return isinstance(node.operator, cst.Divide) or any(sides)
    if isinstance(node, cst.Call):
        return isinstance(node.func, cst.Name) and node.func.value == "float"
    if isinstance(node, cst.Name) and depth:
        made = [d.node for d in flow.definitions(node) if d.kind == "value"]
        return bool(made) and all(_is_float(flow, m, depth - 1) for m in made)
    return isinstance(node, cst.Float)


def _works(flow: Flow, node: cst.CSTNode, floating: bool) -> bool:
    """Whether the expression around a tensor accepts it."""
    above = flow.model.parent(node)
    if isinstance(above, cst.Arg):
        call = flow.model.parent(above)
        return isinstance(call, cst.Call) and flow.api(call.func).startswith("tf.")
    if isinstance(above, cst.BinaryOperation):
        other = above.right if above.left is node else above.left
        whole = isinstance(literal(other), int) and not isinstance(above.operator, cst.Divide)
        return (floating or whole) and _works(flow, above, floating)
    if isinstance(above, cst.ComparisonTarget):
        return True
    if isinstance(above, cst.Comparison):
        return not isinstance(literal(above.comparisons[0].comparator), float) or floating
    if isinstance(above, (cst.Assign, cst.AugAssign)):
        return floating
    return isinstance(above, (cst.Return, cst.If, cst.Element))
