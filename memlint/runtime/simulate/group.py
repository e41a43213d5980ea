"""torch.distributed on the simulated GPU: this process is one rank, and nothing is exchanged with others.

Each collective operation leaves its tensors as they are, as it does in a group of one, and buckets of
gradients are made as on a GPU. NCCL's own buffers are not in the numbers.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

import torch

from memlint.runtime.simulate import private

_NOTE = "torch.distributed: simulated as one rank of {size}, nothing is sent to others; no buffers of NCCL"


def install(note: Callable[[str], None]) -> None:
    """Have process groups made without NCCL, and models that are replicated trained in them."""
    made = private.fake_store()
    if made is None:
        return
    distributed: Any = torch.distributed
    real = distributed.init_process_group

    @functools.wraps(real)
    def begin(
        backend: Any = None, init_method: Any = None, timeout: Any = None,
        world_size: int = -1, rank: int = -1, *rest: Any, **others: Any,
    ) -> None:  # fmt: skip
        size = world_size if world_size > 0 else int(os.environ.get("WORLD_SIZE", 1))
        here = rank if rank >= 0 else int(os.environ.get("RANK", 0))
        note(_NOTE.format(size=size))
        real("fake", world_size=size, rank=here, store=made())

    distributed.init_process_group = distributed.distributed_c10d.init_process_group = begin
    distributed.is_nccl_available = distributed.distributed_c10d.is_nccl_available = lambda: True
    # DistributedDataParallel compares annotations with classes, and these are text.
    _exchange_nothing.__annotations__.clear()
    private.replace_replication(_exchange_nothing)


def _exchange_nothing(state: Any, bucket: Any) -> Any:
    """A communication hook: the bucket as it is, at once."""
    future: Any = torch.futures.Future()
    future.set_result(bucket.buffer())
    return future
