"""Sparse tensors as they are taken apart into dense ones, and made of them again: fakes and real ones.

Torch's fakes compute with compressed layouts (CSR and its kin), but cannot make them on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from memlint.runtime.child.private import inner_tensors
from memlint.runtime.simulate import private
from memlint.runtime.simulate.private import FakeTensorMode

COMPRESSED = frozenset((torch.sparse_csr, torch.sparse_csc, torch.sparse_bsr, torch.sparse_bsc))
LAYOUTS = COMPRESSED | {torch.sparse_coo}


def like(fake: FakeTensorMode, other: Any, parts: Sequence[Any]) -> Any:
    """A sparse fake of the layout and shape of another sparse tensor, which consists of these fakes."""
    if other.layout in COMPRESSED:
        return private.compressed(fake, parts, other.shape, other.layout)
    with fake:
        places, values = parts
        return torch.sparse_coo_tensor(places, values, other.shape, is_coalesced=other.is_coalesced())


def product(fake: FakeTensorMode, count: Callable[[str], None], one: Any, other: Any) -> Any:
    """The product of two sparse matrices: in CSR where they are compressed, but of two in CSC.

    How many elements it has follows from where those of the two are, which is taken as even: each element of
    one meets as many of the other as a line of it has on average.
    """
    count("number of elements of a product of two sparse matrices taken as if theirs lay evenly")
    *places, elements = inner_tensors(one)
    rows, columns = one.shape[0], other.shape[1]
    met = -(-elements.shape[0] * inner_tensors(other)[-1].shape[0] // max(one.shape[1], 1))
    found = min(met, rows * columns)
    layout = one.layout if one.layout is other.layout else torch.sparse_csr
    lines = columns if layout is torch.sparse_csc else rows
    shapes = [(2, found)] if one.layout is torch.sparse_coo else [(lines + 1,), (found,)]
    with fake:
        own = [part.new_empty(shape) for part, shape in zip(places, shapes, strict=True)]
        own.append(elements.new_empty((found,)))
        if one.layout is torch.sparse_coo:
            return torch.sparse_coo_tensor(own[0], own[1], (rows, columns), is_coalesced=True)
    return private.compressed(fake, own, (rows, columns), layout)


def on_host(source: Any, elements: Callable[[Any], torch.Tensor], dtype: torch.dtype) -> torch.Tensor:
    """A real sparse tensor as large as a fake, at places that are made up.

    `elements` makes its values of the fake's.
    """
    *places, values = inner_tensors(source)
    count = values.shape[0]
    if source.layout is torch.sparse_coo:
        where = torch.arange(count)
        rows: list[torch.Tensor] = []
        for size in reversed(source.shape[: places[0].shape[0]]):
            rows.insert(0, where % max(size, 1))
            where = where // max(size, 1)
        own, whole = elements(values).to(dtype), source.is_coalesced()
        return torch.sparse_coo_tensor(torch.stack(rows), own, source.shape, is_coalesced=whole)
    lines = places[0].numel() - 1
    begins = (torch.arange(lines + 1) * -(-count // max(lines, 1))).clamp(max=count)
    within = torch.arange(count) - begins.repeat_interleave(begins.diff(append=begins.new_tensor([count])))
    return torch.sparse_compressed_tensor(
        begins, within, elements(values).to(dtype), source.shape, layout=source.layout
    )
