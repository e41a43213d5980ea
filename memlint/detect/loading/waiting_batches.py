"""How many batches of a loader wait in host memory at most, and how many bytes that is."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import libcst as cst

from memlint.analysis.dataflow.constants import constant
from memlint.analysis.model import ScriptModel
from memlint.analysis.shapes.shapes import sample_shapes
from memlint.analysis.training.loading.workers import loader_argument, loaders
from memlint.analysis.values import Obj
from memlint.records import dataclass

_ELEMENT = 4
"""Bytes of a float32 number, which loaders give unless told otherwise."""

PREFETCH = 2
"""Batches that each worker prepares ahead, by default (`DataLoader.__init__` of torch)."""


@dataclass(frozen=True, slots=True, eq=False)
class Waiting:
    """What a loader's workers prepare ahead: each of `workers` up to `prefetch` batches of `batch` bytes.

    `batch` is 0 where it is not known. `pinned` and `persists` are what the call says with a literal.
    """

    call: cst.Call
    workers: int
    prefetch: int
    batch: int
    pinned: bool
    persists: bool

    @property
    def count(self) -> int:
        """Batches that wait at most."""
        return self.workers * self.prefetch

    @property
    def total(self) -> int:
        """Their bytes, with two pinned blocks for the batch in flight; 0 where a batch is not known."""
        block = 1 << (self.batch - 1).bit_length() if self.pinned and self.batch else 0
        return self.count * self.batch + 2 * block


def waiting_batches(model: ScriptModel) -> Iterator[Waiting]:
    """The loaders whose number of workers is written in the file."""
    seen: set[cst.CSTNode] = set()
    for loader in loaders(model):
        call = loader.node
        if not isinstance(call, cst.Call) or call in seen or not model.owns(call):
            continue
        seen.add(call)
        count = _literal(model, loader, "num_workers")
        ahead = loader_argument(model, loader, "prefetch_factor")
        prefetch = PREFETCH if ahead is None else _literal(model, loader, "prefetch_factor")
        if isinstance(count, int) and count > 0 and isinstance(prefetch, int):
            pinned, persists = (
                _literal(model, loader, name) is True for name in ("pin_memory", "persistent_workers")
            )
            yield Waiting(call, count, prefetch, _batch_bytes(model, loader), pinned, persists)


def _literal(model: ScriptModel, loader: Obj, name: str) -> object:
    given = loader_argument(model, loader, name)
    return constant(model, given) if given is not None else None


def _batch_bytes(model: ScriptModel, loader: Obj) -> int:
    """The bytes of a batch by the sizes in view, at least; 0 where the largest part is not known."""
    data, size = loader_argument(model, loader, "dataset"), _literal(model, loader, "batch_size")
    if loader_argument(model, loader, "batch_size") is None:
        size = 1
    shapes = sample_shapes(model, data) if data is not None and isinstance(size, int) else []
    numbers = [prod(n for n in s if isinstance(n, int)) for s in shapes if s is not None and _is_known(s)]
    whole = bool(shapes) and shapes[0] is not None and _is_known(shapes[0])
    return size * _ELEMENT * sum(numbers) if whole and isinstance(size, int) else 0


def _is_known(shape: tuple[object, ...]) -> bool:
    return all(isinstance(size, int) for size in shape)
