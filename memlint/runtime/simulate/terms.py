"""What of a real GPU's memory is in the numbers of a simulation, and what is not, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import torch

from memlint.runtime.ranks import NCCL
from memlint.runtime.simulate import private
from memlint.runtime.simulate.memory.settings import Settings
from memlint.units import plural, size

_UNKNOWN = (
    (
        ("convolution", "cudnn_conv"),
        "what cuDNN takes for a convolution beyond copies with channels last: mostly megabytes, up to "
        "gigabytes without tensor cores",
    ),
    (
        ("thnn_fused",),
        "what cuDNN takes for recurrent layers with projections: they were taken cell by cell",
    ),
    (("_scaled_dot_product",), "scratch memory of attention in the forward pass"),
    (
        ("cumsum", "cumprod", "kthvalue", "nonzero", "scatter"),
        "scratch memory of scanning kernels (cumsum and others): mostly less than a megabyte",
    ),
    (
        ("_sparse_addmm",),
        "scratch memory of products with sparse matrices: their result once more, and indices as int32",
    ),
    (
        ("linalg_solve", "linalg_lu", "linalg_inv", "linalg_eig", "svd", "linalg_qr", "cholesky", "_fft"),
        "workspaces of cuSOLVER and cuFFT"),
)  # fmt: skip

LEAST_PINNED = 64 << 20
"""Bytes of pinned memory from which on they are told."""

_SORTED = ("index_add", "scatter", "index_copy", "index_select", "gather")
"""Operations, or how the forward of a backward is called, that go by way of a sorting `index_put_` then."""

WITHOUT_GPU = (
    "not compiled with CUDA",
    "not linked with support for cuda",
    "CUDA driver version is insufficient",
    "no CUDA-capable device",
    "Found no NVIDIA driver",
    "libcuda.so",
    "'CUDA' backend",
    "without ATen_cuda",
    "data is not allocated yet",
    "dummy base class",
    "module 'torch._C' has no attribute",
    "no rule registered for HigherOrderOperator",
    "FakeTensor",
    "NestedTensorImpl",
    "INTERNAL ASSERT FAILED",
    "devices, meta and cuda",
    "NCCL",
)
"""What torch says where only a real GPU would do."""


def modelled(workspaces: Sequence[int], beside: int, settings: Settings) -> tuple[str, ...]:
    """The terms that are in the numbers.

    `workspaces` are the bytes of each thread's for cuBLAS, `beside` those of all for cuBLASLt.
    """
    kind = "default settings" if settings == Settings() else "the settings of the environment"
    fixed = "segments of 2 MiB, 20 MiB and more"
    grown = "segments that grow by 2 or 20 MiB" if settings.expandable else fixed
    found = [
        "every tensor, from allocation to release, with the kernels that torch would choose on that GPU",
        f"torch's caching allocator with {kind}: blocks of 512 B, {grown}, their splitting and merging, "
        "those of each stream apart",
    ]
    found.append(
        "what kernels work in: sorting, sums over rows, gradients of embeddings and attention, convolutions "
        "on tensor cores and recurrent layers (as measured on an H200)"
    )
    if workspaces:
        more = f", and {beside:,} B for cuBLASLt" if beside else ""
        found.append(
            f"cuBLAS workspaces: {len(workspaces)} of {max(workspaces):,} B, one for each thread{more}"
        )
    return tuple(found)


def unknown(
    operations: Iterable[Any], settings: Settings, communicators: int = 0, pinned: int = 0
) -> tuple[str, ...]:
    """The terms that are not in the numbers and that this run's operations or settings make likely.

    `communicators` are the groups of several ranks that this process is in, `pinned` the bytes of host memory
    that it has pinned. What no simulation has (the CUDA
    context, loaded kernels) is in docs/simulation.md.
    """
    names = {private.name_of(operation) for operation in operations}
    found = [text for words, text in _UNKNOWN if any(word in name for name in names for word in words)]
    if communicators:
        groups = plural(communicators, "communicator")
        found.append(
            f"buffers of NCCL for {groups}: at most {size(NCCL)} each for collectives by rings and trees; "
            "sends from rank to rank, all_to_all and NVLink SHARP take more"
        )
    if pinned >= LEAST_PINNED:
        found.append(f"{size(pinned)} of pinned host memory: blocks of powers of two, which torch keeps")
    if torch.are_deterministic_algorithms_enabled() and any(word in n for n in names for word in _SORTED):
        found.append("what deterministic algorithms sort: for each index some 60 B, while it is used")
    found += [f"the allocator's {option}: the default was modelled instead" for option in settings.unknown]
    return tuple(found)
