"""PYTORCH_CUDA_ALLOC_CONF, or from torch 2.9 on PYTORCH_ALLOC_CONF, read as torch reads it.

Follows parseArgs in c10/core/AllocatorConfig.cpp. What is not modelled is left at its default and named; what
torch refuses, it refuses when a script first uses the GPU.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from memlint.runtime.simulate.memory.blocks import LARGE_SEGMENT, MIN_LARGE

MIB = 1 << 20

BITS_64 = 1 << 64
"""Sizes are counted in so many bytes: what is added beyond begins at zero again."""

NAMES = ("PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF")
"""Variables of the environment, the first that is set, even to nothing, has the say."""

INTERVALS = 16
"""kRoundUpPowerOfTwoIntervals: sizes from 1 MiB to 64 GiB, by powers of two."""

_OPTION = re.compile(r"([A-Za-z_0-9]+):(\[[^\]]*\]|[^,\[\]]+)")

_WITHOUT_EFFECT = ("release_lock_on_", "pinned_", "throw_on_cudamalloc_oom")
"""How options begin that change times, host memory or an error, not what the allocator of the GPU holds."""


class RefusedError(RuntimeError):
    """Torch does not take these settings: it says so when a script first uses the GPU."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the allocator splits, rounds and grows. Sizes are in bytes.

    `max_split` is the size from which blocks are not split (0: none), `rounding` what a larger block may have
    too much, `large` the least segment of the large pool. `divisions` are the parts into which powers of two
    are divided for rounding, one for each of `INTERVALS` (0: multiples of 512 B). `threshold` is the share of
    the capacity from which unused blocks are given back, `fraction` that of the GPU which the process may
    have. `unknown` are options that are not modelled, `refused` says which one torch does not take.
    """

    max_split: int = 0
    rounding: int = LARGE_SEGMENT
    large: int = LARGE_SEGMENT
    divisions: tuple[int, ...] = (0,) * INTERVALS
    threshold: float = 0.0
    fraction: float = 1.0
    expandable: bool = False
    unknown: tuple[str, ...] = ()
    refused: str = ""

    def divisions_for(self, size: int) -> int:
        """roundup_power2_divisions: parts of the power of two below a request of `size` bytes."""
        return self.divisions[min(INTERVALS - 1, max(0, size.bit_length() - MIB.bit_length()))]


def from_environment(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings that a process with this environment has."""
    text = next((environment[name] for name in NAMES if name in environment), "")
    return parse(text)


def parse(text: str) -> Settings:
    """Read the value of the variable."""
    text = text.replace(" ", "")
    found: dict[str, str] = dict(_OPTION.findall(text))
    large = _megabytes(found.get("large_segment_size_mb", "20"))
    wrong = next((f"{name}:{value}" for name, value in found.items() if not _takes(name, value, large)), "")
    if wrong or _OPTION.sub("", text).strip(","):
        return Settings(refused=f"torch refuses {wrong or text} in its allocator's settings")
    unknown = [name for name in found if name not in _READ and not name.startswith(_WITHOUT_EFFECT)]
    if found.get("backend") == "native":
        unknown.remove("backend")
    return Settings(
        max_split=_megabytes(found.get("max_split_size_mb", "0")),
        rounding=_megabytes(found.get("max_non_split_rounding_mb", "20")),
        large=large,
        divisions=_divisions(found.get("roundup_power2_divisions", "0")),
        threshold=float(found.get("garbage_collection_threshold", 0)),
        fraction=float(found.get("per_process_memory_fraction", 1)),
        expandable=found.get("expandable_segments") == "True",
        unknown=tuple(f"{name}:{found[name]}" for name in unknown),
    )


def _megabytes(value: str) -> int:
    """Bytes of a value as torch reads it: its first digits, below zero from the end of 64 bits; or -1."""
    digits = re.match(r"[+-]?\d+", value)
    if digits is None or abs(int(digits[0])) >= BITS_64:
        return -1
    return min(int(digits[0]) % BITS_64, BITS_64 // MIB - 1) * MIB


def _takes(name: str, value: str, large: int) -> bool:
    """Whether torch takes a value of an option; of one that is not known here, any."""
    if name.startswith(_SWITCHES):
        return value in ("True", "False")
    if name == "large_segment_size_mb":
        return large > MIN_LARGE
    if name in ("max_split_size_mb", "max_non_split_rounding_mb"):
        return _megabytes(value) >= large
    if name == "roundup_power2_divisions":
        parts = re.fullmatch(r"\[((\d+|>):\d+,?)+\]", value) and re.findall(r":(\d+)", value)
        return all(part.isdecimal() and int(part).bit_count() <= 1 for part in parts or [value])
    if name == "garbage_collection_threshold":
        return _is_share(value) and 0 < float(value) < 1
    if name == "per_process_memory_fraction":
        return _is_share(value) and float(value) <= 1
    return name != "backend" or value in ("native", "cudaMallocAsync")


def _is_share(value: str) -> bool:
    return re.fullmatch(r"\d*\.?\d+(e-?\d+)?", value) is not None


_SWITCHES = ("expandable_segments", "release_lock_on", "pinned_use_", "throw_on_")
"""Options that are on or off, or how their names begin."""

_READ = (
    "max_split_size_mb", "max_non_split_rounding_mb", "roundup_power2_divisions", "large_segment_size_mb",
    "garbage_collection_threshold", "expandable_segments", "per_process_memory_fraction",
)  # fmt: skip


def _divisions(text: str) -> tuple[int, ...]:
    if not text.startswith("["):
        return (int(text),) * INTERVALS
    found, last, first = [0] * INTERVALS, 0, True
    for part in filter(None, text.strip("[]").split(",")):
        upto, _, count = part.partition(":")
        if upto == ">":
            found[last:] = [int(count)] * (INTERVALS - last)
            continue
        index = min(INTERVALS - 1, int(upto).bit_length() - 1)
        if first:
            found[:index] = [int(count)] * index
            first = False
        found[index] = int(count)
        last = index
    return tuple(found)
