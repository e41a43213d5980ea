"""What torch's operators do with memory: which make nothing, and which are in place without a mode."""

from __future__ import annotations

from typing import Any

import torch

from memlint.runtime.child.private import schema as schema_of
from memlint.runtime.child.torch_names import find

_REBINDS = ("lift_fresh", "set_", "resize")

LIFT = find("torch.ops.aten.lift_fresh.default")
"""What a tensor made from Python or NumPy goes through first."""

OF_PYTHON = torch.autograd.function.BackwardCFunction
"""The nodes of a script's own autograd functions."""

_SELECTING = (
    "TopkBackward0 MaxBackward0 MinBackward0 SortBackward0 SortBackward1 KthvalueBackward0 ModeBackward0"
    " MedianBackward1 NanmedianBackward1"
)
"""The nodes of what selects values along a dimension."""

IN_PLACE: dict[int, tuple[str, ...]] = {
    id(found): tuple(nodes.split())
    for name, nodes in (
        ("add.Tensor", ""),
        ("scatter_add.default", "GatherBackward0 CummaxBackward0 CumminBackward0"),
        ("index_put.default", "IndexBackward0"),
        ("index_add.default", "IndexSelectBackward0"),
        ("put.default", "TakeBackward0"),
        ("masked_scatter.default", "MaskedSelectBackward0"),
        ("scatter.src", _SELECTING),
        ("index_fill.int_Tensor", "TraceBackward0"),
    )
    if (found := find(f"torch.ops.aten.{name}")) is not None
}
"""By id of an operator: the nodes whose formulas use it in place where no mode is active; none named: sums.

Without a dispatch mode, autograd adds the second of two gradients to the first where that is no view and
nobody else holds it (`can_accumulate_inplace`), and some formulas fill zeros in place. See
`isTensorSubclassLike` in torch/csrc/autograd/FunctionsManual.cpp and in input_buffer.cpp.
"""


def only_aliases(func: Any) -> bool:
    """Whether an operator returns nothing but views or its own arguments, so that no storage can be new."""
    schema = schema_of(func)
    if schema is not None and schema.name == "aten::_efficientzerotensor":
        return True  # it has a size, and no memory
    if schema is None or any(word in schema.name for word in _REBINDS):
        return False
    if any(argument.is_out for argument in schema.arguments):
        return False
    return bool(schema.returns) and all(r.alias_info is not None for r in schema.returns)
