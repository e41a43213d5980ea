"""CUDA graphs: what is captured runs once, like everything else, and its memory stays with the graph.

Source: `beginAllocateToPool` in c10/cuda/CUDACachingAllocator.cpp and torch/cuda/graphs.py of torch 2.13.
What is allocated during a capture comes from a pool of its own, which gives nothing to others, and nothing
back to the driver. A replay writes into the same memory again: it asks for none.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import torch

from memlint.runtime.simulate.memory.allocator import Allocator

_NOTED = (
    "CUDA graphs: what they capture ran once, outside of a graph; the memory of a capture is its own until "
    "the end, also where the graph is thrown away before. What the driver takes for a graph is not counted"
)


def install(allocator: Allocator, note: Callable[[str], None]) -> None:
    """Let graphs be captured and replayed from now on."""
    numbers = itertools.count(1)
    capturing: list[Graph] = []

    class Graph:
        """Stands for a torch.cuda.CUDAGraph."""

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            self._pool: Any = None

        def capture_begin(self, pool: Any = None, *args: Any, **kwargs: Any) -> None:
            """Allocate from the pool of this graph, or that of another one, from now on."""
            note(_NOTED)
            self._pool = pool if pool is not None else handle()
            capturing.append(self)
            allocator.capture(self._pool[1])

        def capture_end(self) -> None:
            """Allocate as before."""
            capturing.clear()
            allocator.capture(0)

        def pool(self) -> Any:
            """What another graph is given to share the memory."""
            return self._pool

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return lambda *args, **kwargs: 0

    def handle() -> Any:
        return (0, next(numbers))

    def is_capturing(*args: Any) -> bool:
        return bool(capturing)

    cuda: Any = torch.cuda
    for module in (cuda, cuda.graphs):
        module.CUDAGraph, module.graph_pool_handle = Graph, handle
        module.is_current_stream_capturing = is_capturing
    accelerator: Any = getattr(torch, "accelerator", None)
    if accelerator is not None:  # Optimizers ask it whether they are captured.
        current = accelerator.current_stream
        accelerator.current_stream = lambda *args: (cuda.current_stream if capturing else current)(*args)
