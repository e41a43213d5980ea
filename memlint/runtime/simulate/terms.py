"""What of a real GPU's memory is in the numbers of a simulation, and what is not, in words."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from memlint.runtime.simulate import private

CAPABILITY = (9, 0)
"""Compute capability of the imagined GPU: decides kernels of attention and the size of workspaces."""

PROCESSORS = 132

CUBLAS_WORKSPACE = 32 << 20
"""Bytes per thread that multiplies matrices, from capability 9.0 on (ATen/cuda/CublasHandlePool.cpp)."""

NAME = "simulated GPU"

_SETTINGS = ("PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF", "CUBLAS_WORKSPACE_CONFIG")

_UNKNOWN = (
    (
        ("convolution", "cudnn_conv"),
        "workspaces of cuDNN's convolutions: chosen at run time, from kilobytes to gigabytes, often at the "
        "peak",
    ),
    (
        ("thnn_fused", "_cudnn_rnn", "lstm", "gru"),
        "reserve space and packed weights of cuDNN's recurrent layers: the layers were taken cell by cell",
    ),
    (
        ("_scaled_dot_product",),
        "scratch memory of attention kernels, and cuDNN's attention where torch prefers it",
    ),
    (
        ("sort", "topk", "cumsum", "cumprod", "unique", "multinomial", "embedding_dense_backward",
         "nonzero", "index_put", "randperm", "masked_select"),
        "scratch memory of sorting and scanning kernels (sort, topk, embedding's backward and others)",
    ),
    (
        ("linalg_solve", "linalg_lu", "linalg_inv", "linalg_eig", "svd", "linalg_qr", "cholesky", "_fft"),
        "workspaces of cuSOLVER and cuFFT"),
    (("c10d", "_c10d"), "buffers of NCCL"),
)  # fmt: skip

WITHOUT_GPU = (
    "not compiled with CUDA",
    "not linked with support for cuda",
    "'CUDA' backend",
    "without ATen_cuda",
    "data is not allocated yet",
    "dummy base class",
    "module 'torch._C' has no attribute",
    "no rule registered for HigherOrderOperator",
    "FakeTensor",
    "NCCL",
)
"""What torch says where only a real GPU would do."""


def gpu(capacity: int) -> str:
    """The imagined GPU in words."""
    return f"one GPU of compute capability {CAPABILITY[0]}.{CAPABILITY[1]} with {capacity / (1 << 30):g} GiB"


def modelled(threads: int) -> tuple[str, ...]:
    """The terms that are in the numbers."""
    found = [
        "every tensor from birth to release, with the kernels that torch would choose on that GPU",
        "torch's caching allocator with default settings, one stream: blocks of 512 B, segments of 2 MiB, "
        "20 MiB and more, their splitting and merging",
    ]
    if threads:
        found.append(f"cuBLAS workspaces: {threads} of {CUBLAS_WORKSPACE:,} B, one for each thread")
    return tuple(found)


def unknown(operations: Iterable[Any]) -> tuple[str, ...]:
    """The terms that are not in the numbers and that this run's operations or settings make likely.

    What no simulation has (the CUDA context, loaded kernels) is in docs/simulation.md.
    """
    names = {private.name_of(operation) for operation in operations}
    found = [text for words, text in _UNKNOWN if any(word in name for name in names for word in words)]
    found += [
        f"{name}={os.environ[name]}: the defaults were modelled instead"
        for name in _SETTINGS
        if os.environ.get(name)
    ]
    return tuple(found)
