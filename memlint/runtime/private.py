"""Every private or semi-private name of torch that the tracker uses, in one place.

Each is feature-detected: a torch without it loses that detail, never the run.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import torch
from torch.utils._python_dispatch import _disable_current_modes


def _nothing() -> Any:
    return None


def _zero() -> int:
    return 0


current_node: Callable[[], Any] = getattr(torch._C, "_current_autograd_node", _nothing)
"""The autograd node that is running in this thread, or None outside backward."""

next_sequence_number: Callable[[], int] = getattr(torch.autograd, "_get_sequence_nr", _zero)
"""The number that the next autograd node of this thread will get (0 where torch does not say)."""


plainly: Callable[[], AbstractContextManager[None]] = torch._C.DisableTorchFunctionSubclass
"""Attributes of tensors are read as those of a plain one, whatever their class makes of it."""


_FUNCTORCH = getattr(torch._C, "_functorch", None)

is_transformed: Callable[[torch.Tensor], bool] = getattr(
    _FUNCTORCH, "is_functorch_wrapped_tensor", lambda tensor: False
)
"""Whether a tensor only stands for others within torch.func (vmap, grad): it has no numbers of its own."""


@contextmanager
def unwatched() -> Iterator[None]:
    """Nothing that follows tensors sees what is done to them here, autograd included."""
    with _disable_current_modes(), torch.no_grad():
        yield


_OUT_OF_MEMORY = getattr(torch, "OutOfMemoryError", torch.cuda.OutOfMemoryError)


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an exception says that there is not enough memory, on a device or on the host."""
    text = str(error)
    told = "can't allocate memory" in text or "CUDA error: out of memory" in text
    return isinstance(error, (MemoryError, _OUT_OF_MEMORY)) or told


def missing() -> list[str]:
    """What this torch lacks, in words for the report's notes."""
    notes = []
    if current_node is _nothing or next_sequence_number is _zero:
        notes.append("this torch does not tell autograd nodes apart: gradients carry no forward line")
    if not hasattr(torch.autograd, "_engine_run_backward"):
        notes.append("this torch has another backward entry: phases and losses of backward are not seen")
    return notes


def wrap_backward(wrapper: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Put `wrapper` around the one function through which every backward call enters the engine."""
    engine = getattr(torch.autograd, "_engine_run_backward", None)
    if engine is not None:
        setattr(torch.autograd, "_engine_run_backward", wrapper(engine))  # noqa: B010 - mypy's stubs lack it


HAS_STANCE = hasattr(torch.compiler, "set_stance")
"""Whether torch.compile can be told to compile nothing (torch 2.6 and later)."""


def compile_nothing() -> None:
    """Let compiled functions run as eager code from now on, where this torch can be told so."""
    if HAS_STANCE:
        torch.compiler.set_stance("force_eager")


def unshield(mode: type[Any]) -> None:
    """Take away the three calls that torch puts around each operation of a mode.

    They keep torch.compile from compiling anything under it, which is not needed once `compile_nothing`
    can say so.
    """
    if HAS_STANCE:
        setattr(mode, "__torch_dispatch__", inspect.unwrap(mode.__torch_dispatch__))  # noqa: B010 - for mypy


_PARTS = {
    torch.sparse_coo: ("_indices", "_values"),
    torch.sparse_csr: ("crow_indices", "col_indices", "values"),
    torch.sparse_bsr: ("crow_indices", "col_indices", "values"),
    torch.sparse_csc: ("ccol_indices", "row_indices", "values"),
    torch.sparse_bsc: ("ccol_indices", "row_indices", "values"),
}
"""The methods that give the dense tensors of which a sparse one consists."""


def inner_tensors(tensor: torch.Tensor) -> list[torch.Tensor]:
    """The plain tensors inside a sparse one or a wrapper subclass (DTensor and its kind); [] for others."""
    if tensor.layout in _PARTS:
        return [getattr(tensor, name)() for name in _PARTS[tensor.layout]]
    if type(tensor) in (torch.Tensor, torch.nn.Parameter) or not hasattr(tensor, "__tensor_flatten__"):
        return []
    names, _ = tensor.__tensor_flatten__()
    found: list[torch.Tensor] = []
    for name in names:
        inner = getattr(tensor, name)
        found += inner_tensors(inner) or [inner]
    return found
