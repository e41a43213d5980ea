"""Every private name of torch that memlint uses, in one table, each with a probe.

A torch without one of them loses what depends on it, never the run: `missing` says what in one line each.
Only where nothing could be followed at all does `lacks` give the reason why a replay cannot start. What is
done with the names is in `private` and in `simulate.private`.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

import torch


@dataclass(frozen=True, slots=True)
class Name:
    """A private name of torch: what is lost without it, and whether a replay (or a simulation) needs it.

    `lost` is a sentence for the report's notes, "" for a name whose loss changes nothing that is reported.
    """

    path: str
    lost: str = ""
    simulated: bool = False
    needed: bool = False


FORWARD_LINES = "this torch does not tell autograd nodes apart: gradients carry no forward line"
_OUTSIDE = "this torch keeps no record of allocations that can be read: the peak is not checked by one"
_ATTENTION = "this torch has other kernels of attention: it is simulated as plain matrix products"
_PRODUCTS = "this torch keeps its dispatch modes elsewhere: backward() of products counts as under a mode"
_GIVEN_FUNCTIONS = "with this torch, operators that are given functions (flex_attention, cond) end a replay"
_RAGGED = "this torch keeps the sizes of nested tensors elsewhere: scripts with them cannot be simulated"
_COMPRESSED = "this torch computes fake tensors in another way: scripts with CSR matrices cannot be simulated"
_FOREACH = "this torch chooses optimizers in another way: they are simulated one parameter at a time"

NAMES = (
    Name("torch.utils._python_dispatch.TorchDispatchMode", "tensors cannot be followed", needed=True),
    Name("torch.UntypedStorage._cdata", "tensors cannot be followed", needed=True),
    Name("torch._C._current_autograd_node", FORWARD_LINES),
    Name("torch.autograd._get_sequence_nr", FORWARD_LINES),
    Name("torch._C._functions.AccumulateGrad._sequence_nr", FORWARD_LINES),
    Name(
        "torch.autograd._engine_run_backward",
        "this torch has another backward entry: phases and losses of backward are not seen",
    ),
    Name("torch._ops.HigherOrderOperator", _GIVEN_FUNCTIONS),
    Name(
        "torch.utils._python_dispatch.TorchDispatchMode.supports_higher_order_operators", _GIVEN_FUNCTIONS
    ),
    Name("torch._C.DispatchKey.CompositeExplicitAutograd", _GIVEN_FUNCTIONS),
    Name("torch.ops.aten.add.Tensor._schema", "this torch does not describe its operators: replay is slower"),
    Name(
        "torch.utils._python_dispatch._disable_current_modes",
        "this torch cannot hide memlint's own checks from it: values of tensors are not looked at",
    ),
    Name("torch._C.DisableTorchFunctionSubclass"),
    Name("torch._C._functorch.is_functorch_wrapped_tensor"),
    Name("torch.Tensor._version", "this torch does not count changes in place: no window is judged by them"),
    Name("torch._C._profiler._EventType.Allocation", _OUTSIDE),
    Name("torch._ops.__file__"),
    Name("torch.Tensor._is_view", "this torch names no views: sums of gradients count as if both stayed"),
    Name("torch.utils._python_dispatch._pop_mode", _PRODUCTS),
    Name("torch.utils._python_dispatch._push_mode", _PRODUCTS),
    Name("torch.utils._python_dispatch._get_current_dispatch_mode", _PRODUCTS),
    Name("torch.nn.Module._call_impl"),
    Name("torch.optim.Optimizer.profile_hook_step"),
    # --- what only a simulation uses
    Name("torch._subclasses.fake_tensor.FakeTensor", "no tensor can be simulated", True, True),
    Name("torch._subclasses.fake_tensor.FakeTensorMode", "no tensor can be simulated", True, True),
    Name("torch._subclasses.fake_tensor.in_kernel_invocation_manager", _COMPRESSED, True),
    Name("torch._C._swap_tensor_impl", "no module can be moved to the simulated GPU", True, True),
    Name("torch.nn.Module._apply", "no module can be moved to the simulated GPU", True, True),
    Name("torch.ops.aten._to_copy.default", "no tensor can be moved to the simulated GPU", True, True),
    Name(
        "torch._C._set_only_lift_cpu_tensors",
        "this torch makes torch.tensor(..., device='cuda') in a way that is not simulated: use .to('cuda')",
        True,
    ),
    Name("torch.optim.optimizer._foreach_supported_types", _FOREACH, True),
    Name(
        "torch.utils._foreach_utils._foreach_supported_types",
        "this torch clips gradients in another way: it is simulated one parameter at a time",
        True,
    ),
    Name(
        "torch.Tensor._make_wrapper_subclass",
        "this torch makes no tensors without memory: a loss in chunks of rows is not tried",
        True,
    ),
    Name("torch.utils._pytree.tree_map", "no arguments can be looked through", True, True),
    Name("torch.utils._pytree.tree_iter", "no arguments can be looked through", True, True),
    Name("torch.ops.aten._scaled_dot_product_flash_attention.default", _ATTENTION, True),
    Name("torch.ops.aten._scaled_dot_product_efficient_attention.default", _ATTENTION, True),
    Name("torch.ops.aten._scaled_dot_product_attention_math.default", _ATTENTION, True),
    Name("torch.Tensor._make_subclass", "this torch makes tensors of other classes in another way", True),
    Name("torch.nested._internal.nested_int.NestedIntNode", _RAGGED, True),
    Name("torch.nested._internal.nested_tensor._tensor_symint_registry", _RAGGED, True),
    Name("torch.nested._internal.sdpa", _RAGGED, True),
)
"""Everything that is probed. Names that memlint only sets, or catches if they exist, are not among them."""


def find(path: str) -> Any:
    """What a dotted path of torch leads to now; None where there is no such name."""
    first, *rest = path.split(".")
    found: Any = importlib.import_module(first)
    walked = first
    for part in rest:
        walked = f"{walked}.{part}"
        try:
            found = getattr(found, part)
        except (AttributeError, RuntimeError):  # torch.ops raises the latter for unknown overloads
            try:
                found = importlib.import_module(walked)
            except ImportError:
                return None
    return found


_ABSENT = [name for name in NAMES if find(name.path) is None]


def missing(simulated: bool = False) -> list[str]:
    """What this torch lacks, in words for the report's notes."""
    found = (name for name in _ABSENT if name.simulated <= simulated and not name.needed)
    return list(dict.fromkeys(name.lost for name in found if name.lost))


def lacks(simulated: bool = False) -> str:
    """Why this torch allows no replay, or no simulation; "" where it has everything that is needed."""
    for name in _ABSENT:
        if name.needed and name.simulated <= simulated:
            return f"torch {torch.__version__} has no {name.path}: {name.lost}"
    return ""


def or_else(path: str, instead: Any) -> Any:
    found = find(path)
    return instead if found is None else found
