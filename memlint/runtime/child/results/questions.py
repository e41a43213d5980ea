"""Yes-or-no questions about lines of the script, for rules that claim that it computes something else.

Each watcher is told what happens at a line and answers afterwards for which lines it was so, and for
which it was not; what it cannot tell is in neither.
"""

from __future__ import annotations

import ctypes
import functools
import sys
import warnings
import weakref
from collections.abc import Callable, Iterable
from statistics import median
from types import FrameType
from typing import Any

import torch
import torch.utils.checkpoint

from memlint.runtime.child.private import number_in, saved_other, unwatched

Line = Callable[[FrameType], str]
"""Names the line of the project that a frame, or the nearest caller of it, stands at."""

Guard = Callable[[Callable[..., Any]], Any]
"""Puts around a function what keeps its mistakes from the script."""

Copy = tuple[torch.Size, torch.dtype, bytes]
"""Shape, type and content of a tensor."""

MOST_KEPT = 100
"""Calls of state_dict() that are followed."""

LEAST_INPUTS = 3
"""Forward passes from which on equal inputs are no accident."""

BROADCASTING_LOSSES = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
"""Functions of torch.nn.functional that warn where the shapes of their arguments differ, and broadcast."""

SCALING = ("DivBackward0", "MulBackward0")


class Answers:
    """Lines for which a question was answered, by question."""

    def __init__(self) -> None:
        self.yes: dict[str, set[str]] = {}
        self.no: dict[str, set[str]] = {}

    def say(self, question: str, line: str, answer: bool) -> None:
        """One more observation at a line."""
        (self.yes if answer else self.no).setdefault(question, set()).add(line)


class RepeatedInputs:
    """Does a line that calls the model pass the same values each time?"""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._first: dict[str, Copy] = {}
        self._counts: dict[str, int] = {}

    def forward(self, line: str, values: Iterable[torch.Tensor]) -> None:
        """A training forward pass from `line`; its first tensor is compared with that of the first pass."""
        value = next(iter(values), None)
        if value is None:
            return
        now = copy(value)
        if self._first.setdefault(line, now) != now:
            self._answers.say("forwards-repeated", line, False)
        self._counts[line] = self._counts.get(line, 0) + 1
        if self._counts[line] == LEAST_INPUTS:
            self._answers.say("forwards-repeated", line, True)


class KeptWeights:
    """Do weights that a line took from state_dict() change with the training that follows?"""

    def __init__(self, answers: Answers, line: Line, guard: Guard) -> None:
        self._answers = answers
        self._line = line
        self._take = guard(self._taken_from)
        self._taken: list[tuple[str, weakref.ref[torch.Tensor], Copy]] = []

    def install(self) -> None:
        """See every call of state_dict() that the script makes."""
        real = torch.nn.Module.state_dict

        @functools.wraps(real)
        def state_dict(module: torch.nn.Module, *args: Any, **kwargs: Any) -> Any:
            found = real(module, *args, **kwargs)
            if not args and kwargs.get("destination") is None:
                self._take(module, found)
            return found

        torch.nn.Module.state_dict = state_dict  # type: ignore[method-assign, assignment]

    def _taken_from(self, module: torch.nn.Module, state: dict[str, Any]) -> None:
        trained = {name for name, p in module.named_parameters() if p.requires_grad}
        found = [state[name] for name in state.keys() & trained]
        if found and len(self._taken) < MOST_KEPT:
            smallest = min(found, key=torch.Tensor.numel)
            self._taken.append((self._line(sys._getframe(1)), weakref.ref(smallest), copy(smallest)))

    def stepped(self) -> None:
        """An optimizer has stepped: what is still held must be as it was."""
        for line, kept, then in self._taken:
            now = kept()
            if now is not None:
                self._answers.say("kept-changes", line, copy(now) != then)


