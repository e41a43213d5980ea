"""Cross-entropy over many classes, computed in chunks of rows: the logits are never there as a whole.

So is the loss of their logarithms (`log_softmax` and `nll_loss`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any

import torch
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from memlint.runtime.child.private import make_wrapper, plainly

CLASSES = 8192
"""Outputs of a layer from which its results are taken for logits of a vocabulary."""

ROWS = 512
"""Rows of a chunk; what the fix of MEM806 writes has as many."""

POSSIBLE = make_wrapper is not None
"""Whether this torch can make logits that take no memory."""

_ASKED = frozenset({"size", "dim", "ndimension", "numel", "nelement", "is_floating_point", "element_size"})
_READ = frozenset({"shape", "dtype", "device", "ndim", "layout", "is_cuda", "requires_grad"})
"""Methods and attributes that say something of a tensor without its numbers."""

_SHAPES = frozenset({"view", "reshape", "flatten", "__getitem__", "contiguous", "transpose", "permute"})
_TO_FLOAT32 = frozenset({"float"})


@dataclass(frozen=True, slots=True)
class _Source:
    """What logits would be computed from: `hidden` has the same leading dimensions.

    `cast` is the type that autocast computes in (None outside of it), `upcast` the one that they are
    converted to, and `last` says whether the classes are the last dimension, else they are the second one.
    With `logs` they are the logarithms of shares (log_softmax).
    """

    hidden: Any
    weight: Any
    bias: Any
    cast: torch.dtype | None
    upcast: torch.dtype | None = None
    last: bool = True
    logs: bool = False


class Logits(torch.Tensor):
    """The result of a last layer that is computed when somebody needs it for anything but such a loss."""

    source: _Source
    made: Any

    @staticmethod
    def of(source: _Source) -> Logits:
        """Logits that take no memory."""
        shape = [*source.hidden.shape[:-1], source.weight.shape[0]]
        if not source.last:
            shape = [shape[0], shape[-1], *shape[1:-1]]
        dtype, device = source.upcast or source.cast or source.weight.dtype, source.hidden.device
        assert make_wrapper is not None
        found: Logits = make_wrapper(Logits, shape, dtype=dtype, device=device, requires_grad=True)
        found.source, found.made = source, None
        return found

    def whole(self) -> Any:
        """All of them, computed as the script would have."""
        if self.made is None:
            self.made = _product(self.source, self.source.hidden)
            if not self.source.last:
                self.made = self.made.movedim(-1, 1)
        return self.made

    @classmethod
    def __torch_function__(
        cls, func: Any, types: Any, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        kwargs = dict(kwargs or {})
        name = getattr(func, "__name__", "")
        if args and isinstance(args[0], Logits):
            own = args[0]
            if name in _ASKED or (name == "__get__" and getattr(func.__self__, "__name__", "") in _READ):
                with plainly():
                    return func(*args, **kwargs)
            if func is _loss_of(own.source) and own.made is None:
                loss = _in_chunks(own.source, *args[1:], **kwargs)
                if loss is not None:
                    return loss
            elif own.made is None and (other := _reshaped(own, name, args[1:], kwargs)) is not None:
                return Logits.of(other)
        return func(*(_whole(arg) for arg in args), **{key: _whole(arg) for key, arg in kwargs.items()})

    @classmethod
    def __torch_dispatch__(  # type: ignore[override]
        cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        given = {key: _whole(arg) for key, arg in (kwargs or {}).items()}
        return func(*(_whole(arg) for arg in args), **given)


def install() -> None:
    """Defer the results of last layers from now on."""
    real = functional.linear

    @wraps(real)
    def linear(input: Any, weight: Any, bias: Any = None) -> Any:
        if not _is_last(input, weight):
            return real(input, weight, bias)
        device = input.device.type
        cast = torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else None
        return Logits.of(_Source(input, weight, bias, cast))

    functional.linear = linear


def _is_last(given: Any, weight: Any) -> bool:
    if weight.dim() != 2 or weight.shape[0] < CLASSES or given.dim() < 2:
        return False
    trains: bool = given.requires_grad or weight.requires_grad
    return trains and given.device.type == "cuda"


def _whole(value: Any) -> Any:
    if isinstance(value, Logits):
        return value.whole()
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        return type(value)(_whole(each) for each in value)
    return value


def _product(source: _Source, hidden: Any) -> Any:
    device = hidden.device.type
    with torch.autocast(device, dtype=source.cast, enabled=source.cast is not None):
        found = functional.linear.__wrapped__(hidden, source.weight, source.bias)  # type: ignore[attr-defined]
    found = found.to(source.upcast) if source.upcast is not None else found
    return found.log_softmax(-1) if source.logs else found


def _loss_of(source: _Source) -> Callable[..., Any]:
    """The loss that reads them row by row."""
    return functional.nll_loss if source.logs else functional.cross_entropy


def _reshaped(own: Logits, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> _Source | None:
    """The same in another shape or type; None for what needs the numbers."""
    source = own.source
    if name == "log_softmax":
        return _logarithms(own, *args, **kwargs)
    if source.logs and name not in _SHAPES:
        return None
    if name in _TO_FLOAT32:
        return replace(source, upcast=torch.float32)
    if name == "to" and len(args) == 1 and isinstance(args[0], torch.dtype) and not kwargs:
        return replace(source, upcast=args[0])
    if name not in _SHAPES or (kwargs and name != "flatten"):
        return None
    if name == "contiguous":
        return source
    with plainly():
        shape = tuple(own.shape)
    method = _METHODS[name]
    return method(source, shape, args, kwargs)


def _logarithms(own: Logits, dim: Any = None, *args: Any, dtype: Any = None, **kwargs: Any) -> _Source | None:
    """What log_softmax makes of them over the classes; autocast has it in float32."""
    source = own.source
    with plainly():
        axis, count, device = dim, own.dim(), own.device.type
    if source.logs or axis is None or _at(int(axis), count) != (count - 1 if source.last else 1):
        return None
    if torch.is_autocast_enabled(device):
        dtype = dtype or torch.float32
    return replace(source, logs=True, upcast=dtype or source.upcast)


def _turned(
    source: _Source, shape: tuple[int, ...], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> _Source | None:
    order = [_at(int(d), len(shape)) for d in (args[0] if len(args) == 1 else args)]
    if not source.last or len(order) != len(shape):
        return None
    return replace(source, last=False) if order == [0, len(shape) - 1, *range(1, len(shape) - 1)] else None


def _swapped(
    source: _Source, shape: tuple[int, ...], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> _Source | None:
    if len(shape) != 3 or len(args) != 2 or {_at(int(d), 3) for d in args} != {1, 2}:
        return None
    return replace(source, last=not source.last)


def _flattened(
    source: _Source, shape: tuple[int, ...], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> _Source | None:
    first = _at(int(args[0] if args else kwargs.get("start_dim", 0)), len(shape))
    last = _at(int(args[1] if len(args) > 1 else kwargs.get("end_dim", -1)), len(shape))
    if not source.last or last == len(shape) - 1:
        return None
    return replace(source, hidden=source.hidden.flatten(first, last))


def _viewed(
    source: _Source, shape: tuple[int, ...], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> _Source | None:
    wanted = list(args[0] if len(args) == 1 and not isinstance(args[0], int) else args)
    if not source.last or any(not isinstance(size, int) for size in wanted) or len(wanted) < 2:
        return None
    if wanted[-1] == -1:
        rows = 1
        for size in wanted[:-1]:
            rows *= size
        if -1 in wanted[:-1] or rows * shape[-1] != _count(shape):
            return None
    elif wanted[-1] != shape[-1]:
        return None
    return replace(source, hidden=source.hidden.reshape(*wanted[:-1], source.hidden.shape[-1]))


def _selected(
    source: _Source, shape: tuple[int, ...], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> _Source | None:
    """Some of the rows: `logits[..., :-1, :]`, `logits[:, :-1]`, `logits[mask]`."""
    key = args[0] if isinstance(args[0], tuple) else (args[0],)
    if not source.last or any(part is None for part in key):
        return None
    masks = [part for part in key if isinstance(part, torch.Tensor)]
    named = sum(part.dim() if part.dtype == torch.bool else 1 for part in masks)
    named += sum(1 for part in key if part is not Ellipsis and not isinstance(part, torch.Tensor))
    reaches_last = named == len(shape) or any(part is Ellipsis for part in key)
    if reaches_last and key[-1] != slice(None):
        return None
    return replace(source, hidden=source.hidden[args[0]])


_METHODS: dict[str, Callable[..., _Source | None]] = {
    "view": _viewed, "reshape": _viewed, "flatten": _flattened, "transpose": _swapped, "permute": _turned,
    "__getitem__": _selected,
}  # fmt: skip


def _at(dimension: int, count: int) -> int:
    return dimension % count


def _count(shape: Sequence[int]) -> int:
    found = 1
    for size in shape:
        found *= size
    return found


def _in_chunks(
    source: _Source, target: Any, weight: Any = None, size_average: Any = None, ignore_index: int = -100,
    reduce: Any = None, reduction: str = "mean", label_smoothing: float = 0.0,
) -> Any:  # fmt: skip
    """The loss, a chunk of rows at a time; None where that is not the same sum of rows, or the same rows."""
    plain = weight is None and size_average is None and reduce is None
    if not plain or target.dtype != torch.int64 or source.hidden.dim() < 2:
        return None
    rows, targets = source.hidden.flatten(0, -2), target.flatten()

    smoothing = {} if source.logs else {"label_smoothing": label_smoothing}

    def of_rows(hidden: Any, wanted: Any) -> Any:
        return _loss_of(source)(
            _product(source, hidden), wanted, ignore_index=ignore_index,
            reduction="none" if reduction == "none" else "sum", **smoothing,
        )  # fmt: skip

    chunks = zip(rows.split(ROWS), targets.split(ROWS), strict=True)
    losses = [checkpoint(of_rows, hidden, wanted, use_reentrant=False) for hidden, wanted in chunks]
    if reduction == "none":
        return torch.cat(losses).view(target.shape)
    total = sum(losses)
    return total / (targets != ignore_index).sum() if reduction == "mean" else total
