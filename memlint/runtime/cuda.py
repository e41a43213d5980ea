"""The CUDA allocator's own numbers, where the script used CUDA."""

from __future__ import annotations

import torch

_WANTED = {
    "retries": "num_alloc_retries",
    "out_of_memory": "num_ooms",
    "inactive_split_peak": "inactive_split_bytes.all.peak",
    "requested_peak": "requested_bytes.all.peak",
}


def statistics() -> dict[str, int]:
    """Peaks and counters of the current device in bytes or counts; {} when CUDA was not used."""
    if not torch.cuda.is_available() or not torch.cuda.is_initialized():
        return {}
    stats = torch.cuda.memory_stats()
    found = {name: int(stats[key]) for name, key in _WANTED.items() if key in stats}
    found["allocated_peak"] = int(torch.cuda.max_memory_allocated())
    found["reserved_peak"] = int(torch.cuda.max_memory_reserved())
    return found
