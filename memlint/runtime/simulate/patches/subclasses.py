"""Classes of tensors that a script or a library defines, such as MONAI's MetaTensor, under simulation.

A tensor on the simulated GPU already is an object of a class, FakeTensor, and torch makes no other of it. It
gets a class that is both: the script's own comes first, so that its methods and its `__torch_function__` run.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from memlint.runtime.child.private import plainly
from memlint.runtime.simulate import private
from memlint.runtime.simulate.private import FakeTensor, tree_iter

_FUNCTION = "__torch_function__"
_SCRIPTS = "_memlint_class"


class _AsTensors:
    """What `super().__torch_function__` leads to, in place of FakeTensor's, which is turned off."""

    __torch_function__ = vars(torch.Tensor)[_FUNCTION]


def install() -> None:
    """Have what makes such tensors take fakes: `as_subclass`, for all that they give, and constructors."""
    tensor: Any = torch.Tensor
    real = tensor.as_subclass

    @functools.wraps(real)
    def as_subclass(self: Any, cls: Any) -> Any:
        if not isinstance(self, FakeTensor):
            return real(self, vars(cls).get(_SCRIPTS, cls))
        with plainly():
            made: Any = torch.ops.aten.alias.default(self)
        made.__class__ = both(cls)
        return made

    tensor.as_subclass = as_subclass
    private.replace_make_subclass(_constructor)


def _constructor(real: Callable[..., Any]) -> Callable[..., Any]:
    def make_subclass(cls: Any, data: Any, require_grad: bool = False, *rest: Any, **named: Any) -> Any:
        if not isinstance(data, FakeTensor):
            return real(cls, data, require_grad, *rest, **named)
        with plainly():
            made: Any = data.detach()
        made.__class__ = both(cls)
        return made.requires_grad_(require_grad)

    return make_subclass


def is_both(kind: Any) -> bool:
    """Whether a class was made for fakes that are tensors of another class."""
    return _SCRIPTS in vars(kind)


@functools.cache
def both(cls: Any) -> Any:
    """The class for a fake that is to be one of `cls`."""
    if issubclass(cls, FakeTensor):
        return cls
    if issubclass(FakeTensor, cls):
        return FakeTensor
    named = {"__module__": cls.__module__, "__qualname__": cls.__qualname__, _SCRIPTS: cls}
    made: Any = type(cls.__name__, (cls, _AsTensors, FakeTensor), named)
    # Torch turns the default one off where a class has a `__torch_dispatch__` (THPVariableMetaType_init).
    made.__torch_function__ = next(vars(kind)[_FUNCTION] for kind in cls.__mro__ if _FUNCTION in vars(kind))
    return made


@contextmanager
def as_fakes(arguments: Any) -> Iterator[None]:
    """Let tensors of such classes be nothing but fakes: what computes shapes may call their methods."""
    changed = [(each, type(each)) for each in tree_iter(arguments) if is_both(type(each))]
    for each, _ in changed:
        each.__class__ = FakeTensor
    try:
        yield
    finally:
        for each, kind in changed:
            each.__class__ = kind
