"""Expressions that give tensors of many elements."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.model import ScriptModel
from memlint.analysis.training.sizing.outputs import output_size
from memlint.analysis.values import Items, Kind, Tensor, Unknown, Value, options_of
from memlint.syntax.tree import dotted

# What gives a tensor as large as what it is given; reductions and indices are small.
_LARGE = frozenset(
    "softmax log_softmax sigmoid tanh relu gelu exp interpolate cat stack concat concatenate one_hot "
    "make_grid clone normalize upsample hstack vstack abs square grid_sample clamp".split()
)
_SAME_SIZE = frozenset(
    "detach data contiguous float half view reshape flatten permute transpose cuda to".split()
)


def is_tensor(value: Value) -> bool:
    """Whether a value may be a tensor of numbers, or a sequence with one in it; no indices."""
    for option in options_of(value):
        if isinstance(option, Items):
            return any(is_tensor(v) for v in option.items)
        if isinstance(option, Tensor) and option.kind is not Kind.INDEX:
            return True
        if isinstance(option, Unknown) and option.ids:
            return True
    return False


def may_matter(model: ScriptModel, value: cst.BaseExpression, ids: frozenset[int]) -> bool:
    """Whether an expression with these graph identities gives as many bytes as are worth a word.

    All gradients in one vector are as large as the model. Other values are as large as the outputs that they
    were computed from, or have a name that speaks of images.
    """
    if any(node.attr.value == "grad" for node in model.every(cst.Attribute, value)):
        return True
    near = model.trace.ancestors(ids, lightweight_only=True)
    inside = set(model.walk(value))
    made = [f for f in model.trace.forwards.values() if f.ids & near or f.node in inside]
    reached = model.trace.ancestors(ids) if not made else near
    made = made or [f for f in model.trace.forwards.values() if f.ids & reached]
    return any(output_size(model, forward).matters for forward in made)


def is_large(model: ScriptModel, value: cst.BaseExpression) -> bool:
    """Whether an expression gives a tensor of many elements, and leaves it where the model is."""
    while True:
        if isinstance(value, cst.Call):
            name = dotted(value.func).rpartition(".")[2] or (
                value.func.attr.value if isinstance(value.func, cst.Attribute) else ""
            )
            if name in _LARGE or any(f.node is value for f in model.trace.forwards.values()):
                return True
            if name not in _SAME_SIZE or not isinstance(value.func, cst.Attribute):
                return False
            value = value.func.value
        elif isinstance(value, cst.Attribute) and value.attr.value == "data":
            value = value.value
        else:
            return False
