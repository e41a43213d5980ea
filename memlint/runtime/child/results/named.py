"""What variables and attributes of the script alone hold while a backward() runs, and after it."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from types import FrameType
from typing import Any

import torch

from memlint.runtime.child.attribution.analyse import Timeline
from memlint.runtime.child.attribution.objects import is_a, variables
from memlint.runtime.child.private import unwatched
from memlint.runtime.child.results.needless import Graphs, of_kinds, peak_without
from memlint.session import NAMED, Needless

ITEMS, LEVELS = 64, 2
"""What a container may hold to be looked into, and how deep: outputs come in tuples, not in data sets."""

_MADE = ("activation",)

_OF_MODULES = frozenset(vars(torch.nn.Module()))
"""Attributes that every module has: parameters and buffers outlive a backward() anyhow."""


class Names:
    """Looks at what the script's names hold whenever a backward() begins.

    `index_of` gives the storage of a tensor, `now` the number of events, `owns` knows files of the project
    and `modules` are those of which a forward has run.
    """

    def __init__(
        self,
        index_of: Callable[[Any], int | None],
        now: Callable[[], int],
        owns: Callable[[str], bool],
        modules: Callable[[], Iterable[Any]],
    ) -> None:
        self._index_of = index_of
        self._now = now
        self._owns = owns
        self._modules = modules
        self._first: dict[int, int] = {}
        self._held: defaultdict[int, set[str]] = defaultdict(set)

    def before(self) -> None:
        """A backward() begins: a storage has its name from the first one on."""
        now = self._now()
        with unwatched():
            for name, value in self._values():
                for tensor in _tensors(value):
                    if (index := self._index_of(tensor)) is not None:
                        self._first.setdefault(index, now)
                        self._held[index].add(name)

    @property
    def held(self) -> Collection[int]:
        """All storages that a name has held while a backward() ran."""
        return self._held.keys()

    def _values(self) -> Iterator[tuple[str, Any]]:
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if self._owns(frame.f_code.co_filename):
                yield from variables(frame).items()
            frame = frame.f_back
        for module in self._modules():
            for name, value in list(vars(module).items()):
                if name not in _OF_MODULES:
                    yield f"self.{name}", value

    def answers(self, line: Timeline, graphs: Graphs) -> tuple[Needless, ...]:
        """By the names that hold something together: how much lower the peak would be, were they gone.

        What a graph has saved as well stays until its backward() has ended; where that keeps its graph, it is
        not the names that hold it. One row without names says that all this was followed.
        """
        saved = graphs.given_up()
        spans: defaultdict[tuple[str, ...], dict[int, int]] = defaultdict(dict)
        for index, names in self._held.items():
            given_up = saved.get(index, 0)
            if given_up is not None:
                spans[tuple(sorted(names))][index] = max(self._first[index], given_up)
        rows = [Needless(NAMED, "", *peak_without(line, of_kinds(line, found, _MADE)), names)
                for names, found in sorted(spans.items())]  # fmt: skip
        return (Needless(NAMED, "", 0, 0), *(row for row in rows if row.bytes or row.less))


def _tensors(value: Any, levels: int = LEVELS) -> Iterator[torch.Tensor]:
    if is_a(value, torch.Tensor):
        yield value
    elif levels and is_a(value, tuple, list, dict) and len(value) <= ITEMS:
        for item in list(value.values() if is_a(value, dict) else value):
            yield from _tensors(item, levels - 1)
