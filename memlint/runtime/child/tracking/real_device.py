"""What a tracker answers where tensors are real; a simulation has other answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch

from memlint.runtime.cards import Device
from memlint.runtime.child.limits.rewrite import Make
from memlint.runtime.child.log import Log
from memlint.runtime.child.private import (
    HAS_STANCE,
    allow_subclasses,
    compile_nothing,
    eager,
    note_saved_hooks,
)
from memlint.runtime.child.torch_names import lacks
from memlint.runtime.child.tracking import cuda
from memlint.session import Simulation


class RealDevice:
    """The half of a probe that does not follow tensors."""

    log: Log

    def install(self) -> str:
        """Where tensors are real, only torch.compile is watched: under a mode its code runs eagerly."""
        real = torch.compile

        def compiled(*args: Any, **kwargs: Any) -> Any:
            self.log.note("torch.compile: measured as eager code, the compiled program may need less")
            compile_nothing()
            return real(*args, **kwargs) if HAS_STANCE else eager(*args)

        torch.compile = compiled
        allow_subclasses()
        note_saved_hooks()
        return lacks()

    def rewriting(self) -> tuple[Sequence[Make], Mapping[str, Any]]:
        """Nothing: where values are real, the files run as they are."""
        return (), {}

    def stepped(self) -> None:
        """A step was made: nothing is to be seen of it here."""

    def label(self, device: str) -> str:
        """Devices are called what torch calls them."""
        return device

    def held(self, device: str) -> tuple[dict[str, int], str]:
        """What is in use on a CUDA device beside torch's allocator, or why that is not known."""
        return cuda.held_by_process(device)

    def machine(self, device: str) -> str:
        """The GPU, its driver and CUDA's version; "" on the CPU."""
        return cuda.describe(device)

    def limit(self, error: BaseException) -> str:
        """Real tensors fail for the script's reasons only."""
        return ""

    def doubt(self, error: BaseException) -> str:
        """Real tensors have real values."""
        return ""

    def simulation(self, name: Callable[[str], str]) -> Simulation | None:
        """None: what is tracked here has happened."""
        return None

    def repeats(self, series: str) -> bool:
        """Nobody knows that of a real device."""
        return False

    def state(self) -> tuple[Any, ...] | None:
        """Nor what decides about the memory that is taken next."""
        return None

    def tried(self, devices: Iterable[Device]) -> tuple[list[Any], int]:
        """A real device has the memory that it has."""
        return [], 0

    def has_value(self, tensor: torch.Tensor) -> bool:
        """Whether a tensor's numbers are those that the script would compute: here they always are."""
        return True
