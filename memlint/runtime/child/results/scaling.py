"""Are the gradients that a line uses those of the loss, or still multiplied by a GradScaler's factor?"""

from __future__ import annotations

import functools
import sys
import weakref
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch.amp import grad_scaler
from torch.optim.optimizer import register_optimizer_step_pre_hook

from memlint.runtime.child.results.questions import Answers, Guard, Line

QUESTION = "gradients-scaled"
CLIPPERS = ("clip_grad_norm_", "clip_grad_value_", "get_total_norm")


class ScaledGradients:
    """Follows losses through `scale`, backward and `unscale_` to the lines that use their gradients.

    A backward of a loss that was never scaled is answered for once a scaler divides its gradients.
    """

    def __init__(self, answers: Answers, line: Line, guard: Guard) -> None:
        self._answers = answers
        self._line = line
        self._guard = guard
        self._scaled: weakref.WeakValueDictionary[int, torch.Tensor] = weakref.WeakValueDictionary()
        self._unscaled: weakref.WeakSet[Any] = weakref.WeakSet()
        self._was_scaled: bool | None = None
        self._plain = ""

    def install(self) -> None:
        """See every call of an enabled scaler, every clipping and every optimizer step."""
        scaler: Any = grad_scaler.GradScaler
        scaler.scale = self._scale(scaler.scale)
        scaler.unscale_ = self._unscale(scaler.unscale_)
        for name in CLIPPERS:
            if hasattr(torch.nn.utils, name):
                setattr(torch.nn.utils, name, self._uses(getattr(torch.nn.utils, name)))
        register_optimizer_step_pre_hook(self._guard(self._before_step))

    def backward(self, roots: Iterable[torch.Tensor]) -> None:
        """A backward begins."""
        self._was_scaled = any(self._scaled.get(id(root)) is root for root in roots)
        self._unscaled.clear()

    def after_backward(self, line: str) -> None:
        """A backward, called from `line`, has ended."""
        self._plain = "" if self._was_scaled else line

    def _scale(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def note(scaler: Any, found: Any) -> None:
            if scaler.is_enabled() and isinstance(found, torch.Tensor):
                self._scaled[id(found)] = found

        noting = self._guard(note)

        @functools.wraps(real)
        def scale(scaler: Any, outputs: Any) -> Any:
            found = real(scaler, outputs)
            noting(scaler, found)
            return found

        return scale

    def _unscale(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def note(scaler: Any, optimizer: Any) -> None:
            if scaler.is_enabled() and self._was_scaled is not None:
                self._unscaled.add(optimizer)
                if self._plain:
                    self._answers.say(QUESTION, self._plain, True)

        noting = self._guard(note)

        @functools.wraps(real)
        def unscale_(scaler: Any, optimizer: Any) -> Any:
            found = real(scaler, optimizer)
            noting(scaler, optimizer)
            return found

        return unscale_

    def _uses(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def note() -> None:
            if self._was_scaled:
                self._answers.say(QUESTION, self._line(sys._getframe(1)), not self._unscaled)

        noting = self._guard(note)

        @functools.wraps(real)
        def clip(*args: Any, **kwargs: Any) -> Any:
            noting()
            return real(*args, **kwargs)

        return clip

    def _before_step(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        if self._was_scaled:
            divides = getattr(optimizer, "grad_scale", None) is not None
            line = self._line(sys._getframe(1))
            self._answers.say(QUESTION, line, not divides and optimizer not in self._unscaled)
