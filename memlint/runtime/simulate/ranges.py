"""The smallest and the largest element of tensors on the simulated GPU that came from host memory.

Labels, masks and images are too large for their values to be kept, but scripts ask whether they are in range
(`assert mask.min() >= 0 and mask.max() < classes`). Both ends are exact: an operation that may lose one of
them loses the range.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from memlint.runtime.simulate.mirrors import MIRRORS
from memlint.runtime.simulate.private import FakeTensor, operators

LIMIT = 1 << 24
"""Elements up to which a copied tensor is looked through: some milliseconds."""

Ends = tuple[torch.Tensor, torch.Tensor]
"""The smallest and the largest element, without dimensions, in the tensor's own type, in host memory."""

_SAME = operators(
    "view.default _unsafe_view.default _reshape_alias.default permute.default transpose.int t.default "
    "unsqueeze.default squeeze.default squeeze.dim squeeze.dims clone.default detach.default alias.default "
    "expand.default repeat.default flip.default lift_fresh.default".split()
)
"""Every element stays, whatever its place."""

_PART = operators(
    "slice.Tensor select.int index.Tensor index_select.default gather.default masked_select.default".split()
)
"""Some of the elements, as they are."""

_RISING = operators("ge.Scalar gt.Scalar add.Tensor sub.Tensor".split())
_FALLING = operators("le.Scalar lt.Scalar logical_not.default bitwise_not.default".split())
_SCALED = operators("mul.Tensor div.Tensor".split())
_EQUAL = operators("eq.Scalar ne.Scalar".split())
_CONVERTED = operators(["_to_copy.default"])
_LOWEST, _HIGHEST = operators(["min.default"]), operators(["max.default"])
_BOTH = operators(["aminmax.default"])
_ALL, _ANY = operators(["all.default"]), operators(["any.default"])
_SUM = operators(["sum.default"])
_ODD = operators(["isnan.default", "isinf.default"])


_WRITE = operators(
    "fill_.Scalar fill_.Tensor masked_fill.Scalar masked_fill.Tensor masked_fill_.Scalar masked_fill_.Tensor "
    "index_fill.int_Scalar index_fill_.int_Scalar index_put.default index_put_.default where.self "
    "where.ScalarSelf where.ScalarOther full.default full_like.default new_full.default".split()
)
"""Operations that write one number into some elements, or all."""

_WRITTEN: set[int] = set()
"""The negative whole numbers that any of them has written: marks, such as of targets that do not count."""


def was_written(number: int) -> bool:
    """Whether a negative whole number was written on the GPU: tensors of unknown values may have it."""
    return number in _WRITTEN


def keep(fake: Any, ends: Ends) -> None:
    """`fake` has these ends until something changes it."""
    if isinstance(fake, FakeTensor):
        lowest, highest = (end.to(fake.dtype) for end in ends)
        fake.memlint_range = (lowest, highest, MIRRORS.changes(fake))  # type: ignore[attr-defined]


def known(fake: Any) -> Ends | None:
    """The ends of a fake tensor, if they are known."""
    if not hasattr(fake, "memlint_range"):
        return None
    lowest, highest, kept = fake.memlint_range
    return (lowest, highest) if MIRRORS.changes(fake) == kept else None


def bounds(fake: Any) -> Ends | None:
    """Two numbers between which all elements of a fake tensor lie: what it was made of had both."""
    value = MIRRORS.of(fake)
    if value is not None:
        return of(value)
    ends = known(fake)
    if ends is not None or not hasattr(fake, "memlint_bounds"):
        return ends
    lowest, highest, kept = fake.memlint_bounds
    return (lowest, highest) if MIRRORS.changes(fake) == kept else None


def of(tensor: torch.Tensor) -> Ends | None:
    """The ends of a tensor in host memory; None where it is too large, empty, or has no order."""
    if not 0 < tensor.numel() <= LIMIT or tensor.dtype.is_complex or tensor.layout is not torch.strided:
        return None
    try:
        lowest, highest = torch.aminmax(tensor.detach())
    except (RuntimeError, NotImplementedError):
        return None  # This type has no such kernel on the CPU.
    return None if bool(lowest != lowest) else (lowest.clone(), highest.clone())


def follow(func: Any, args: Any, kwargs: Any, out: Any, told: Callable[[Any, torch.Tensor], None]) -> None:
    """What an operation makes of the ends of its first argument; `told` gets a result that is a number."""
    if func in _WRITE:
        _WRITTEN.update(filter(None, map(_mark, (*args[1:], *kwargs.values()))))
    if not args or not isinstance(args[0], FakeTensor):
        return
    if (func in _PART or func in _SAME) and isinstance(out, FakeTensor):
        within = bounds(args[0])
        if within is not None:
            out.memlint_bounds = (*within, MIRRORS.changes(out))  # type: ignore[attr-defined]
    ends = known(args[0])
    if ends is None:
        return
    if func in _BOTH:
        told(out[0], ends[0])
        told(out[1], ends[1])
        return
    if not isinstance(out, FakeTensor):
        return
    number = _number(func, ends, args[0].numel()) if not args[1:] and out.dim() == 0 else None
    if number is not None:
        told(out, number.to(out.dtype))
        return
    made = _ends(func, ends, args, kwargs)
    if made is not None:
        keep(out, made)


def _number(func: Any, ends: Ends, count: int) -> torch.Tensor | None:
    lowest, highest = ends
    if func in _LOWEST or func in _HIGHEST:
        return lowest if func in _LOWEST else highest
    if func in _ANY and (bool(lowest) or bool(highest)):
        return torch.tensor(True)
    if func in _ALL and not (bool(lowest) and bool(highest)):
        return torch.tensor(False)
    alike = bool(lowest == highest)
    if (func in _ANY or func in _ALL) and (alike or bool(lowest > 0) or bool(highest < 0)):
        return lowest.bool()
    if func in _SUM and alike and not lowest.is_floating_point():
        return lowest.long() * count
    return None


def _ends(func: Any, ends: Ends, args: Any, kwargs: Any) -> Ends | None:
    lowest, highest = ends
    if func in _SAME:
        return ends
    if func in _CONVERTED:
        # Rounding keeps the order; "is it zero?" does not.
        return None if kwargs.get("dtype") is torch.bool and lowest.dtype is not torch.bool else ends
    if func in _ODD:
        return func(lowest), func(highest)
    if any(isinstance(arg, torch.Tensor) for arg in args[1:]) or kwargs:
        return None
    if func in _RISING or (func in _SCALED and args[1] > 0):
        return func(lowest, *args[1:]), func(highest, *args[1:])
    if func in _FALLING:
        return func(highest, *args[1:]), func(lowest, *args[1:])
    if func in _EQUAL:
        return _compared(func, ends, args[1])
    return None


def _compared(func: Any, ends: Ends, number: Any) -> Ends | None:
    lowest, highest = ends
    if bool(lowest < number) and bool(number < highest):
        return None
    first, last = func(lowest, number), func(highest, number)
    return (first, last) if bool(last) or not bool(first) else (last, first)


def _mark(value: Any) -> int | None:
    """A negative whole number that is given to an operation, as such or in a tensor."""
    if isinstance(value, FakeTensor):
        value = MIRRORS.of(value)
    if isinstance(value, torch.Tensor):
        value = value.item() if value.numel() == 1 and not value.is_complex() else None
    is_such = isinstance(value, (int, float)) and value < 0 and value == value // 1
    return int(value) if is_such else None
