"""What torch allocates for libraries of CUDA to work in, by the card and the version of torch."""

from __future__ import annotations

import re
from collections.abc import Mapping

USUAL = 4096 * 1024 * 2 + 16 * 1024 * 8
"""Bytes of ":4096:2:16:8", torch's default for cuBLAS."""

LARGE = 32 << 20
"""The default for Hopper, and for Blackwell from torch 2.12 on."""

BLACKWELL = (2, 12)
"""The first torch that gives Blackwell as much as Hopper (pytorch#175344, February 2026)."""

_CONFIGURED = re.compile(r":([0-9]+):([0-9]+)")


def cublas(capability: tuple[int, int], torch: str, environment: Mapping[str, str]) -> int:
    """Bytes of the workspace that torch allocates for each thread that multiplies matrices.

    Follows parseChosenWorkspaceSize in ATen/cuda/CublasHandlePool.cpp; `torch` is its version.
    CUBLAS_WORKSPACE_CONFIG (":4096:8" for 8 buffers of 4096 KiB) has the last word where it can be read.
    """
    configured = _CONFIGURED.findall(environment.get("CUBLAS_WORKSPACE_CONFIG", ""))
    if configured:
        return sum(int(size) * int(count) * 1024 for size, count in configured)
    version = tuple(int(part) for part in re.findall(r"\d+", torch)[:2])
    large = (9, 10, 11, 12) if version >= BLACKWELL else (9,)
    return LARGE if capability[0] in large else USUAL
