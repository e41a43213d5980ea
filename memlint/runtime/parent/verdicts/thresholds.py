"""The numbers that decide verdicts, all in one place.

They follow the claim types of the rule catalogue: what each predicts, and when a measurement confirms
or refutes it. Which experiment answers a claim is said by its `check` in the rule's file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Bytes unless said otherwise; shares and factors are plain ratios."""

    growth_per_step: int = 512
    """Growth below one block of the CUDA allocator per step is none."""

    peak_share: float = 0.01
    """An effect on the peak below this share of it does not count."""

    peak_bytes: int = 1 << 20
    """An effect on the peak of so many bytes counts in any case."""

    spread_factor: float = 2.0
    """An effect must exceed this many times the difference between two runs of the same script."""

    host_per_step: int = 1024
    """Host growth per step below this is noise."""

    nodes_per_step: int = 2
    """Autograd nodes per step that are as much: each takes some 500 B of host memory."""

    worker_bytes: int = 1 << 20
    """Private memory by which worker processes must grow within the replay."""

    shared_bytes: int = 256 << 20
    """Batches in shared memory that are worth a word."""

    worker_share: float = 0.1
    """Share of that growth in the second half of the replay, without which it was only the start."""

    time_share: float = 0.03
    """A difference in step time below this share does not count."""

    time_steps: int = 30
    """Steps that a paired timing needs."""

    waiting_share: float = 0.1
    """Share of the time that steps wait for data, from which loading is the bottleneck."""

    frozen_range: float = 1e-4
    """A loss whose range is below this share of its mean does not move."""

    frozen_steps: int = 8
    """Steps after which a loss that should move has had its chance."""

    needs_a_run: Mapping[str, str] = field(
        default_factory=lambda: {
            "CORRECT": "no values are computed",
            "TIME": "no kernel is timed",
            **dict.fromkeys(("HOST", "GROWTH-HOST"), "host memory is that of the simulation"),
        }
    )
    """Types of claims that a simulation can neither confirm nor refute, and why."""

    starts: int = 3
    """Later passes over loaders that a timing of their starts needs."""

    start_seconds: float = 0.01
    """A difference in the start of a pass below this does not count."""

    host_bytes: int = 1 << 20
    """Host memory by which a fix lowers what the process holds; less is noise."""

    undivided: float = 1.5
    """A step is that many times as long as one large batch's before the sum over a window counts."""


DEFAULT = Thresholds()
