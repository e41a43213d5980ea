"""Calls of torch that join one piece to what there is."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.model import ScriptModel

_JOINS = ("torch.cat", "torch.concat", "torch.concatenate")


def joins_one(model: ScriptModel, call: cst.Call, target: str) -> bool:
    """Whether a call is `torch.cat([target, piece])`, if need be along a dimension that is a number."""
    joined, *rest = call.args
    if model.path_of(call.func) not in _JOINS or joined.keyword is not None:
        return False
    if not isinstance(joined.value, (cst.List, cst.Tuple)) or len(joined.value.elements) != 2:
        return False
    first = joined.value.elements[0].value
    numbers = all(isinstance(arg.value, (cst.Integer, cst.UnaryOperation)) for arg in rest)
    return isinstance(first, cst.Name) and first.value == target and numbers
