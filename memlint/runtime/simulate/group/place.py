"""Which of several ranks this process is, and which GPU of its machine is the simulated one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch


class Place:
    """The GPUs of this machine: `count` of them, each with a process of its own, and the one in use.

    `used` is told which one that is whenever it changes.
    """

    def __init__(self) -> None:
        self.count = 1
        self.current = 0
        self.used: Callable[[int], None] = lambda index: None

    def index_of(self, device: Any) -> int:
        """The number of the GPU that is meant; the one in use where none is said.

        Raises:
            RuntimeError: this machine has no such GPU.
        """
        index = device if isinstance(device, int) else torch.device(device).index
        if index is None or index < 0:
            return self.current
        if index >= self.count:
            there = "one GPU is" if self.count == 1 else f"{self.count} GPUs are"
            raise RuntimeError(f"CUDA error: invalid device ordinal ({there} simulated)")
        return index

    def use(self, device: Any) -> int:
        """Make a GPU the one in use; gives the one that was."""
        before, self.current = self.current, self.index_of(device)
        self.used(self.current)
        return before


PLACE = Place()
"""That of this process."""
