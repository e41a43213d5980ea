"""The true contents of small storages on the simulated GPU, in host memory.

A mirror belongs to a storage, not to a tensor: all views see what one of them changes. Every change passes
through the probe, in inference mode too, so that changes are counted here and not by torch.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import torch

from memlint.runtime.child.private import storage_key
from memlint.runtime.simulate.private import FakeTensor

LIMIT = 4096
"""Elements up to which a storage has a mirror."""


class Mirrors:
    """Mirrors and counts of changes, by the key of a storage; `forget` takes both away when it dies."""

    def __init__(self) -> None:
        self._bytes: dict[int, torch.UntypedStorage] = {}
        self._changes: Counter[int] = Counter()
        self._sees_deaths = True

    def of(self, fake: torch.Tensor) -> torch.Tensor | None:
        """A tensor over the mirror, laid out as `fake` is: what is written into it is known of all views."""
        if not self._bytes or not isinstance(fake, FakeTensor) or fake.layout is not torch.strided:
            return None
        storage = fake.untyped_storage()
        mirror = self._bytes.get(storage_key(storage))
        return _over(mirror, fake) if mirror is not None and mirror.nbytes() == storage.nbytes() else None

    def write(self, fake: torch.Tensor, value: torch.Tensor) -> None:
        """`fake` has this value; without a mirror, it is kept where it fills the storage."""
        if not self._sees_deaths or fake.layout is not torch.strided or value.shape != fake.shape:
            return
        storage = fake.untyped_storage()
        size = storage.nbytes()
        if size > LIMIT * fake.dtype.itemsize:
            return
        if any(stride == 0 and extent > 1 for stride, extent in zip(fake.stride(), fake.shape, strict=True)):
            return
        key = storage_key(storage)
        mirror = self._bytes.get(key)
        if mirror is None or mirror.nbytes() != size:
            if fake.numel() * fake.dtype.itemsize != size:
                return
            mirror = torch.UntypedStorage(size)
        _over(mirror, fake).copy_(value)
        self._bytes[key] = mirror

    def drop(self, fake: torch.Tensor) -> None:
        """What `fake` and all its views hold is no longer known."""
        if fake.layout is torch.strided:
            self._bytes.pop(storage_key(fake.untyped_storage()), None)

    def changed(self, fake: torch.Tensor) -> None:
        """Something was written into `fake`."""
        if fake.layout is torch.strided:
            self._changes[storage_key(fake.untyped_storage())] += 1

    def changes(self, fake: torch.Tensor) -> tuple[int, int]:
        """The storage of `fake` and how often it was written into."""
        key = storage_key(fake.untyped_storage()) if fake.layout is torch.strided else 0
        return key, self._changes.get(key, 0)

    def give_up(self) -> None:
        """Storages are no longer followed until they die: another may get the key of a dead one."""
        self._bytes.clear()
        self._sees_deaths = False

    def forget(self, key: int) -> None:
        """A storage has died."""
        self._bytes.pop(key, None)
        self._changes.pop(key, None)


def _over(mirror: torch.UntypedStorage, fake: Any) -> torch.Tensor:
    found = torch.empty(0, dtype=fake.dtype)
    return found.set_(mirror, fake.storage_offset(), tuple(fake.shape), tuple(fake.stride()))


MIRRORS = Mirrors()
"""Those of this process: a child makes one run."""
