"""How large an array is by its literal shape."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.tensorflow.flow import Flow

_BYTES = {"float16": 2, "float32": 4, "int32": 4, "uint8": 1, "int8": 1, "bool": 1, "int16": 2}


def parts_of(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The arrays of a tuple or dictionary of arrays."""
    if isinstance(node, (cst.Tuple, cst.List)):
        for element in node.elements:
            yield from parts_of(element.value)
    elif isinstance(node, cst.Dict):
        for pair in node.elements:
            yield from parts_of(pair.value)
    else:
        yield node


def element_count(flow: Flow, call: cst.Call) -> int:
    """The number of elements of a literal shape; 0 where it is not known."""
    total = 1
    numbers: list[cst.BaseExpression] = []
    for arg in call.args:
        if arg.keyword is None or arg.keyword.value in ("size", "shape"):
            numbers += [*parts_of(arg.value)]
    for number in numbers:
        known = [s for s in flow.sources(number) if isinstance(s, (cst.Integer, cst.Float))]
        value = known[0].evaluated_value if len(known) == 1 else None
        if isinstance(known[0] if known else None, cst.Integer) and value:
            total *= int(value)
    return total if numbers else 0


def element_bytes(text: str) -> int:
    """The bytes of one element of an array, by the dtype that its call names; 8 without one."""
    return next((size for name, size in _BYTES.items() if name in text), 8)