class Checkpoints:
    """Does activation checkpointing at a line cut the graph off, and does torch warn there?"""

    def __init__(self, answers: Answers, line: Line, guard: Guard) -> None:
        self._answers = answers
        self._line = line
        self._warned = guard(self._warns)
        self._look = guard(self._looks)

    def install(self) -> None:
        """See every call of torch.utils.checkpoint and every warning about it."""
        module = torch.utils.checkpoint
        for name in ("checkpoint", "checkpoint_sequential"):
            setattr(module, name, self._watched(getattr(module, name)))
        real = warnings.warn

        def warn(message: Any, category: Any = None, stacklevel: int = 1, *args: Any, **kwargs: Any) -> None:
            self._warned(message)
            real(message, category, stacklevel + 1, *args, **kwargs)

        warnings.warn = warn

    def _watched(self, real: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(real)
        def checkpoint(*args: Any, **kwargs: Any) -> Any:
            result = real(*args, **kwargs)
            self._look(result)
            return result

        return checkpoint

    def _warns(self, message: Any) -> None:
        if "use_reentrant" in str(message):
            self._answers.say("torch-warns", self._line(sys._getframe(1)), True)

    def _looks(self, result: Any) -> None:
        line = self._line(sys._getframe(1))
        if torch.is_grad_enabled() and isinstance(result, torch.Tensor) and result.is_floating_point():
            self._answers.say("graph-cut-off", line, not result.requires_grad)
        if line not in self._answers.yes.get("torch-warns", ()):
            self._answers.say("torch-warns", line, False)


class LossShapes:
    """Does a loss at a line compare each prediction with each target, by broadcasting (N, 1) with (N,)?"""

    def __init__(self, answers: Answers, line: Line, guard: Guard) -> None:
        self._answers = answers
        self._line = line
        self._look = guard(self._looks)

    def install(self) -> None:
        """See every call of the losses that broadcast their arguments; modules call the same functions."""
        for name in BROADCASTING_LOSSES:
            setattr(torch.nn.functional, name, self._watched(getattr(torch.nn.functional, name)))

    def _watched(self, real: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(real)
        def loss(input: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
            self._look(input, target)
            return real(input, target, *args, **kwargs)

        return loss

    def _looks(self, first: Any, second: Any) -> None:
        if not (isinstance(first, torch.Tensor) and isinstance(second, torch.Tensor)):
            return
        try:
            whole = torch.broadcast_shapes(first.shape, second.shape)
        except RuntimeError:  # the loss itself raises next
            return
        grows = whole.numel() > max(first.numel(), second.numel())
        self._answers.say("loss-broadcasts", self._line(sys._getframe(1)), grows)


class LossWeights:
    """By how much is a loss multiplied before backward() runs on it?"""

    def __init__(self) -> None:
        self._seen: list[float] = []

    def backward(self, roots: Iterable[torch.Tensor]) -> None:
        """One call of backward(): the factors on top of its root."""
        for root in roots:
            if root.numel() == 1 and root.grad_fn is not None:
                self._seen.append(factor(root.grad_fn))

    def answer(self) -> float | None:
        """The median over all calls, None without any."""
        return median(self._seen) if self._seen else None


def factor(node: Any) -> float:
    """The product of the numbers by which the graph's last operations multiply and divide."""
    product = 1.0
    while node is not None and node.name() in SCALING:
        number = saved_other(node)
        if not isinstance(number, torch.Tensor) or number.numel() != 1 or number.requires_grad:
            break
        value = number_in(number)
        product *= value if node.name() == "MulBackward0" else 1 / value if value else 1.0
        node = node.next_functions[0][0]
    return product


def copy(value: torch.Tensor) -> Copy:
    """What a tensor holds, in memory that is not torch's: no measurement sees it."""
    with unwatched():
        host = value.detach().cpu().contiguous()
    return host.shape, host.dtype, ctypes.string_at(host.data_ptr(), host.numel() * host.element_size())
