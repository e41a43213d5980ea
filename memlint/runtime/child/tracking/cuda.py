"""What CUDA's allocator and the driver say about this process, where the script used CUDA."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import torch

from memlint.runtime.child import private

_WANTED = {
    "retries": "num_alloc_retries",
    "out_of_memory": "num_ooms",
    "inactive_split_peak": "inactive_split_bytes.all.peak",
    "requested_peak": "requested_bytes.all.peak",
    "reserved_now": "reserved_bytes.all.current",
}
_PEAKS = {"allocated_peak": "allocated_bytes", "reserved_peak": "reserved_bytes"}
_DRIVER = Path("/proc/driver/nvidia/version")
_MANAGED = Path("/dev/nvidia-uvm")


def in_use(device: str) -> bool:
    """Whether a device is one of CUDA's, and the script has used CUDA."""
    return device.startswith("cuda") and torch.cuda.is_available() and torch.cuda.is_initialized()


def devices() -> list[str]:
    """All CUDA devices, once the script has used CUDA."""
    count = torch.cuda.device_count() if torch.cuda.is_available() and torch.cuda.is_initialized() else 0
    return [f"cuda:{number}" for number in range(count)]


def make_device_files() -> None:
    """Have the driver make the device files that CUDA needs, where it has not done so since the boot.

    Its library starts a setuid program for that (nvidia-modprobe), which has no such rights under Landlock.
    In a process of its own: one that has used CUDA cannot be forked any more.
    """
    if _DRIVER.exists() and not _MANAGED.exists():
        code = "import ctypes; ctypes.CDLL('libcuda.so.1').cuInit(0)"
        subprocess.run([sys.executable, "-c", code], stderr=subprocess.DEVNULL, check=False)


class Allocator:
    """Reads the allocator's counters while the script runs.

    `devices` names the CUDA devices in use so far. The script may reset the peaks: they are read before.
    """

    def __init__(self, devices: Callable[[], Iterable[str]]) -> None:
        self._devices = devices
        self._peaks: dict[str, dict[str, int]] = {}
        self._samples: dict[str, dict[int, tuple[int, int]]] = {}
        self._problem = ""

    def install(self) -> None:
        """Read the peaks before any reset of them."""
        private.wrap_resets(self._reading)

    def _reading(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def reset(*args: Any) -> Any:
            try:
                for device in self._devices():
                    self._keep_peaks(device)
            except Exception as error:
                self._problem = f"peaks before a reset are not known: {type(error).__name__} in memlint"
            return real(*args)

        return reset

    def sample(self, event: int) -> None:
        """Remember, for the log's event `event`, what is allocated and reserved now."""
        for device in self._devices():
            stats = self._counters(device)
            if stats:
                now = (int(stats[name]["all"]["current"]) for name in _PEAKS.values())
                self._samples.setdefault(device, {})[event] = (next(now), next(now))

    def at(self, device: str, event: int) -> tuple[int, int]:
        """(allocated, reserved) bytes at an event that was sampled; zeros where it was not."""
        return self._samples.get(device, {}).get(event, (0, 0))

    def statistics(self, device: str) -> tuple[dict[str, int], str]:
        """Peaks and counters of a device in bytes or counts, over the whole run.

        {} where CUDA was not used; {} and the reason where the allocator in use keeps no such counters.
        """
        if not in_use(device) or not self._keep_peaks(device):
            return {}, self._problem
        stats = torch.cuda.memory_stats(device)
        found = {name: int(stats[key]) for name, key in _WANTED.items() if key in stats}
        return {**found, **self._peaks[device]}, ""

    def fullest(self) -> str:
        """The device on which most was allocated at once; "cpu" without any."""
        asked = [device for device in self._devices() if self._keep_peaks(device)]
        found = {device: self._peaks[device]["allocated_peak"] for device in asked}
        return max(found, key=found.__getitem__) if any(found.values()) else "cpu"

    def _keep_peaks(self, device: str) -> bool:
        stats = self._counters(device)
        known = self._peaks.setdefault(device, {})
        for name, key in _PEAKS.items() if stats else ():
            known[name] = max(known.get(name, 0), int(stats[key]["all"]["peak"]))
        return bool(stats)

    def _counters(self, device: str) -> dict[str, Any]:
        """The allocator's counters; {} where CUDA is not initialised or the allocator keeps none."""
        try:
            return torch.cuda.memory_stats_as_nested_dict(device)
        except RuntimeError as error:
            self._problem = f"torch's allocator was not asked: {error}"
            return {}


def held_by_process(device: str) -> tuple[dict[str, int], str]:
    """What the driver says is in use on a device, context and libraries included.

    Bytes of this process under "process_now", of all under "device_now"; all the GPU has is under
    "device_total". Where the driver was not asked,
    or does not know this process (as in a container), the reason is given.
    """
    if not in_use(device):
        return {}, ""
    try:
        free, total = torch.cuda.mem_get_info(device)
    except RuntimeError as error:
        return {}, f"the driver was not asked what is in use: {error}"
    found = {"device_now": total - free, "device_total": total}
    try:
        import pynvml
    except ImportError:
        return found, "memory outside torch's allocator is not known: nvidia-ml-py is not installed"
    try:
        pynvml.nvmlInit()
        running = pynvml.nvmlDeviceGetComputeRunningProcesses(_handle(pynvml, device))
    except pynvml.NVMLError as error:
        return found, f"memory outside torch's allocator is not known: {error}"
    mine = [process.usedGpuMemory for process in running if process.pid == os.getpid()]
    if not mine or mine[0] is None:
        return found, "memory outside torch's allocator is not known: the driver does not list this process"
    return {"process_now": int(mine[0]), **found}, ""


def _handle(pynvml: Any, device: str) -> Any:
    """The driver's name for one of torch's devices, which CUDA_VISIBLE_DEVICES may have renumbered."""
    uuid = getattr(torch.cuda.get_device_properties(device), "uuid", None)
    if uuid is None:
        return pynvml.nvmlDeviceGetHandleByIndex(int(device.partition(":")[2] or 0))
    return pynvml.nvmlDeviceGetHandleByUUID(f"GPU-{uuid}")


def describe(device: str) -> str:
    """The GPU's name, the driver and CUDA's version; "" where CUDA was not used."""
    if not in_use(device):
        return ""
    driver = _driver()
    parts = [
        torch.cuda.get_device_name(device),
        f"driver {driver}" if driver else "",
        f"CUDA {torch.version.cuda}",
    ]
    return ", ".join(filter(None, parts))


def _driver() -> str:
    """The driver's version, from NVIDIA's library or from /proc; "" where neither tells."""
    try:
        import pynvml

        pynvml.nvmlInit()
        version = pynvml.nvmlSystemGetDriverVersion()
        return version.decode() if isinstance(version, bytes) else str(version)
    except ImportError:
        pass
    except pynvml.NVMLError:
        pass
    found = re.search(r"\d+\.\d+(\.\d+)?", _DRIVER.read_text("utf-8")) if _DRIVER.exists() else None
    return found[0] if found else ""


def settle() -> None:
    """Wait until the GPU has done what was asked of it, so that a clock tells the truth."""
    if torch.cuda.is_available() and torch.cuda.is_initialized():
        torch.cuda.synchronize()
