"""A context around each forward pass that trains and the loss behind it: until backward or a step begins."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import torch
from torch.optim.optimizer import register_optimizer_step_pre_hook

from memlint.runtime.child.private import wrap_backward

Make = Callable[[], AbstractContextManager[Any]]


class Region:
    """Enters what `make` gives with the first forward pass, and leaves it before backward."""

    def __init__(self, make: Make) -> None:
        self._make = make
        self._entered: AbstractContextManager[Any] | None = None

    def install(self) -> None:
        """Leave with every backward and every step from now on."""
        wrap_backward(self._around)
        register_optimizer_step_pre_hook(lambda *args: self.leave())

    def enter(self, module: Any) -> None:
        """A forward pass that trains begins."""
        if self._entered is None:
            self._entered = self._make()
            self._entered.__enter__()

    def leave(self) -> None:
        """The loss is there."""
        if self._entered is not None:
            entered, self._entered = self._entered, None
            entered.__exit__(None, None, None)

    def _around(self, engine: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **kwargs: Any) -> Any:
            self.leave()
            return engine(*args, **kwargs)

        return run


def autocast(dtype: str) -> Make:
    """Mixed precision with a type of that name."""
    return lambda: torch.autocast("cuda", dtype=getattr(torch, dtype))


def offload() -> AbstractContextManager[Any]:
    """What is saved for backward goes to the host."""
    return torch.autograd.graph.save_on_cpu(pin_memory=True)
