"""Measures a script without memlint: `python truth.py tensors|allocator RESULT.json SCRIPT [ARGS...]`.

`tensors` counts the storages of all tensors with torch's own MemTracker, `allocator` the CPU allocator's
events with torch.profiler, which also sees what kernels allocate for themselves. Nothing of memlint is
imported: what it says is compared with this.
"""

from __future__ import annotations

import atexit
import json
import os
import runpy
import sys
from types import FrameType
from typing import Any

import torch
from torch.distributed._tools.mem_tracker import MemTracker
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook


class Phases:
    """What the script is doing, in the words of a replay's report, and how often it did it."""

    def __init__(self) -> None:
        self.now = "setup"
        self.counts = {"optimizer steps": 0, "backwards": 0, "forwards": 0}
        self.after_step = lambda: None
        self._depth = 0
        self._in_backward = self._in_step = False
        self._backward = torch.autograd.backward

    def install(self) -> None:
        """Follow modules, optimizers and backward calls for the rest of the process."""
        register_module_forward_pre_hook(self._enter)
        register_module_forward_hook(self._leave, always_call=True)
        register_optimizer_step_pre_hook(self._step)
        register_optimizer_step_post_hook(self._stepped)
        torch.autograd.backward = self._run_backward

    def _enter(self, module: torch.nn.Module, args: Any) -> None:
        has_weights = next(module.parameters(), None) is not None
        if not self._depth and not self._in_backward and has_weights:
            trains = module.training and torch.is_grad_enabled()
            self.now = "forward" if trains else "evaluation"
            self.counts["forwards"] += 1
        self._depth += 1

    def _leave(self, module: torch.nn.Module, args: Any, output: Any) -> None:
        self._depth -= 1

    def _step(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        self.now = "optimizer"
        self._in_step = True

    def _stepped(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        self.now = "other"
        self._in_step = False
        self.counts["optimizer steps"] += 1
        self.after_step()

    def _run_backward(self, *args: Any, **kwargs: Any) -> None:
        self.now = "backward"
        self._in_backward = True
        try:
            self._backward(*args, **kwargs)
        finally:
            self._in_backward = False
            # A closure's backward runs within the step.
            self.now = "optimizer" if self._in_step else "other"
            self.counts["backwards"] += 1


class Ledger(MemTracker):
    """MemTracker as a plain counter of bytes: without its hooks on modules, which end at the second step."""

    def __init__(self, phases: Phases, root: str) -> None:
        super().__init__()
        self.phases = phases
        self.root = root
        self.bytes = self.peak = 0
        self.phase = ""
        self.line = ""
        self.after_steps: list[tuple[int, int]] = []

    def _register_global_optimizer_hook(self) -> None:
        return

    def __enter__(self) -> Ledger:
        super().__enter__()
        self._mod_tracker.__exit__(None, None, None)
        return self

    def _update_peak_stats(self, peak_state: Any) -> None:
        self.bytes = sum(of["Total"] for of in self._curr_mem_snap.values())
        if self.bytes > self.peak:
            self.peak = self.bytes
            self.phase = self.phases.now
            self.line = place(sys._getframe(1), self.root)

    def mark(self) -> None:
        """Remember what is alive after a step, and the most so far."""
        alive = sum(of["Total"] for of in self._curr_mem_snap.values())
        self.after_steps.append((alive, self.peak))


def place(frame: FrameType | None, root: str) -> str:
    """The innermost line of the script's folder on a stack, as "file:line"; "" where there is none."""
    while frame is not None:
        if frame.f_code.co_filename.startswith(root):
            return f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


def count_tensors(script: str, result: dict[str, Any]) -> None:
    """Run the script and count the bytes of all tensors."""
    phases = Phases()
    phases.install()
    ledger = Ledger(phases, os.path.dirname(script) + os.sep)
    phases.after_step = ledger.mark
    try:
        with ledger:
            runpy.run_path(script, run_name="__main__")
    finally:
        result.update(peak=ledger.peak, phase=ledger.phase, line=ledger.line)
        result.update(counts=phases.counts, steps=ledger.after_steps)


def count_allocations(script: str, result: dict[str, Any]) -> None:
    """Run the script and follow the CPU allocator's events."""
    from torch._C._profiler import _EventType

    phases = Phases()
    phases.install()
    activities = [torch.profiler.ProfilerActivity.CPU]
    profiler = torch.profiler.profile(activities=activities, profile_memory=True)
    profiler.start()
    try:
        runpy.run_path(script, run_name="__main__")
    finally:
        profiler.stop()
        events = []
        pending = list(profiler.profiler.kineto_results.experimental_event_tree())
        while pending:
            node = pending.pop()
            pending += node.children
            if node.tag == _EventType.Allocation:
                fields = node.extra_fields
                events.append((node.start_time_ns, fields.alloc_size, fields.ptr))
        result.update(peak=highest(events), counts=phases.counts)


def highest(events: list[tuple[int, int, int]]) -> int:
    """The most bytes alive at once in (time, bytes, address) events; frees of older blocks do not count."""
    sizes: dict[int, int] = {}
    alive = most = 0
    for _, size, address in sorted(events):
        if size > 0:
            sizes[address] = size
            alive += size
            most = max(most, alive)
        else:
            alive -= sizes.pop(address, 0)
    return most


def main() -> None:
    """Run the script in this process; what it prints is its own."""
    mode, output, script, *arguments = sys.argv[1:]
    script = os.path.abspath(script)
    sys.argv = [script, *arguments]
    sys.path[0] = os.path.dirname(script)
    result: dict[str, Any] = {}
    try:
        (count_tensors if mode == "tensors" else count_allocations)(script, result)
    finally:
        with open(output, "w", encoding="utf-8") as out:
            json.dump(result, out)
    # The interpreter's end is none of the script's business: objects under a profiler may crash it.
    atexit._run_exitfuncs()
    os._exit(0)


if __name__ == "__main__":
    main()
