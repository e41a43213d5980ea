"""Which tensors autograd's graphs hold, for many tensors at once: every node is looked at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import torch

from memlint.runtime.holders import addresses, saved_by, with_gradient

MOST_NODES = 60_000
"""Nodes that one look visits; what lies behind further ones is not seen."""


def reached(tensors: Iterable[torch.Tensor], bits: Mapping[int, int]) -> dict[int, int]:
    """By id of a tensor, the storages that it is or that its graph holds, as the bits of one number.

    `bits` gives the bit of a storage by its address. Tensors that reach none have no entry.
    """
    memo: dict[Any, int] = {}
    found: dict[int, int] = {}
    for tensor in tensors:
        mask = _own(with_gradient(tensor), bits)
        if tensor.grad_fn is not None:
            mask |= _of_graph(tensor.grad_fn, memo, bits)
        if mask:
            found[id(tensor)] = mask
    return found


def _of_graph(root: Any, memo: dict[Any, int], bits: Mapping[int, int]) -> int:
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
