"""Whether the elements of a tensor are only read, one by one, to compute a new tensor."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.model import ScriptModel
from memlint.analysis.uses.value_uses import Use, uses_of
from memlint.syntax.tree import last_name

_OPERATORS = (
    cst.Add, cst.Subtract, cst.Multiply, cst.Divide, cst.FloorDivide, cst.Modulo, cst.Power, cst.BitAnd,
    cst.BitOr, cst.BitXor,
)  # fmt: skip
_METHODS = frozenset(
    "add sub mul div pow eq ne lt le gt ge maximum minimum masked_fill where logical_and logical_or lerp "
    "addcmul addcdiv atan2 fmod remainder add_ sub_ mul_ div_ masked_fill_".split()
)
_OWN = frozenset("abs exp log sqrt sin cos square sigmoid tanh neg reciprocal rsqrt".split())
"""Methods of one tensor that make a new one of the same shape."""

ELEMENTWISE = frozenset(name for name in _METHODS | _OWN if not name.endswith("_"))
"""Functions and methods of tensors that compute element by element and leave what they read as it is."""

_ASKS = frozenset("shape size dim ndim dtype device numel".split())


def is_read_elementwise(model: ScriptModel, call: cst.Call) -> bool:
    """Whether all uses of what a call gives are elementwise operations, which make a new tensor."""
    uses = list(uses_of(model, call))
    return bool(uses) and all(_is_elementwise(model, use, call) for use in uses)


def _is_elementwise(model: ScriptModel, use: Use, call: cst.Call) -> bool:
    """Whether a use only reads the elements, one by one, and makes a new tensor or asks for the shape."""
    node = use.node
    if use.how == "computed":
        return isinstance(node, cst.UnaryOperation) or (
            isinstance(node, cst.BinaryOperation) and isinstance(node.operator, _OPERATORS)
        )
    if use.how == "compared":
        return True
    if use.how == "added":
        # `x += t.repeat(...)` reads it; `t += x` under the name that it was given writes to it.
        return model.parent(call) is node
    if use.how == "attribute":
        return use.name in _ASKS
    if use.how == "method":
        return use.name in _OWN | _ASKS or (use.name in _METHODS and not use.name.endswith("_"))
    if not isinstance(node, cst.Call) or use.arg is None or use.arg.keyword is not None:
        return False
    name = last_name(node.func)
    of_torch = model.path_of(node.func).startswith("torch.") and not name.endswith("_")
    return name in _METHODS | _OWN and (of_torch or isinstance(node.func, cst.Attribute))
