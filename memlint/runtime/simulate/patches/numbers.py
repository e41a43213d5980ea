"""Tensors that are made of a list with tensors of the simulated GPU: `torch.tensor([loss, correct])`.

`torch.Tensor([...])` is one of them, and so is what a class of tensors makes of a list.

Torch reads the elements of such a list in C++, where no mode is asked for their values.
"""

from __future__ import annotations

import functools
from typing import Any

import torch

from memlint.runtime.simulate.private import FakeTensor, remember_makers

_MAKERS = (
    (torch, "tensor"), (torch, "as_tensor"), (torch, "asarray"), (torch.Tensor, "new_tensor"),
)  # fmt: skip


def install() -> None:
    """Have their values read one by one before that."""
    remember_makers()
    for owner, name in _MAKERS:
        setattr(owner, name, _reading(getattr(owner, name)))
    torch.Tensor.__new__ = _reading(torch.Tensor.__new__)  # type: ignore[method-assign]


def _reading(real: Any) -> Any:
    @functools.wraps(real)
    def made(*args: Any, **kwargs: Any) -> Any:
        return real(*map(read, args), **{name: read(value) for name, value in kwargs.items()})

    return made


def read(value: Any) -> Any:
    """A list with numbers of the host in place of those of the GPU; anything else as it is."""
    if not isinstance(value, (list, tuple)) or type(value) is torch.Size or not _reads(value):
        return value
    return [_number(each) if isinstance(each, FakeTensor) else read(each) for each in value]


def _reads(value: list[Any] | tuple[Any, ...]) -> bool:
    return any(
        isinstance(each, FakeTensor) or (isinstance(each, (list, tuple)) and _reads(each)) for each in value
    )


def _number(fake: FakeTensor) -> Any:
    """The number in a tensor of one element, of the same type; of others torch says that they are none."""
    if fake.numel() != 1:
        return fake
    alike = fake.dtype in (torch.get_default_dtype(), torch.int64, torch.bool)
    return fake.item() if alike else torch.scalar_tensor(fake.item(), dtype=fake.dtype)
