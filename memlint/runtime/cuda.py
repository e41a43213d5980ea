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


def _in_use(device: str) -> bool:
    return device.startswith("cuda") and torch.cuda.is_available() and torch.cuda.is_initialized()


def statistics(device: str) -> tuple[dict[str, int], str]:
    """Peaks and counters of a device in bytes or counts.

    {} where CUDA was not used; {} and the reason where the allocator in use keeps no such counters.
    """
    if not _in_use(device):
        return {}, ""
    try:
        stats = torch.cuda.memory_stats(device)
        peaks = torch.cuda.max_memory_allocated(device), torch.cuda.max_memory_reserved(device)
    except RuntimeError as error:
        return {}, f"torch's allocator was not asked: {error}"
    found = {name: int(stats[key]) for name, key in _WANTED.items() if key in stats}
    return {**found, "allocated_peak": int(peaks[0]), "reserved_peak": int(peaks[1])}, ""


def held_by_process(device: str) -> tuple[dict[str, int], str]:
    """What the driver says this process holds on a device, context and libraries included.

    Bytes under "process_now", or {} and the reason why the driver was not asked or does not know.
    """
    if not _in_use(device):
        return {}, ""
    try:
        import pynvml
    except ImportError:
        return {}, "memory outside torch's allocator is not known: nvidia-ml-py is not installed"
    try:
        pynvml.nvmlInit()
        running = pynvml.nvmlDeviceGetComputeRunningProcesses(_handle(pynvml, device))
    except pynvml.NVMLError as error:
        return {}, f"memory outside torch's allocator is not known: {error}"
    mine = [process.usedGpuMemory for process in running if process.pid == os.getpid()]
    if not mine or mine[0] is None:
        return {}, "memory outside torch's allocator is not known: the driver does not list this process"
    return {"process_now": int(mine[0])}, ""


def _handle(pynvml: Any, device: str) -> Any:
    """The driver's name for one of torch's devices, which CUDA_VISIBLE_DEVICES may have renumbered."""
    uuid = getattr(torch.cuda.get_device_properties(device), "uuid", None)
    if uuid is None:
        return pynvml.nvmlDeviceGetHandleByIndex(int(device.partition(":")[2] or 0))
    return pynvml.nvmlDeviceGetHandleByUUID(f"GPU-{uuid}")
