"""What CUDA's allocator and the driver say about this process, where the script used CUDA."""

from __future__ import annotations

import os
from typing import Any

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


def held_by_process() -> tuple[dict[str, int], str]:
    """What the driver says this process holds on the current device, context and libraries included.

    Bytes under "process_now", or {} and the reason why the driver was not asked or does not know.
    """
    if not torch.cuda.is_available() or not torch.cuda.is_initialized():
        return {}, ""
    try:
        import pynvml
    except ImportError:
        return {}, "memory outside torch's allocator is not known: nvidia-ml-py is not installed"
    try:
        pynvml.nvmlInit()
        running = pynvml.nvmlDeviceGetComputeRunningProcesses(_handle(pynvml))
    except pynvml.NVMLError as error:
        return {}, f"memory outside torch's allocator is not known: {error}"
    mine = [process.usedGpuMemory for process in running if process.pid == os.getpid()]
    if not mine or mine[0] is None:
        return {}, "memory outside torch's allocator is not known: the driver does not list this process"
    return {"process_now": int(mine[0])}, ""


def _handle(pynvml: Any) -> Any:
    """The driver's name for torch's current device, which CUDA_VISIBLE_DEVICES may have renumbered."""
    uuid = getattr(torch.cuda.get_device_properties(torch.cuda.current_device()), "uuid", None)
    if uuid is None:
        return pynvml.nvmlDeviceGetHandleByIndex(torch.cuda.current_device())
    return pynvml.nvmlDeviceGetHandleByUUID(f"GPU-{uuid}")
