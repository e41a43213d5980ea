"""The numbers that decide verdicts, all in one place.

They follow the claim types of the rule catalogue: what each predicts, and when a measurement confirms
or refutes it.
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

    spread_factor: float = 2.0
    """An effect must exceed this many times the difference between two runs of the same script."""

    host_per_step: int = 1024
    """Host growth per step below this is noise."""

    worker_bytes: int = 1 << 20
    """Private memory by which worker processes must grow within the replay."""

    growing_workers: frozenset[str] = frozenset({"MEM402", "MEM411"})
    """Rules whose HOST claim is that workers grow while they run, not what they begin with."""

    worker_share: float = 0.1
    """Share of that growth in the second half of the replay, without which it was only the start."""

    time_share: float = 0.03
    """A difference in step time below this share does not count."""

    time_steps: int = 30
    """Steps that a paired timing needs."""

    waiting_share: float = 0.1
    """Share of the time that steps wait for data, from which loading is the bottleneck."""

    waiting_rules: frozenset[str] = frozenset({"MEM401"})
    """Rules whose TIME claim is about that share, not about the difference that a fix makes."""

    frozen_range: float = 1e-4
    """A loss whose range is below this share of its mean does not move."""

    frozen_steps: int = 8
    """Steps after which a loss that should move has had its chance."""

    needs_cuda: Mapping[str, str] = field(
        default_factory=lambda: {
            **dict.fromkeys(("MEM126", "MEM606"), "the claim is about tensors left on a GPU"),
            **dict.fromkeys(("MEM407", "MEM410"), "the claim is about copies to a GPU"),
            **dict.fromkeys(("MEM501", "MEM506"), "the claim is about the allocator of a CUDA device"),
            **dict.fromkeys(("MEM502", "MEM503", "MEM504"), "the setting is one of CUDA devices"),
            **dict.fromkeys(("MEM601", "MEM602"), "the claim needs several CUDA devices"),
        }
    )
    """Rules whose claim a run on the CPU can neither confirm nor refute, and why."""

    needs_a_run: Mapping[str, str] = field(
        default_factory=lambda: {
            "CORRECT": "no values are computed",
            "TIME": "no kernel is timed",
            **dict.fromkeys(("HOST", "GROWTH-HOST"), "host memory is that of the simulation"),
        }
    )
    """Types of claims that a simulation can neither confirm nor refute, and why."""

    starting_rules: frozenset[str] = frozenset({"MEM406"})
    """Rules whose TIME claim is about the start of each pass over a loader, not about its steps."""

    starts: int = 3
    """Later passes over loaders that a timing of their starts needs."""

    start_seconds: float = 0.01
    """A difference in the start of a pass below this does not count."""

    copying_workers: frozenset[str] = frozenset({"MEM403"})
    """Rules whose HOST claim is that every worker is given a copy of the data set."""

    at_peak: Mapping[str, tuple[str, str]] = field(
        default_factory=lambda: {
            "MEM112": ("", "backward"),
            "MEM114": ("gradient", "evaluation"),
            "MEM122": ("gradient", "forward"),
            "MEM123": ("gradient", "forward"),
            "MEM201": ("activation", "evaluation"),
        }
    )
    """Rules whose PEAK claim is about one phase, and there about one kind of tensors ("": some of a kind)."""

    gathering_rules: frozenset[str] = frozenset({"MEM118"})
    """Rules whose PEAK claim is about the graphs of several forwards that wait for one backward()."""

    doubling_rules: frozenset[str] = frozenset({"MEM413"})
    """Rules whose PEAK claim is about a number in the script: what does twice that number cost?"""

    host_bytes: int = 1 << 20
    """Host memory by which a fix lowers what the process holds; less is noise."""

    checks: Mapping[str, Mapping[str, str]] = field(
        default_factory=lambda: {
            "MEM121": {"": "summed"},
            "MEM124": {
                "last micro-batch": "window",
                "window length": "undivided",
                "n % k": "tail",
                "same object": "repeated",
            },
            "MEM301": {"": "finite"},
            "MEM302": {"": "moves"},
            "MEM303": {"the unscaled loss": "scaled"},
            "MEM704": {"": "kept"},
            "MEM905": {"get no gradient": "cut off", "UserWarning": "warned"},
        }
    )
    """Which question answers a CORRECT claim: by rule, then by words of the formula (the first that fits)."""

    undivided: float = 1.5
    """A step is that many times as long as one large batch's before the sum over a window counts."""


DEFAULT = Thresholds()
