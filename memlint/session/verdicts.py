"""What a replay says in the end: each finding with its verdict, the runs, the machine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from memlint.session.fit import Fit
from memlint.session.memory import Leak
from memlint.session.run import Arm


@dataclass(frozen=True, slots=True)
class Environment:
    """Where the replay ran. `memory` are the bytes of the machine's memory, 0 in older sessions."""

    python: str
    platform: str
    torch: str
    device: str
    device_name: str
    threads: int
    memory: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the measurement says about one finding.

    `measured_bytes` is the effect on the peak, `bytes_per_step` the growth; None where the claim is not
    about them. `share_of_peak` is measured_bytes over the original's peak.
    """

    status: str
    measured_bytes: int | None
    bytes_per_step: int | None
    share_of_peak: float | None
    device: str
    reason: str


@dataclass(frozen=True, slots=True)
class Judged:
    """A finding (in the shape of `check --output-format json`) and the arm that answered for it."""

    finding: dict[str, Any]
    arm: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Session:
    """Everything one `memlint replay`, or `memlint fit`, found out.

    `errors` are mistakes of memlint itself, said loudly.
    `missing` names the runs that were to be made and were not, or did not come to an end, each with the
    reason: "all safe fixes: interrupted". `leaks` are what grows in the script as it is, the most bytes per
    step first. `fit` is the answer of `memlint fit`, whose sessions have no findings.
    """

    memlint: str
    script: str
    arguments: tuple[str, ...]
    started: str
    environment: Environment
    options: dict[str, Any]
    arms: tuple[Arm, ...]
    findings: tuple[Judged, ...]
    errors: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    sources: dict[str, dict[str, str]] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    leaks: tuple[Leak, ...] = ()
    fit: Fit | None = None

    @property
    def unbounded(self) -> tuple[Leak, ...]:
        """The leaks that nothing is known to end: each of them is a verdict of its own."""
        return tuple(leak for leak in self.leaks if not leak.bound)

    @property
    def original(self) -> Arm:
        """The script as it is: always the first arm."""
        return self.arms[0]

    @property
    def spread(self) -> int:
        """Bytes by which the peaks of two runs of the script as it is differ; 0 where it ran once."""
        again = next((arm for arm in self.arms if arm.name == "again"), self.original)
        return abs(self.original.top_bytes - again.top_bytes)
