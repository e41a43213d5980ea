"""What a run asks of the probe that follows its tensors, whether they lie on the CPU, on CUDA or nowhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

import torch

from memlint.runtime.cards import Device
from memlint.runtime.child.limits.rewrite import Make
from memlint.runtime.child.log import NO_MODULE, Log
from memlint.runtime.child.tracking.sites import Sites
from memlint.runtime.child.tracking.tracker import Tracker
from memlint.runtime.spec import Spec
from memlint.session import Simulation

GiveUp = Callable[[str, str, int], None]
"""Told why the run cannot go on, and the file and line of the project where; does not return."""


class Probe(Protocol):
    """Writes births and deaths of storages into the log of the run."""

    log: Log
    phase: str
    graphless: bool
    backward_site: int
    backward_library: int
    module: int
    addresses: bool

    def install(self) -> str:
        """Prepare the process, before the script or any hook runs; the reason where that is impossible."""

    def rewriting(self) -> tuple[Sequence[Make], Mapping[str, Any]]:
        """What changes the project's files for this probe, and the names that they use then."""

    def __enter__(self) -> Any:
        """Follow every operation from now on."""

    def __exit__(self, *exception: Any) -> None:
        """Follow nothing any more."""

    def stepped(self) -> None:
        """A step was made."""

    def mark(self, value: Any, kind: str, owner: int = NO_MODULE) -> None:
        """Say which role a live tensor plays, and which module owns it."""

    def adopt(self, value: Any) -> None:
        """Follow a tensor that no operation returned."""

    def index_of(self, value: Any) -> int | None:
        """The birth index of a live tensor's storage."""

    def alive(self) -> Iterable[tuple[int, int]]:
        """Address and birth index of every storage that is alive."""

    def line_of_node(self, number: int) -> int:
        """The site of the forward line that made an autograd node, by its number; NO_SITE where not known."""

    def has_value(self, tensor: torch.Tensor) -> bool:
        """Whether a tensor's numbers are those that the script would compute."""

    def label(self, device: str) -> str:
        """A device as the report names it."""

    def held(self, device: str) -> tuple[dict[str, int], str]:
        """What is in use on a CUDA device beside torch's allocator, or why that is not known."""

    def machine(self, device: str) -> str:
        """The GPU and what drives it, in words; "" on the CPU."""

    def cuda_devices(self) -> Iterable[str]:
        """The CUDA devices on which tensors were seen so far."""

    def limit(self, error: BaseException) -> str:
        """Why an exception that the script raised is the probe's fault; "" when it is the script's own."""

    def doubt(self, error: BaseException) -> str:
        """What was made up before an exception that may have come of it; "" where nothing was."""

    def simulation(self, name: Callable[[str], str]) -> Simulation | None:
        """How far the numbers go, where they are predicted rather than measured."""

    def repeats(self, series: str) -> bool:
        """Whether the step that has ended did to memory what one before did, to the last block."""

    def state(self) -> tuple[Any, ...] | None:
        """What decides about the memory that is taken next; None where nobody knows."""

    def tried(self, devices: Iterable[Device]) -> tuple[list[Any], int]:
        """How the run would have gone on other devices, and the least memory found that is enough."""


def make(spec: Spec, log: Log, sites: Sites, give_up: GiveUp) -> Probe | None:
    """The probe that a spec names; None for those that follow no tensors."""
    if spec.probe == "simulate":
        from memlint.runtime.simulate.group.place import PLACE
        from memlint.runtime.simulate.probe import Simulated

        PLACE.count = spec.gpus
        return Simulated(
            log, sites, give_up, spec.card, spec.device_memory,
            keeps_trace=bool(spec.capacities), turned=spec.turned, selected=spec.selected,
            iterations=spec.iterations, exchange=spec.exchange,
            processors={count for _, _, count in spec.capacities} - {spec.card.processors},
        )  # fmt: skip
    return Tracker(log, sites) if spec.probe == "tracker" else None
