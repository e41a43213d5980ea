"""Which expressions are images of bytes: divided by a number they become float64."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.reaching_definitions import reaching_values
from memlint.analysis.knowledge.numpy_functions import BYTE_IMAGE_READERS, KEEPING_FUNCTIONS, KEEPING_METHODS
from memlint.analysis.model import ScriptModel

DEPTH = 8


def is_byte_image(model: ScriptModel, node: cst.BaseExpression, depth: int) -> bool:
    """Whether an expression is an array of bytes: divided by a number it becomes float64."""
    if depth > DEPTH:
        return False
    if isinstance(node, cst.Name):
        values = reaching_values(model, node)
        return bool(values) and all(is_byte_image(model, v, depth + 1) for v in values)
    if isinstance(node, cst.Call):
        path = model.names.one(node.func)
        if path in BYTE_IMAGE_READERS or path == "cv2.cvtColor" or path == "cv2.resize":
            return True
        first = node.args[0].value if node.args else None
        if path.startswith("numpy.") and path.rpartition(".")[2] in KEEPING_FUNCTIONS and first is not None:
            return is_byte_image(model, first, depth + 1)
        if isinstance(node.func, cst.Attribute) and node.func.attr.value in (
            *KEEPING_METHODS,
            "convert",
            "resize",
        ):
            return is_byte_image(model, node.func.value, depth + 1)
    return False
