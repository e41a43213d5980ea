"""What only a simulation does with private names of torch (see `torch_names` and `private` one floor up)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import wraps
from typing import TYPE_CHECKING, Any

import torch

from memlint.runtime.child.private import schema
from memlint.runtime.child.torch_names import find, or_else


class _Absent:
    """Stands for a class that this torch does not have: nothing is one of it."""


if TYPE_CHECKING:
    from torch._subclasses.fake_tensor import FakeTensor as FakeTensor
    from torch._subclasses.fake_tensor import FakeTensorMode as FakeTensorMode
    from torch.utils._pytree import tree_iter as tree_iter
    from torch.utils._pytree import tree_map as tree_map
    from torch.utils._pytree import tree_map_only as tree_map_only
else:
    FakeTensor = or_else("torch._subclasses.fake_tensor.FakeTensor", _Absent)
    FakeTensorMode = or_else("torch._subclasses.fake_tensor.FakeTensorMode", _Absent)
    tree_iter = find("torch.utils._pytree.tree_iter")
    tree_map = find("torch.utils._pytree.tree_map")
    tree_map_only = find("torch.utils._pytree.tree_map_only")

_FAKE_ERRORS = (
    "DataDependentOutputException", "DynamicOutputShapeException", "UnsupportedOperatorException",
)  # fmt: skip

NO_ANSWER: tuple[type[Exception], ...] = (
    NotImplementedError,
    *filter(None, (find(f"torch._subclasses.fake_tensor.{name}") for name in _FAKE_ERRORS)),
)
"""What fake tensors raise where they cannot tell an output."""


GROUPS_SINCE = (2, 13)


def operator(name: str) -> Any:
    """An operator of aten by its name with overload; None where this torch has none: it is never called."""
    return find(f"torch.ops.aten.{name}")


def operators(names: Iterable[str]) -> frozenset[Any]:
    """Those operators of aten that this torch has."""
    return frozenset(found for name in names if (found := operator(name)) is not None)


def name_of(func: Any) -> str:
    """An operator's name, without its namespace and overload; "" where torch does not say."""
    found = schema(func)
    return "" if found is None else str(found.name).partition("::")[2]


def is_composite(func: Any) -> bool:
    """Whether an operator is made of others in all its kernels."""
    implicit = find("torch._C.DispatchKey.CompositeImplicitAutograd")
    if implicit is None or func.namespace == "prim":
        return False
    return bool(func.has_kernel_for_dispatch_key(implicit))


def take_for_tensors(kind: type[Any]) -> None:
    """Let optimizers and clip_grad_norm_ treat parameters of this class as those of torch's own."""
    lists = ("torch.optim.optimizer", "torch.utils._foreach_utils")
    for module in lists:
        supported = find(f"{module}._foreach_supported_types")
        if supported is not None:
            supported.append(kind)


def apply_to(module: Any, function: Callable[[Any], Any]) -> None:
    """Module._apply, as the module's own class defines it."""
    module._apply(function)


def replace_apply(function: Callable[..., Any]) -> None:
    """Have every module moved and converted by `function` from now on."""
    torch.nn.Module._apply = function  # type: ignore[method-assign]


def swap(one: torch.Tensor, other: torch.Tensor) -> None:
    """Exchange the C++ tensors of two Python objects."""
    torch._C._swap_tensor_impl(one, other)


def replace_attention(function: Callable[..., Any]) -> None:
    """Have torch.nn.functional and modules call this for scaled_dot_product_attention."""
    torch.nn.functional.scaled_dot_product_attention = function
    torch._C._nn.scaled_dot_product_attention = function


def lift_on_cpu(wanted: bool) -> None:
    """Have torch.tensor(..., device="cuda") made in host memory and copied, where a mode sees it."""
    switch = find("torch._C._set_only_lift_cpu_tensors")
    if switch is not None:
        switch(wanted)


def answer_as_gpu(
    scatter: Callable[..., Any], reset_peaks: Callable[..., None], nothing: Callable[..., None]
) -> None:
    """Replace what asks the GPU below torch.cuda.

    `scatter` and `reset_peaks` stand for the functions of torch._C with these names, `nothing` for those
    that matter to a real GPU only.
    """
    torch._C._scatter = scatter
    torch._C._broadcast = lambda tensor, devices: [tensor for _ in devices]
    torch._C._broadcast_coalesced = lambda tensors, devices, *args: [list(tensors) for _ in devices]
    torch._C._gather = lambda tensors, dim, *args: torch.cat(list(tensors), dim)
    torch._C._get_accelerator = lambda *args: torch.device("cuda")
    torch._C._cuda_resetPeakMemoryStats = reset_peaks
    torch.cuda._lazy_init = nothing
    torch.cuda._sleep = nothing
    # A build with CUDA wants a context of the driver for the first fake tensor.
    fakes = find("torch._subclasses.fake_tensor")
    for name in ("init_cuda_context", "init_gpu_context"):
        if hasattr(fakes, name):
            setattr(fakes, name, nothing)


def fake_store() -> Callable[[], Any] | None:
    """What makes the store of a group in which nothing is exchanged; None where no group can be imagined.

    Builds with CUDA ask the driver for the times of DistributedDataParallel, and torch before 2.13 takes fake
    parameters for lazy ones there.
    """
    version = tuple(int(part) for part in torch.__version__.split(".")[:2])
    if torch.version.cuda is not None or version < GROUPS_SINCE or not torch.distributed.is_available():
        return None
    with suppress(ImportError):
        found: Callable[[], Any] | None = find("torch.testing._internal.distributed.fake_pg.FakeStore")
        return found
    return None


def replace_replication(hook: Callable[[Any, Any], Any]) -> None:
    """Let every DistributedDataParallel hand its buckets to `hook`, without a look at real bytes."""
    module = find("torch.nn.parallel.distributed")
    kind: Any = module.DistributedDataParallel
    real = kind.__init__

    @wraps(real)
    def made(model: Any, *args: Any, **kwargs: Any) -> None:
        real(model, *args, **kwargs)
        model.register_comm_hook(None, hook)
        model.logger = _Silent()

    kind.__init__ = made
    module._verify_param_shape_across_processes = lambda *args, **kwargs: None


class _Silent:
    """Stands for the logger in C++, which asks the driver for times."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *args, **kwargs: None


def replace_history(skipped: Callable[[str], Callable[..., None]]) -> None:
    """Replace the functions that record CUDA's allocator, by what `skipped` makes of their names."""
    for name in ("_record_memory_history", "_dump_snapshot"):
        if hasattr(torch.cuda.memory, name):
            setattr(torch.cuda.memory, name, skipped(name))


def reset_peaks() -> None:
    """Forget the peaks of CUDA's allocator, as torch.cuda.reset_peak_memory_stats does."""
    torch._C._cuda_resetPeakMemoryStats(0)
