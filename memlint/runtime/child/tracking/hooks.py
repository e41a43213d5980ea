"""Learns from torch's own hooks what the script is doing: phases, roles of tensors, steps, losses."""

from __future__ import annotations

import sys
import threading
import time
import weakref
from collections import Counter
from collections.abc import Callable, Iterable
from functools import wraps
from types import FrameType
from typing import Any

import torch
from torch.nn.modules import module as nn_module
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

from memlint.runtime import host
from memlint.runtime.child.log import NO_MODULE, NO_SITE, Log, Tick
from memlint.runtime.child.private import (
    STEP_CODE,
    has_parameters,
    is_traced,
    is_transformed,
    next_sequence_number,
    wrap_backward,
)
from memlint.runtime.child.probe import Probe
from memlint.runtime.child.tracking.guards import Guards
from memlint.runtime.child.tracking.module_paths import ModulePaths
from memlint.runtime.child.tracking.sites import Sites
from memlint.session import BACKWARD, FORWARD, STEP, main_series

Counted = Callable[[str, int], None]

STATE_STEPS = 4
"""Steps of an optimizer after which its state is looked through."""

FORWARDS = "forward passes are not seen any more: phases, modules and counted forwards are missing"
BACKWARDS = "backward() is not seen any more: its phase and the values of losses are missing"
ROLES = "parameters, gradients and optimizer state are not distinguished from other tensors any more"
STEPS = "optimizer steps are not counted any more"
TICKS = "steps and forwards are not counted any more"
"""What the report says where a hook has failed."""


