"""The lines between which a script computes a loss: from its first forward pass to the backward behind it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import CodeType, FrameType
from typing import Any

import torch

from memlint.runtime.child.attribution.objects import variables
from memlint.session import Batch, Lines

Frames = list[tuple[CodeType, int]]
"""The frames of the project on the stack with their lines, the outermost first."""


PASSES = 64
"""Forward passes before one backward that are remembered."""


class Places:
    """Notes where forward passes that train begin, and where backward reads them.

    `name` is the path of a file as reports show it, "" for a file that is not the project's.
    """

    def __init__(self, name: Callable[[str], str]) -> None:
        self._name = name
        self._begun: list[Frames] = []
        self._held: list[list[tuple[Batch, ...]]] = []
        self._batches: tuple[Batch, ...] | None = None
        self._regions: dict[Lines, None] = {}
        self._elsewhere = False

    def begins(self) -> None:
        """A forward pass that trains begins."""
        if len(self._begun) < PASSES:
            frames = self._frames(sys._getframe(1))
            self._begun.append([(frame.f_code, frame.f_lineno) for frame in frames])
            if self._batches is None:
                self._held.append([tuple(_batches(variables(frame))) for frame in frames])

    def ends(self) -> None:
        """Backward begins."""
        (begun, self._begun), (held, self._held) = (self._begun, []), (self._held, [])
        if not begun:
            return
        ended = self._stack(sys._getframe(1))
        for number, each in enumerate(begun):
            if (found := self._between(each, ended)) is not None:
                region, depth = found
                self._regions[region] = None
                if self._batches is None:
                    self._batches = held[number][depth]
                return
        self._elsewhere = True

    def regions(self) -> tuple[Lines, ...]:
        """All that were seen; () where one of them does not lie in one function."""
        return () if self._elsewhere else tuple(self._regions)

    def batches(self) -> tuple[Batch, ...]:
        """The variables with tensors where the first region began."""
        return self._batches or ()

    def here(self) -> Lines | None:
        """The innermost line of the project that is running."""
        stack = self._stack(sys._getframe(1))
        if not stack:
            return None
        code, line = stack[-1]
        return Lines(self._name(code.co_filename), line, line)

    def _stack(self, frame: FrameType | None) -> Frames:
        return [(each.f_code, each.f_lineno) for each in self._frames(frame)]

    def _frames(self, frame: FrameType | None) -> list[FrameType]:
        found = []
        while frame is not None:
            if self._name(frame.f_code.co_filename):
                found.append(frame)
            frame = frame.f_back
        return found[::-1]

    def _between(self, begun: Frames, ended: Frames) -> tuple[Lines, int] | None:
        """The lines of the function from which both were reached by calls of their own, and its depth.

        A pass further down began in the iteration before, to show what the model does.
        """
        for depth, ((code, first), (other, last)) in enumerate(zip(begun, ended, strict=False)):
            if code is not other:
                return None
            if first != last:
                return (Lines(self._name(code.co_filename), first, last), depth) if first < last else None
        return None


def _batches(variables: Mapping[str, Any]) -> Iterator[Batch]:
    """The variables that hold a tensor, or nothing but tensors with as many rows in a list or dictionary.

    Those with other values for several items have no rows: texts, sizes, boxes, a graph.
    """
    for name, value in variables.items():
        if isinstance(value, torch.Tensor):
            if value.dim() and not value.requires_grad:
                yield Batch(name, "", _rows((value,)))
        elif isinstance(value, (list, tuple)):
            yield Batch(name, "0", _rows(value))
        elif isinstance(value, Mapping):
            key = repr(next(iter(value))) if value else "0"
            yield Batch(name, key, _rows(tuple(value.values())))
        elif _has_several(value):
            yield Batch(name, "", 0)


def _has_several(value: Any) -> bool:
    """Whether an object may hold something of each item: an array, or what has tensors for attributes."""
    kind = type(value)
    if kind.__module__ == "numpy" and getattr(value, "ndim", False):
        return True
    if kind.__module__.partition(".")[0] in ("builtins", "torch") or isinstance(
        value, (torch.nn.Module, type)
    ):
        return False
    space = getattr(value, "__dict__", None)
    return type(space) is dict and any(isinstance(each, torch.Tensor) for each in list(space.values()))


def _rows(values: Sequence[Any]) -> int:
    """The rows that all of some tensors have; 0 where it is something else or they differ.

    Where another dimension is as long, the first need not be that of the items: texts may be (time, items).
    """
    if not values or len(values) > PASSES or not all(isinstance(v, torch.Tensor) and v.dim() for v in values):
        return 0
    if any(len(value) in value.shape[1:] for value in values):
        return 0
    found = {len(value) for value in values}
    return found.pop() if len(found) == 1 else 0
