"""What of a real GPU's memory is in the numbers of a simulation, and what is not, in words."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from memlint.runtime.simulate import private

_SETTINGS = ("PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF")

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


def modelled(workspaces: Sequence[int]) -> tuple[str, ...]:
    """The terms that are in the numbers; `workspaces` are the bytes of each thread's for cuBLAS."""
    found = [
        "every tensor from birth to release, with the kernels that torch would choose on that GPU",
        "torch's caching allocator with default settings, one stream: blocks of 512 B, segments of 2 MiB, "
        "20 MiB and more, their splitting and merging",
    ]
    if workspaces:
        found.append(f"cuBLAS workspaces: {len(workspaces)} of {max(workspaces):,} B, one for each thread")
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
