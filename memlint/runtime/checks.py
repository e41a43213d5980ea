"""Answers the CORRECT claims of rules: are gradients summed over steps, are the parameters finite."""

from __future__ import annotations

from typing import Any

import torch
from torch.optim.optimizer import register_optimizer_step_post_hook
from torch.utils._python_dispatch import _disable_current_modes

from memlint.runtime.hooks import Hooks, parameters
from memlint.session import Checks

SAMPLES = 10


class Checker:
    """Watches one parameter's gradient between steps, and all parameters at the end."""

    def __init__(self, hooks: Hooks) -> None:
        self._hooks = hooks
        self._just_stepped: Any = None
        self._looked = 0
        self._summed = 0

    def install(self) -> None:
        """Listen to steps and backwards for the rest of the process."""
        self._hooks.on_backward = self._before_backward
        register_optimizer_step_post_hook(self._after_step)

    def _after_step(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        if self._looked < SAMPLES:
            trained = [p for p in parameters(optimizer) if p.grad is not None]
            self._just_stepped = min(trained, key=lambda p: p.numel(), default=None)

    def _before_backward(self) -> None:
        parameter, self._just_stepped = self._just_stepped, None
        if parameter is None:
            return
        self._looked += 1
        with _disable_current_modes(), torch.no_grad():
            # A gradient that is still there, and not zero, when the next step's backward begins is added to.
            if parameter.grad is not None and bool(parameter.grad.any()):
                self._summed += 1

    def answers(self) -> Checks:
        """What was seen; None for what could not be seen."""
        finite = None
        with _disable_current_modes(), torch.no_grad():
            for optimizer in list(self._hooks.optimizers):
                state = all(
                    bool(torch.isfinite(p).all()) for p in parameters(optimizer) if p.is_floating_point()
                )
                finite = state if finite is None else finite and state
        return Checks(self._summed * 2 > self._looked if self._looked else None, finite)