class Hooks:
    """Installs the hooks for one run. Without a tracker only ticks and losses are recorded.

    `name` shortens a path for the report. `on_tick` is told the series and how many ticks it has now,
    after each step or root forward. `before_training` is given each module whose forward begins in training
    and that no other one has called. `is_loading` says whether a DataLoader is making a batch.
    """

    def __init__(
        self,
        log: Log,
        sites: Sites,
        tracker: Probe | None,
        sampler: host.Sampler | None,
        name: Callable[[str], str] = str,
    ) -> None:
        self.log = log
        self.sites = sites
        self.tracker = tracker
        self.sampler = sampler
        self.name = sites.name = name
        self.counts: Counter[str] = Counter()
        self._thread = threading.get_ident()
        self._optimizers: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        self.on_tick: Counted = lambda series, count: None
        self.before_tick: Callable[[], None] = lambda: None
        self.is_loading: Callable[[], bool] = lambda: False
        self.on_forward: Callable[[str, Iterable[torch.Tensor]], None] | None = None
        self.before_training: Callable[[Any], None] | None = None
        self.on_backward: Callable[[Iterable[torch.Tensor], bool], None] = lambda roots, keeps: None
        self.after_backward: Callable[[str], None] = lambda line: None
        self.any_backward: Callable[[], None] = lambda: None
        self._steps_seen: Counter[int] = Counter()
        self._has_parameters = False
        self.guards = Guards(log, self.caller)
        self._paths = ModulePaths(log, sites)
        self._backward_depth = 0
        self._step_depth = 0
        self._closure = False
        self._trains: bool | None = None
        self.optimizers_made = 0
        self.evaluations = 0
        self._evaluates = False
        self._steps_made = 0
        self._stepped_within = False
        self._of_modules: list[Any] = []

    def steps(self) -> int:
        """The steps so far of the series that counts."""
        return self.counts[main_series(self.counts)] if self.counts else 0

    def install(self) -> None:
        """Register everything for the rest of the process."""
        wrap_backward(self._around_backward)
        self._count_optimizers()
        around = self.guards.around
        register_optimizer_step_pre_hook(around(self._before_step, STEPS, self._without_steps))
        register_optimizer_step_post_hook(around(self._after_step, STEPS, self._without_steps))
        before = around(self._before_forward, FORWARDS, self._without_modules)
        after = around(self._after_forward, FORWARDS, self._without_modules)
        self._of_modules = [
            nn_module.register_module_forward_pre_hook(before),
            nn_module.register_module_forward_hook(after, always_call=True),
        ]
        self._mark_gradients = around(self._mark_gradients, ROLES)  # type: ignore[method-assign]
        self._mark_state = around(self._mark_state, ROLES)  # type: ignore[method-assign]
        self._tick = around(self._tick, TICKS)  # type: ignore[method-assign]

    def _without_modules(self) -> None:
        """Go on where forward passes cannot be followed."""
        self._forget_modules()
        self._set_phase("other")
        if self.tracker is not None:
            self.tracker.module = NO_MODULE

    def _without_steps(self) -> None:
        self._step_depth = 0
        self._set_phase("other")

    def _count_optimizers(self) -> None:
        real = torch.optim.Optimizer.__init__

        @wraps(real)
        def made(optimizer: Any, *args: Any, **kwargs: Any) -> None:
            self.optimizers_made += 1
            real(optimizer, *args, **kwargs)

        setattr(torch.optim.Optimizer, "__init__", made)  # noqa: B010 - mypy takes methods for fixed

    def _forget_modules(self) -> None:
        """Let modules run as fast as without a replay, and with as few frames on the stack."""
        while self._of_modules:
            self._of_modules.pop().remove()

    def _set_phase(self, phase: str, *, graphless: bool = False) -> None:
        if self.tracker is not None:
            self.tracker.phase = phase
            self.tracker.graphless = graphless

    def _tick(self, series: str) -> None:
        self.counts[series] += 1
        # Autograd's own threads are followed: an optimizer may step within backward.
        strayed = not self._backward_depth and threading.get_ident() != self._thread
        self.before_tick()
        if self.sampler is None:
            sample = (-1, -1)
        else:
            sample = (self.sampler.malloc_bytes(), self.sampler.worker_bytes())
            self.log.shared = max(self.log.shared, self.sampler.shared_bytes())
        self.log.ticks.append(
            Tick(
                len(self.log.events),
                series,
                time.perf_counter(),
                *sample,
                next_sequence_number(),
                self.log.waited,
                strayed,
            )
        )
        self.on_tick(series, self.counts[series])

    # --- modules -----------------------------------------------------------------------------------

    def _before_forward(self, module: Any, args: Any) -> None:
        if isinstance(module, torch.jit.ScriptModule):
            return
        is_root = self._paths.enter(module, self.tracker, self._backward_depth > 0)
        if is_root:
            self._has_parameters = False
        self._has_parameters = self._has_parameters or has_parameters(module)
        if is_root and not self._backward_depth and not self.is_loading():
            self._root_forward(module, args)

    def _root_forward(self, module: Any, args: Any) -> None:
        recording, training = torch.is_grad_enabled(), getattr(module, "training", True)
        if next(module.parameters(), None) is None:
            # A loss has no mode of its own: that of the model before it counts.
            training = training if self._trains is None else self._trains
        elif recording:
            self._trains = training
        measuring = recording and training
        self.evaluations += not measuring and not self._evaluates
        self._evaluates = not measuring
        self._set_phase("forward" if measuring else "evaluation", graphless=not recording)
        if measuring and self.on_forward is not None:
            self.on_forward(self.caller(sys._getframe(2)), tensors(args))
        if measuring and self.before_training is not None:
            self.before_training(module)
        if self.tracker is not None:
            for value in tensors(args):
                index = self.tracker.index_of(value)
                if index is not None and not value.requires_grad and index not in self.log.kinds:
                    self.tracker.mark(value, "input")

    def _after_forward(self, module: Any, args: Any, output: Any) -> None:
        if isinstance(module, torch.jit.ScriptModule):
            return
        is_root = self._paths.leave(module, self.tracker, self._backward_depth > 0)
        # Transforms, losses and metrics are modules too; a model has parameters, its own or a part's.
        if is_root and not self._backward_depth and self._has_parameters and not self.is_loading():
            self.log.boundaries.append(len(self.log.events))
            self._tick(f"{FORWARD} at {self.caller(sys._getframe(1))}")

    def caller(self, frame: FrameType) -> str:
        """The line of the project ("path:line") that a frame, or the nearest caller of it, stands at."""
        site = self.sites.here(frame)
        path, line = self.log.sites[site] if site != NO_SITE else ("?", 0)
        return f"{self.name(path)}:{line}"

    def modules(self) -> list[Any]:
        """The modules of which a forward has run, and their parts."""
        return self._paths.modules()

    # --- backward ----------------------------------------------------------------------------------

    def _around_backward(self, engine: Callable[..., Any]) -> Callable[..., Any]:
        # The second of `args` is `keep_graph` (torch/autograd/graph.py).
        enter = self.guards.around(self._enter_backward, BACKWARDS)
        leave = self.guards.around(self._leave_backward, BACKWARDS)

        def run(roots: Any, *args: Any, **kwargs: Any) -> Any:
            if self._backward_depth or is_traced():
                return engine(roots, *args, **kwargs)
            self._backward_depth += 1
            enter(roots, bool(args[1]) if len(args) > 1 else False)
            try:
                result = engine(roots, *args, **kwargs)
            finally:
                self._backward_depth -= 1
                self._set_phase("optimizer" if self._step_depth else "other")
            leave()
            return result

        return run

    def _enter_backward(self, roots: Any, keeps: bool) -> None:
        self._paths.settle(self.tracker)
        self._settle_steps()
        roots = list(tensors(roots))
        self._closure = self._step_depth > 0
        self.log.boundaries.append(len(self.log.events))
        self._set_phase("backward")
        if self.tracker is not None:
            lines = self.sites.both(sys._getframe(2))
            self.tracker.backward_site, self.tracker.backward_library = lines
        for root in roots:
            if self.tracker is not None and not self.tracker.has_value(root):
                continue
            if root.numel() == 1 and root.is_floating_point() and root.device.type != "meta":
                self.log.losses.append(float(root.detach().item()).hex())
        if roots:
            self.on_backward(roots, keeps)

    def _leave_backward(self) -> None:
        self.after_backward(self.caller(sys._getframe(1)))
        self.any_backward()
        if self._stepped_within:
            # Each parameter has an optimizer of its own there: all of them make one step.
            self._stepped_within = False
            self._tick(f"{STEP} at {self.caller(sys._getframe(1))}")
        # Scripts that update their parameters by hand have no other steps.
        elif not self._steps_made:
            self._tick(f"{BACKWARD} at {self.caller(sys._getframe(1))}")

    # --- optimizers --------------------------------------------------------------------------------

    def _settle_steps(self, begun: int = 0) -> None:
        """Forget steps that an exception has ended without a hook; `begun` are still to be counted."""
        if self._step_depth and STEP_CODE is not None:
            frame: FrameType | None = sys._getframe(1)
            running = -begun
            while frame is not None:
                running += frame.f_code is STEP_CODE
                frame = frame.f_back
            self._step_depth = min(self._step_depth, running)

    def _before_step(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        self._settle_steps(begun=1)
        self._step_depth += 1
        self._closure = False
        if self._step_depth > 1 or self.tracker is None:
            return
        self._mark_gradients(optimizer)
        self._set_phase("optimizer")

    def optimizers(self) -> list[Any]:
        """The optimizers that have made a step and are still there."""
        return list(self._optimizers.values())

    def trained(self) -> set[int]:
        """The storages of what optimizers train now: parameters, their gradients and their state.

        A parameter has one state, that of the last optimizer: those of earlier ones are only kept.
        """
        if self.tracker is None:
            return set()
        held: list[Any] = []
        known: set[int] = set()
        for optimizer in reversed(self.optimizers()):
            held += [value for p in parameters(optimizer) for value in (p, p.grad)]
            states = {id(key): state for key, state in list(optimizer.state.items())}
            held += [value for key in states.keys() - known for value in tensors(states[key])]
            known |= states.keys()
        return {index for value in held if (index := self.tracker.index_of(value)) is not None}

    def _mark_gradients(self, optimizer: Any) -> None:
        assert self.tracker is not None
        for parameter in parameters(optimizer):
            owner = self._paths.owner(parameter)
            self.tracker.mark(parameter, "parameter", owner)
            if parameter.grad is not None:
                self.tracker.mark(parameter.grad, "gradient", owner)

    def _mark_state(self, optimizer: Any) -> None:
        assert self.tracker is not None
        for parameter, state in optimizer.state.items():
            known = isinstance(parameter, torch.Tensor)
            owner = self._paths.owner(parameter) if known else NO_MODULE
            for value in tensors(state):
                # LBFGS keeps what it knows of all parameters with the first one.
                mine = owner != NO_MODULE and value.numel() <= parameter.numel()
                self.tracker.mark(value, "optimizer state", owner if mine else NO_MODULE)

    def _after_step(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        self._step_depth -= 1
        if self._step_depth:
            return
        self._paths.settle(self.tracker)
        if self.tracker is not None:
            if self._closure:
                self._mark_gradients(optimizer)
            # State is made in the first steps and then updated in place; LBFGS makes new state for ever.
            # By identity: a class that compares its optimizers may leave them without a hash.
            if self._optimizers.get(id(optimizer)) is not optimizer:
                self._optimizers[id(optimizer)] = optimizer
                self._steps_seen[id(optimizer)] = 0
            self._steps_seen[id(optimizer)] += 1
            if self._steps_seen[id(optimizer)] <= STATE_STEPS or self._closure:
                self._mark_state(optimizer)
        else:
            # Forwards are counted only for scripts without an optimizer.
            self._forget_modules()
        self._optimizers[id(optimizer)] = optimizer
        self._steps_made += 1
        if self._backward_depth:
            self._stepped_within = True
            self._set_phase("backward")
            return
        self._set_phase("other")
        self._tick(f"{STEP} at {self.caller(sys._getframe(1))}")


def parameters(optimizer: Any) -> Iterable[torch.Tensor]:
    """The parameters that an optimizer trains."""
    for group in optimizer.param_groups:
        yield from group["params"]


def tensors(value: Any) -> Iterable[torch.Tensor]:
    """Every tensor in nested tuples, lists, dicts and views of them."""
    if isinstance(value, torch.Tensor):
        if not is_transformed(value):
            yield value
    elif isinstance(value, dict):
        yield from tensors(value.values())
    elif isinstance(value, (tuple, list, type({}.values()))):
        for item in value:
            yield from tensors(item)
