"""What torch allocates for libraries of CUDA to work in, by the card and the version of torch."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

USUAL = 4096 * 1024 * 2 + 16 * 1024 * 8
"""Bytes of ":4096:2:16:8", torch's default for cuBLAS."""

LARGE = 32 << 20
"""The default for Hopper, and for Blackwell from torch 2.12 on."""

BLACKWELL = (2, 12)
"""The first torch that gives Blackwell as much as Hopper (pytorch#175344, February 2026)."""

LT = 1 << 20
"""Bytes that cuBLASLt works in."""

LASTING, UNIFIED = (2, 9), (2, 12)
"""The first torch that keeps them for each thread (pytorch#156495), and that uses cuBLAS's own instead
(pytorch#168175, #175879), unless TORCH_CUBLASLT_UNIFIED_WORKSPACE says otherwise."""

_SWITCHES = {"1": True, "0": False}
"""What such a variable may say (check_env in c10/util/env.h)."""

_CONFIGURED = re.compile(r":([0-9]+):([0-9]+)")


def cublas(capability: tuple[int, int], torch: str, environment: Mapping[str, str]) -> int:
    """Bytes of the workspace that torch allocates for each thread that multiplies matrices.

    Follows parseChosenWorkspaceSize in ATen/cuda/CublasHandlePool.cpp; `torch` is its version.
    CUBLAS_WORKSPACE_CONFIG (":4096:8" for 8 buffers of 4096 KiB) has the last word where it can be read.
    """
    configured = _CONFIGURED.findall(environment.get("CUBLAS_WORKSPACE_CONFIG", ""))
    if configured:
        return sum(int(size) * int(count) * 1024 for size, count in configured)
    large = (9, 10, 11, 12) if _version(torch) >= BLACKWELL else (9,)
    return LARGE if capability[0] in large else USUAL


@dataclass(frozen=True, slots=True)
class Lt:
    """What cuBLASLt works in: so many bytes beside cuBLAS's, kept for the thread where it is `lasting`."""

    size: int
    lasting: bool


def cublaslt(torch: str, environment: Mapping[str, str]) -> Lt:
    """What torch allocates where cuBLASLt multiplies (getCUDABlasLtWorkspace in CublasHandlePool.cpp).

    Up to torch 2.8 each product takes and frees it (gemm_and_bias in CUDABlas.cpp); torch 2.11 on an H200
    kept 1 MiB, which torch 2.12 no longer takes.
    """
    version = _version(torch)
    said = environment.get("TORCH_CUBLASLT_UNIFIED_WORKSPACE", "")
    if environment.get("DISABLE_ADDMM_CUDA_LT") == "1" or _SWITCHES.get(said, version >= UNIFIED):
        return Lt(0, False)
    configured = environment.get("CUBLASLT_WORKSPACE_SIZE", "")
    size = int(configured) * 1024 if configured.isdecimal() else LT
    return Lt(size, version >= LASTING)


def _version(torch: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", torch)[:2])
