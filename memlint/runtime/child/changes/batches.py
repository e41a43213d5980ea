"""Gradient accumulation: smaller batches, and steps after several of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import wraps
from typing import Any

import torch
from torch.utils.data import DataLoader


class Numbered:
    """Gives each DataLoader of a run its number, in the order in which they are made.

    `sizes` are the batch sizes of those that have one, and `items` how many they go through, where that is
    known. `made` is called with each and its number.
    """

    def __init__(self, made: Callable[[Any, int], None] = lambda loader, number: None) -> None:
        self.sizes: dict[int, int] = {}
        self.items: dict[int, int] = {}
        self._made = made
        self._count = 0

    def install(self) -> None:
        """Count from now on."""
        real = DataLoader.__init__

        @wraps(real)
        def made(loader: Any, *args: Any, **kwargs: Any) -> None:
            real(loader, *args, **kwargs)
            number, self._count = self._count, self._count + 1
            size = getattr(loader.batch_sampler, "batch_size", None)
            if isinstance(size, int):
                self.sizes[number] = size
                with suppress(Exception):  # a sampler need not know, and its own code may fail
                    self.items[number] = len(loader.batch_sampler.sampler)
            self._made(loader, number)

        setattr(DataLoader, "__init__", made)  # noqa: B010 - mypy takes methods for fixed


def accumulate(times: int, numbers: Iterable[int]) -> None:
    """Divide the batches of these loaders, and let optimizers step after so many of them."""
    wanted = frozenset(numbers)
    halved: set[int] = set()

    def made(loader: Any, number: int) -> None:
        sampler = loader.batch_sampler
        if number in wanted and id(sampler) not in halved:
            halved.add(id(sampler))
            sampler.batch_size //= times
            # What a loader says of itself is fixed once it is made; the attribute is for readers only.
            vars(loader)["batch_size"] = sampler.batch_size

    Numbered(made).install()
    _step_less(times)


def _step_less(times: int) -> None:
    """Have every optimizer step, and forget gradients, after so many calls only."""
    kind: Any = torch.optim.Optimizer
    calls: dict[int, int] = {}
    patched: set[Any] = set()
    make, forget, forget_of = kind.__init__, kind.zero_grad, torch.nn.Module.zero_grad

    def waits(optimizer: Any) -> bool:
        return bool(calls.get(id(optimizer), 0) % times)

    def sparing(step: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(step)
        def spared(optimizer: Any, *args: Any, **kwargs: Any) -> Any:
            calls[id(optimizer)] = calls.get(id(optimizer), 0) + 1
            return None if waits(optimizer) else step(optimizer, *args, **kwargs)

        return spared

    @wraps(make)
    def made(optimizer: Any, *args: Any, **kwargs: Any) -> None:
        make(optimizer, *args, **kwargs)
        calls[id(optimizer)] = 0
        own = type(optimizer)
        if own not in patched:
            patched.add(own)
            own.step = sparing(own.step)

    @wraps(forget)
    def zero_grad(optimizer: Any, *args: Any, **kwargs: Any) -> None:
        if not waits(optimizer):
            forget(optimizer, *args, **kwargs)

    @wraps(forget_of)
    def zero_grad_of(module: Any, *args: Any, **kwargs: Any) -> None:
        if not any(count % times for count in calls.values()):
            forget_of(module, *args, **kwargs)

    kind.__init__, kind.zero_grad = made, zero_grad
    setattr(torch.nn.Module, "zero_grad", zero_grad_of)  # noqa: B010 - mypy takes methods for fixed
