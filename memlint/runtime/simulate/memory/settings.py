"""PYTORCH_ALLOC_CONF (PYTORCH_CUDA_ALLOC_CONF before torch 2.9), read as torch reads it.

Follows parseArgs in c10/core/AllocatorConfig.cpp. What is not modelled is left at its default and named; what
torch refuses, it refuses when a script first uses the GPU.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

MIB = 1 << 20

NAMES = ("PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF")
"""Variables of the environment, the first that is set has the say."""

INTERVALS = 16
"""kRoundUpPowerOfTwoIntervals: sizes from 1 MiB to 64 GiB, by powers of two."""

_OPTION = re.compile(r"([A-Za-z_0-9]+):(\[[^\]]*\]|[^,\[\]]+)")

_WITHOUT_EFFECT = (
    "release_lock_on_cudamalloc", "release_lock_on_device_malloc", "pinned_use_cuda_host_register",
    "pinned_use_host_register", "pinned_num_register_threads", "pinned_use_background_threads",
)  # fmt: skip
"""Options that change times or host memory, not what the allocator of the GPU holds."""


class RefusedError(RuntimeError):
    """Torch does not take these settings: it says so when a script first uses the GPU."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the allocator splits, rounds and grows. Sizes are in bytes.

    `max_split` is the size from which blocks are not split (0: none), `rounding` what a larger block may have
    too much. `divisions` are the parts into which powers of two are divided for rounding, one for each of
    `INTERVALS` (0: multiples of 512 B). `threshold` is the share of the capacity from which unused blocks are
    given back. `unknown` are options that are not modelled, `refused` says which one torch does not take.
    """

    max_split: int = 0
    rounding: int = 20 * MIB
    divisions: tuple[int, ...] = (0,) * INTERVALS
    threshold: float = 0.0
    expandable: bool = False
    unknown: tuple[str, ...] = ()
    refused: str = ""

    def divisions_for(self, size: int) -> int:
        """roundup_power2_divisions: parts of the power of two below a request of `size` bytes."""
        return self.divisions[min(INTERVALS - 1, max(0, size.bit_length() - MIB.bit_length()))]


def from_environment(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings that a process with this environment has."""
    text = next((environment[name] for name in NAMES if environment.get(name)), "")
    return parse(text)


def parse(text: str) -> Settings:
    """Read the value of the variable."""
    text = text.replace(" ", "")
    found: dict[str, str] = dict(_OPTION.findall(text))
    wrong = next((f"{name}:{value}" for name, value in found.items() if not _takes(name, value)), "")
    if wrong or _OPTION.sub("", text).strip(","):
        return Settings(refused=f"torch refuses {wrong or text} in its allocator's settings")
    unknown = [name for name in found if name not in _READ and name not in _WITHOUT_EFFECT]
    if found.get("backend") == "native":
        unknown.remove("backend")
    return Settings(
        max_split=max(0, int(found.get("max_split_size_mb", 0))) * MIB,  # below zero torch has no bound
        rounding=int(found.get("max_non_split_rounding_mb", 20)) * MIB,
        divisions=_divisions(found.get("roundup_power2_divisions", "0")),
        threshold=float(found.get("garbage_collection_threshold", 0)),
        expandable=found.get("expandable_segments") == "True",
        unknown=tuple(f"{name}:{found[name]}" for name in unknown),
    )


def _takes(name: str, value: str) -> bool:
    """Whether torch takes a value of an option; of one that is not known here, any."""
    if name.startswith(_SWITCHES):
        return value in ("True", "False")
    if name == "max_split_size_mb" and re.fullmatch(r"-\d+", value):
        return True
    if name in ("max_split_size_mb", "max_non_split_rounding_mb"):
        return value.isdecimal() and int(value) >= LEAST_SPLIT
    if name == "roundup_power2_divisions":
        parts = re.fullmatch(r"\[((\d+|>):\d+,?)+\]", value) and re.findall(r":(\d+)", value)
        return all(part.isdecimal() and int(part).bit_count() <= 1 for part in parts or [value])
    if name == "garbage_collection_threshold":
        return re.fullmatch(r"\d*\.?\d+(e-?\d+)?", value) is not None and 0 < float(value) < 1
    return name != "backend" or value in ("native", "cudaMallocAsync")


_SWITCHES = ("expandable_segments", "release_lock_on", "pinned_use_")
"""Options that are on or off, or how their names begin."""

LEAST_SPLIT = 20
"""MiB, the least for two options (`large_segment_size`)."""


_READ = (
    "max_split_size_mb", "max_non_split_rounding_mb", "roundup_power2_divisions",
    "garbage_collection_threshold", "expandable_segments",
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
