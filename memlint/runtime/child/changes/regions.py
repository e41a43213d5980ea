"""A context around each forward pass that trains and the loss behind it: until backward or a step begins."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import torch
from torch.optim.optimizer import register_optimizer_step_pre_hook

from memlint.runtime.child.private import wrap_backward

Make = Callable[[], AbstractContextManager[Any]]
Line = tuple[CodeType, int]

_LIBRARIES = (str(Path(torch.__file__).parent), str(Path(__file__).parents[3]))


@dataclass(slots=True, eq=False)
class Pass:
    """A forward pass: how many backwards there had been, what it saved, and how much of that one has read."""

    began: int = 0
    saved: int = 0
    read: int = 0


class Region:
    """Enters what `make` gives with the first forward pass, and leaves it before backward.

    A line whose last pass saved tensors that no backward has read since then only shows what the model
    does: a region around training does not begin there.
    """

    def __init__(self, make: Callable[[Region], AbstractContextManager[Any]]) -> None:
        self._make = make
        self._entered: AbstractContextManager[Any] | None = None
        self._passes: dict[Line, Pass] = {}
        self._showing: set[Line] = set()
        self._backwards = 0
        self.now = Pass()

    def install(self) -> None:
        """Leave with every backward and every step from now on."""
        wrap_backward(self._around)
        register_optimizer_step_pre_hook(lambda *args: self.leave())

    def enter(self, module: Any) -> None:
        """A forward pass that trains begins."""
        line = _line_of(sys._getframe(1))
        last = self._passes.get(line)
        if last is not None and last.saved and not last.read and last.began < self._backwards:
            self._showing.add(line)
        self.now = self._passes[line] = Pass(self._backwards)
        if self._entered is None and line not in self._showing:
            self._entered = self._make(self)
            self._entered.__enter__()

    def leave(self) -> None:
        """The loss is there."""
        if self._entered is not None:
            entered, self._entered = self._entered, None
            entered.__exit__(None, None, None)

    def _around(self, engine: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **kwargs: Any) -> Any:
            self.leave()
            try:
                return engine(*args, **kwargs)
            finally:
                self._backwards += 1

        return run


def _line_of(frame: FrameType | None) -> Line:
    """The innermost line that is neither torch's nor memlint's own."""
    assert frame is not None
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_LIBRARIES):
        frame = frame.f_back
    return frame.f_code, frame.f_lineno


def autocast(dtype: str) -> Callable[[Region], AbstractContextManager[Any]]:
    """Mixed precision with a type of that name."""
    return lambda region: torch.autocast("cuda", dtype=getattr(torch, dtype))


def offload(region: Region) -> AbstractContextManager[Any]:
    """What is saved for backward goes to the host."""
    context: Any = torch.autograd.graph.save_on_cpu(pin_memory=True)
    pack, unpack = context.pack_hook, context.unpack_hook

    def packed(tensor: Any) -> Any:
        region.now.saved += 1
        return region.now, pack(tensor)

    def unpacked(found: Any) -> Any:
        made, kept = found
        made.read += 1
        return unpack(kept)

    context.pack_hook, context.unpack_hook = packed, unpacked
    entered: AbstractContextManager[Any] = context
    return entered
