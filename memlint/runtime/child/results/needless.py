"""Bytes that graphs hold for nobody: kept beyond their backward, or saved for gradients that no step uses.

Just before a backward() its graph is walked: which storages has it saved, and which parameters does each
part of it lead to? Which of those are trained is known after the optimizer steps that follow.
"""

from __future__ import annotations

import weakref
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from memlint.runtime.child.attribution.analyse import Timeline, kind_of
from memlint.runtime.child.attribution.graphs import saved_by
from memlint.runtime.child.private import unwatched
from memlint.session import FOR_NO_OPTIMIZER, FOR_OTHERS, KEPT_BY_BACKWARD, Needless

QUESTIONS = frozenset({KEPT_BY_BACKWARD, FOR_OTHERS, FOR_NO_OPTIMIZER})

MOST_NODES = 400_000
"""Nodes that are visited in one run: a walk takes some 5 us for each. Beyond, no question is answered."""

Spans = dict[int, int]
"""By storage: the event from which on nobody needs it."""


@dataclass(slots=True)
class _Backward:
    """One backward(): the line that called it, where in the log it ended (-1: not), what its graph saved.

    `saved` are storages by the parameters to which their part of the graph leads, as the bits of a number.
    """

    line: str
    keeps: bool
    ended: int = -1
    saved: dict[int, set[int]] = field(default_factory=dict)


class Graphs:
    """Walks the graphs of a run. `index_of` gives the storage of a tensor, `now` the number of events."""

    def __init__(self, index_of: Callable[[Any], int | None], now: Callable[[], int]) -> None:
        self._index_of = index_of
        self._now = now
        self._bits: dict[int, int] = {}
        self._leaves: list[weakref.ref[torch.Tensor]] = []
        self._waiting: list[_Backward] = []
        self._done: list[tuple[_Backward, int]] = []
        self._used = 0
        self._ever = 0
        self._gradients: dict[int, set[int]] = {}
        self._visited = 0

    def before(self, roots: Iterable[torch.Tensor], keeps: bool) -> None:
        """A backward() begins."""
        if self._used:
            self._settle()
        found = _Backward("", keeps)
        if self._visited < MOST_NODES:
            with unwatched():
                self._walk([root.grad_fn for root in roots if root.grad_fn is not None], found)
        self._waiting.append(found)

    def after(self, line: str) -> None:
        """It has ended, without an exception."""
        if not self._waiting:
            return
        last = self._waiting[-1]
        last.line, last.ended = line, self._now()
        for bit, known in enumerate(self._leaves):
            leaf = None if self._ever >> bit & 1 else known()
            if leaf is not None and leaf.grad is not None:
                index = self._index_of(leaf.grad)
                if index is not None:
                    self._gradients.setdefault(bit, set()).add(index)

    def stepped(self, parameters: Iterable[torch.Tensor]) -> None:
        """An optimizer has used the gradients of some parameters."""
        for parameter in parameters:
            self._used |= self._bit(parameter)

    def _settle(self) -> None:
        """The backwards so far are those of the steps that followed them."""
        self._done += [(row, self._used) for row in self._waiting]
        self._waiting.clear()
        self._ever |= self._used
        self._used = 0

    def _bit(self, leaf: torch.Tensor) -> int:
        bit = self._bits.get(id(leaf), -1)
        if bit < 0 or self._leaves[bit]() is not leaf:
            bit = self._bits[id(leaf)] = len(self._leaves)
            self._leaves.append(weakref.ref(leaf))
        return 1 << bit

    def _walk(self, roots: Sequence[Any], found: _Backward) -> None:
        """Note what each node of a graph has saved, by the leaves to which it leads."""
        memo: dict[Any, int] = {}
        pending = list(roots)
        while pending:
            node = pending[-1]
            if node in memo:
                pending.pop()
                continue
            following = [child for child, _ in node.next_functions if child is not None]
            missing = [child for child in following if child not in memo]
            if missing:
                pending += missing
                continue
            leaf = getattr(node, "variable", None)
            mask = self._bit(leaf) if isinstance(leaf, torch.Tensor) else 0
            for child in following:
                mask |= memo[child]
            memo[node] = mask
            pending.pop()
            if leaf is None:
                found.saved.setdefault(mask, set()).update(self._storages(saved_by(node)))
        self._visited += len(memo)

    def _storages(self, tensors: Iterable[torch.Tensor]) -> Iterator[int]:
        return (index for tensor in tensors if (index := self._index_of(tensor)) is not None)

    @property
    def complete(self) -> bool:
        """Whether all graphs so far were walked."""
        return self._visited < MOST_NODES

    def given_up(self) -> dict[int, int | None]:
        """By storage that a graph has saved: the event at which the last backward() through it has ended.

        None where such a backward() keeps its graph, or has not ended.
        """
        found: dict[int, int | None] = {}
        for row in (*(done for done, _ in self._done), *self._waiting):
            end = None if row.keeps or row.ended < 0 else row.ended
            for indices in row.saved.values():
                for index in indices:
                    known = found.get(index, 0)
                    found[index] = None if end is None or known is None else max(known, end)
        return found

    def answers(self, line: Timeline, questions: Iterable[str]) -> tuple[Needless, ...]:
        """What nobody needs of the bytes at the peak, by question and line; () for what was not followed.

        Backwards that no step of an optimizer follows any more count for nothing.
        """
        if self._used:
            self._settle()
        if not self.complete:
            return ()
        found = []
        for question in sorted(QUESTIONS & set(questions)):
            rows = self._kept() if question == KEPT_BY_BACKWARD else {"": self._unused(question)}
            found += [_row(line, question, place, spans) for place, spans in rows.items()]
        return tuple(found)

    def _kept(self) -> dict[str, Spans]:
        """By the line of a backward() that keeps its graph: what that saved, from its end on."""
        runs = [row for row in (*(done for done, _ in self._done), *self._waiting) if row.ended >= 0]
        found: dict[str, Spans] = {row.line: {} for row in runs if row.keeps}
        again: set[int] = set()
        for row in reversed(runs):
            mine = {index for indices in row.saved.values() for index in indices}
            if row.keeps:
                # What a later backward() runs through as well was kept for that one.
                found[row.line].update(dict.fromkeys(mine - again, row.ended))
            again |= mine
        return found

    def needed(self) -> set[int]:
        """What was saved for gradients that the following steps use."""
        return {
            index
            for row, used in self._done
            for mask, indices in row.saved.items()
            if not mask or mask & used
            for index in indices
        }

    def _unused(self, question: str) -> Spans:
        """What was saved for gradients of parameters that the following steps did not train."""
        found: set[int] = set()
        for row, used in self._done:
            for mask, indices in row.saved.items():
                trained = bool(mask & self._ever)
                if mask and not mask & used and trained == (question == FOR_OTHERS):
                    found |= indices
        if question == FOR_NO_OPTIMIZER:
            found |= {i for bit, rows in self._gradients.items() if not self._ever >> bit & 1 for i in rows}
        return dict.fromkeys(found - self.needed(), 0)


