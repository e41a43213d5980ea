"""What autograd's graphs hold, for many tensors at once, and how many nodes each iteration leaves behind."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import torch

from memlint.runtime.child.attribution.growing import FULL, SHARE, TAIL, WARM
from memlint.runtime.child.private import inner_tensors, saved_in, sequence_number, storage_key
from memlint.session import NODES, Pile

MOST_NODES = 100_000
"""Nodes that one look visits; what lies behind further ones is not seen."""

FIRST_BITS = 48
"""Iterations whose nodes are looked for."""


class Piles:
    """Counts the autograd nodes that a look meets, by the iteration in which they were made.

    `ends` are the numbers that the next node would have had at the ends of the iterations, `line_of` gives
    the line ("path", number) of a node by its number, and `series` names the iterations. Bits from
    `first_bit` on stand for some of the iterations in the masks of tensors.
    """

    def __init__(self, series: str, ends: Sequence[int], line_of: Callable[[int], tuple[str, int]]) -> None:
        self.series = series
        self.first_bit = 0
        self._ends = ends
        self._line_of = line_of
        self._every = -(-len(ends) // FIRST_BITS)
        self._numbers: dict[int, list[int]] = {}

    def bit(self, node: Any) -> int:
        """The bit of the iteration in which a node was made; 0 for none."""
        number = sequence_number(node)
        if not 0 <= number < self._ends[-1]:
            return 0  # of a leaf, or made since
        iteration = bisect_right(self._ends, number)
        self._numbers.setdefault(iteration, []).append(number)
        return 0 if iteration % self._every else 1 << (self.first_bit + iteration // self._every)

    @property
    def mask(self) -> int:
        """The bits of the iterations whose nodes are alive."""
        kept = (n // self._every for n in self._counted() if not n % self._every)
        return sum(1 << (self.first_bit + bit) for bit in kept)

    def _counted(self) -> dict[int, list[int]]:
        """What there is of all but the first iterations, which warm up, and the last, which may still end."""
        return {n: found for n, found in self._numbers.items() if WARM <= n < len(self._ends) - TAIL}

    def pile(self) -> Pile | None:
        """What nearly every iteration has left behind; None where most have left nothing."""
        counted, of = self._counted(), len(self._ends) - WARM - TAIL
        if of < FULL or len(counted) < SHARE * of:
            return None
        lines = Counter(self._line_of(number) for found in counted.values() for number in found)
        each = sum(map(len, counted.values())) // of
        return Pile(*lines.most_common(1)[0][0], self.series, each, len(counted), of) if each else None

    def place(self) -> tuple[str, int, str] | None:
        """The line that makes most of them, as the search for holders names it."""
        found = self.pile()
        return (found.file, found.line, NODES) if found is not None else None


def reached(
    tensors: Iterable[torch.Tensor], bits: Mapping[int, int], piles: Piles | None = None
) -> dict[int, int]:
    """By id of a tensor, the storages that it is or that its graph holds, as the bits of one number.

    `bits` gives the bit of a storage by its address; `piles` adds those of iterations. Tensors that reach
    none have no entry.
    """
    memo: dict[Any, int] = {}
    found: dict[int, int] = {}
    for tensor in tensors:
        mask = _own(with_gradient(tensor), bits)
        if tensor.grad_fn is not None:
            mask |= _of_graph(tensor.grad_fn, memo, bits, piles)
        if mask:
            found[id(tensor)] = mask
    return found


def _of_graph(root: Any, memo: dict[Any, int], bits: Mapping[int, int], piles: Piles | None) -> int:
    """What a node holds and all that follow it, each of which is noted in `memo`."""
    pending = [root]
    while pending and len(memo) < MOST_NODES:
        node = pending[-1]
        if node in memo:
            pending.pop()
            continue
        following = [child for child, _ in node.next_functions if child is not None]
        missing = [child for child in following if child not in memo]
        if missing:
            pending += missing
            continue
        mask = _own(saved_by(node), bits)
        if piles is not None:
            mask |= piles.bit(node)
        for child in following:
            mask |= memo[child]
        memo[node] = mask
        pending.pop()
    return memo.get(root, 0)


def _own(tensors: Iterable[torch.Tensor], bits: Mapping[int, int]) -> int:
    mask = 0
    for tensor in tensors:
        for part in with_gradient(tensor):
            for address in addresses(part):
                if address in bits:
                    mask |= 1 << bits[address]
    return mask


def with_gradient(tensor: torch.Tensor) -> list[torch.Tensor]:
    """A tensor, and the gradient that a leaf holds without Python's knowledge."""
    return [tensor, tensor.grad] if tensor.is_leaf and tensor.grad is not None else [tensor]


def addresses(tensor: torch.Tensor) -> Iterator[int]:
    for part in inner_tensors(tensor) or [tensor]:
        try:
            yield storage_key(part.untyped_storage())
        except (RuntimeError, NotImplementedError):  # a layout that has none: nothing follows it either
            continue


def saved_by(node: Any) -> Iterator[torch.Tensor]:
    """The tensors that one node holds: saved for backward, kept as attributes of a `ctx`, or the leaf."""
    leaf = getattr(node, "variable", None)
    if isinstance(leaf, torch.Tensor):
        yield leaf
    yield from saved_in(node)
    kept = getattr(node, "__dict__", {})
    yield from (value for value in list(kept.values()) if isinstance(value, torch.Tensor))
