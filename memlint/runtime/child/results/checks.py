"""Answers the CORRECT claims of rules: which gradients does a step use, are the parameters finite."""

from __future__ import annotations

import weakref
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import partial
from statistics import median_low
from typing import Any

import torch
from torch.optim.optimizer import register_optimizer_step_post_hook

from memlint.runtime.child.attribution.analyse import Timeline
from memlint.runtime.child.private import unwatched, version
from memlint.runtime.child.results import named, needless, scaling, untrained
from memlint.runtime.child.results.questions import (
    Answers,
    Checkpoints,
    Guard,
    KeptWeights,
    LossShapes,
    LossWeights,
    RepeatedInputs,
)
from memlint.runtime.child.tracking.hooks import Hooks, parameters
from memlint.session import NAMED, OF_GRAPHS, OF_LINE, Checks, Needless

LOST = "what rules ask about results is not watched any more"
"""What the report says where this fails."""


@dataclass(slots=True)
class _Window:
    """From one step of an optimizer to its next: was a gradient cleared, which backwards added to it.

    `made` are the backwards that added to the gradient, `used` those since it was last cleared.
    """

    parameter: torch.Tensor
    cleared: bool = False
    version: int = -1
    made: int = 0
    used: int = 0
    lines: set[str] = field(default_factory=set)


class Checker:
    """Watches the smallest parameter of each optimizer between its steps, and all of them at the end.

    `questions` are those that findings ask (the `check` of their claims); the others are left alone.
    """

    def __init__(self, hooks: Hooks, questions: Collection[str]) -> None:
        self._hooks = hooks
        self._questions = questions
        self._windows: weakref.WeakKeyDictionary[Any, _Window] = weakref.WeakKeyDictionary()
        self._summed: set[str] = set()
        self._cleared: set[str] = set()
        self._counts: dict[int, list[tuple[int, int]]] = {}
        self._answers = Answers()
        self._weights = LossWeights()
        self._guard: Guard = partial(hooks.guards.around, lost=LOST)
        self._kept = KeptWeights(self._answers, hooks.caller, self._guard)
        self._scaling: scaling.ScaledGradients | None = None
        # What is asked about graphs alone is answered where tensors have no values, too.
        self._reads_values = not OF_GRAPHS.issuperset(questions)
        self._graphs: needless.Graphs | None = None
        if (tracker := hooks.tracker) is not None and OF_GRAPHS & set(questions):
            self._graphs = needless.Graphs(tracker.index_of, lambda: len(hooks.log.events))
        self._names: named.Names | None = None
        if tracker is not None and {NAMED, OF_LINE} & set(questions):
            self._names = named.Names(
                tracker.index_of, lambda: len(hooks.log.events), hooks.sites.owns, hooks.modules
            )

    def install(self) -> None:
        """Listen to steps, forwards and backwards for the rest of the process."""
        if "kept-changes" in self._questions:
            self._kept.install()
        if {"graph-cut-off", "torch-warns"} & set(self._questions):
            Checkpoints(self._answers, self._hooks.caller, self._guard).install()
        if "loss-broadcasts" in self._questions:
            LossShapes(self._answers, self._hooks.caller, self._guard).install()
        if "forwards-repeated" in self._questions:
            self._hooks.on_forward = self._guard(RepeatedInputs(self._answers).forward)
        if scaling.QUESTION in self._questions:
            self._scaling = scaling.ScaledGradients(self._answers, self._hooks.caller, self._guard)
            self._scaling.install()
        self._hooks.on_backward = self._guard(self._before_backward)
        self._hooks.after_backward = self._guard(self._after_backward)
        register_optimizer_step_post_hook(self._guard(self._after_step))

    def _before_backward(self, roots: Iterable[torch.Tensor], keeps: bool) -> None:
        roots = list(roots)
        if self._graphs is not None:
            self._graphs.before(roots, keeps)
        if self._names is not None:
            self._names.before()
        if not self._reads_values:
            return
        self._weights.backward(roots)
        if self._scaling is not None:
            self._scaling.backward(roots)
        with unwatched():
            for window in self._windows.values():
                gradient = window.parameter.grad
                window.version = version(gradient) if gradient is not None else -1
                if gradient is None or not bool(gradient.any()):
                    window.cleared = True
                    window.used = 0

    def _after_backward(self, line: str) -> None:
        if self._graphs is not None:
            self._graphs.after(line)
        if self._scaling is not None:
            self._scaling.after_backward(line)
        for window in self._windows.values():
            gradient = window.parameter.grad
            if gradient is not None and version(gradient) != window.version:
                window.lines.add(line)
                window.made += 1
                window.used += 1

    def _after_step(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        self._kept.stepped()
        if self._graphs is not None:
            self._graphs.stepped(parameters(optimizer))
        window = self._windows.pop(optimizer, None)
        if window is not None:
            (self._cleared if window.cleared else self._summed).update(window.lines)
            if window.made:
                self._counts.setdefault(id(optimizer), []).append((window.made, window.used))
        trained = [p for p in parameters(optimizer) if p.grad is not None]
        if trained and self._reads_values:
            self._windows[optimizer] = _Window(min(trained, key=lambda p: p.numel()))

    def answers(self, batches: int, line: Timeline | None) -> Checks:
        """What was seen; parameters_finite is None where no optimizer made a step.

        `batches` is the length of the loader that feeds the steps, `line` the device's memory over the run.
        """
        finite = None
        with unwatched():
            for optimizer in self._hooks.optimizers() if self._reads_values else ():
                fine = all(
                    bool(torch.isfinite(p).all()) for p in parameters(optimizer) if p.is_floating_point()
                )
                finite = fine if finite is None else finite and fine
        # A backward of one network can add to the gradients of another, which then count for nothing.
        counts = list(self._counts.values()) if len(self._counts) == 1 else [[(0, 0)]]
        made, used = map(median_low, zip(*counts[0], strict=True))
        return Checks(
            tuple(sorted(self._summed)),
            tuple(sorted(self._cleared)),
            finite,
            made,
            used,
            loss_weight=self._weights.answer(),
            batches=batches,
            yes={question: tuple(sorted(lines)) for question, lines in self._answers.yes.items()},
            no={question: tuple(sorted(lines)) for question, lines in self._answers.no.items()},
            needless=self._needless(line) if line else (),
        )

    def _needless(self, line: Timeline) -> tuple[Needless, ...]:
        graphs, names = self._graphs, self._names
        if graphs is None:
            return ()
        found = graphs.answers(line, self._questions)
        if names is None or not graphs.complete:
            return found
        if NAMED in self._questions:
            found += names.answers(line, graphs)
        if OF_LINE in self._questions:
            found += untrained.answers(line, self._hooks.name, graphs.needed(), names.held)
        return found