def _row(line: Timeline, question: str, place: str, spans: Spans) -> Needless:
    """What the spans hold of the bytes at the peak, and by how much it would be lower without them."""
    # Weights and inputs are saved as well, and are there anyhow.
    made = ("activation", "gradient") if question == FOR_NO_OPTIMIZER else ("activation",)
    return Needless(question, place, *peak_without(line, of_kinds(line, spans, made)))


def of_kinds(line: Timeline, spans: Spans, kinds: Sequence[str]) -> Spans:
    """The spans of some kinds of tensors on the device."""
    return {i: first for i, first in spans.items() if i in line.born and kind_of(line, i) in kinds}


def peak_without(line: Timeline, spans: Spans) -> tuple[int, int]:
    """What some spans hold of the bytes at the peak, and how far it would fall without them."""
    births = sorted(line.born.values())
    changes = [0] * (line.end + 1)
    held = 0
    for index, first in spans.items():
        begin, end = line.born[index], line.died.get(index, line.end)
        if line.log.births[index].recording:
            # The forward needs it itself, until the next operation has made its result.
            after = bisect_right(births, begin) + 1
            begin = births[after] if after < len(births) else line.end
        begin = max(begin, first)
        size = line.log.births[index].size
        if begin < end:
            changes[begin] += size
            changes[end] -= size
            held += size if begin <= line.top < end else 0
    without, now = 0, 0
    for alive, change in zip(line.curve, changes, strict=False):
        now += change
        without = max(without, alive - now)
    return held, line.curve[line.top] - without
