"""The old names of CUDA tensors under simulation: torch.cuda.FloatTensor and its sisters, .type(), defaults.

They ask a driver in C++ where torch.empty(..., device="cuda") would not; what they give is the same.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch

KINDS = {
    "Float": torch.float32, "Double": torch.float64, "Half": torch.float16, "BFloat16": torch.bfloat16,
    "Byte": torch.uint8, "Char": torch.int8, "Short": torch.int16, "Int": torch.int32, "Long": torch.int64,
    "Bool": torch.bool,
}  # fmt: skip

_PREFIX = "torch.cuda."


class Kind(type):
    """The type of the types: calling one makes a tensor, which is an instance of it by device and dtype."""

    dtype: torch.dtype
    plain: Any
    is_cuda = True
    is_sparse = False
    layout = torch.strided

    def __call__(cls, *args: Any, device: Any = None, **kwargs: Any) -> Any:
        """A tensor of sizes, or of the values of a sequence, an array or a tensor."""
        first = args[0] if args else 0
        if len(args) == 1 and isinstance(first, torch.Tensor):
            return first.detach().to("cuda", cls.dtype)
        if len(args) == 1 and isinstance(first, torch.Size):
            args = tuple(first)
        elif args and not all(_is_size(arg) for arg in args):
            return cls.plain(*args, **kwargs).to("cuda")
        sizes = kwargs.pop("size", None) or args
        return torch.empty(tuple(sizes) if args or sizes else (0,), dtype=cls.dtype, device="cuda")

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, torch.Tensor) and value.is_cuda and value.dtype is cls.dtype

    def __repr__(cls) -> str:
        return f"<class '{_PREFIX}{cls.__name__}'>"


class SparseKind(Kind):
    """The same in torch.cuda.sparse: made of indices, values and a size."""

    is_sparse = True
    layout = torch.sparse_coo

    def __call__(cls, *args: Any, device: Any = None, **kwargs: Any) -> Any:
        """A tensor of indices, values and sizes; without values, an empty one."""
        if len(args) > 1 and isinstance(args[1], torch.Tensor):
            indices, values, *sizes = args
            return torch.sparse_coo_tensor(indices, values, *sizes, dtype=cls.dtype, device="cuda", **kwargs)
        size = args[0] if len(args) == 1 and isinstance(args[0], (tuple, list)) else args
        make: Any = torch.sparse_coo_tensor  # its stub has no form without values
        return make(size=tuple(size), dtype=cls.dtype, device="cuda")

    def __instancecheck__(cls, value: Any) -> bool:
        return super().__instancecheck__(value) and value.is_sparse


def install() -> None:
    """Replace them for the rest of the process."""
    for name, dtype in KINDS.items():
        if name != "Bool":
            facts = {"__module__": "torch.cuda.sparse", "dtype": dtype}
            setattr(torch.cuda.sparse, f"{name}Tensor", SparseKind(f"{name}Tensor", (), facts))
        known = f"{name}Tensor"
        plain = getattr(torch, known)
        facts = {"__module__": "torch.cuda", "dtype": dtype, "plain": plain}
        setattr(torch.cuda, known, Kind(known, (), facts))
    tensor: Any = torch.Tensor
    tensor.type = _type(tensor.type)
    torch.set_default_tensor_type = _default(torch.set_default_tensor_type)


def _is_size(value: Any) -> bool:
    """Whether a positional argument of a constructor is one of its sizes."""
    return hasattr(value, "__index__") and not isinstance(value, torch.Tensor) and not _has_shape(value)


def _has_shape(value: Any) -> bool:
    return bool(getattr(value, "shape", ()))


def kind_of(wanted: Any) -> Any:
    """The type that a script names, as a class or in words; None for any other."""
    if isinstance(wanted, str) and wanted.startswith(_PREFIX):
        wanted = getattr(torch.cuda, wanted.removeprefix(_PREFIX), None)
    return wanted if isinstance(wanted, Kind) else None


def _type(real: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(real)
    def converted(tensor: Any, dtype: Any = None, non_blocking: bool = False, **kwargs: Any) -> Any:
        kind = kind_of(dtype)
        if kind is None:
            return real(tensor) if dtype is None else real(tensor, dtype, non_blocking, **kwargs)
        return tensor.to("cuda", kind.dtype, non_blocking)

    return converted


def _default(real: Callable[..., Any]) -> Callable[..., Any]:
    """torch.set_default_tensor_type; with a type of CUDA, what makes tensors makes them there."""
    plain: Any = torch.Tensor.__new__

    @functools.wraps(real)
    def chosen(wanted: Any) -> None:
        kind = kind_of(wanted)
        if kind is None:
            torch.set_default_device(None)
            torch.Tensor.__new__ = plain  # type: ignore[method-assign]
            real(wanted)
            return
        torch.set_default_dtype(kind.dtype)
        torch.set_default_device("cuda")
        torch.Tensor.__new__ = _new(kind, plain)  # type: ignore[method-assign]

    return chosen


def _new(kind: Any, plain: Callable[..., Any]) -> Callable[..., Any]:
    def new(cls: Any, *args: Any, **kwargs: Any) -> Any:
        is_plain = cls is not torch.Tensor or "device" in kwargs
        return plain(cls, *args, **kwargs) if is_plain else kind(*args, **kwargs)

    return new
