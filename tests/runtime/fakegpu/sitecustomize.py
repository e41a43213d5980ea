"""Makes a replay's child process believe that the CPU's memory is a CUDA device's.

On the search path of a child, this stands in at the border where torch's Python code calls C++: tensors
stay on the CPU, the tracker is told that this is cuda:0, and an allocator written here answers
torch._C._cuda_memoryStats and its neighbours in the shape that torch 2.13 documents. It follows storages by
itself and not through the tracker, so that the two can disagree. What it proves is that the path from
counters, history and OutOfMemoryError to verdicts and report works, with torch's real Python layer in it;
it proves nothing about real kernels, streams, the engine's threads or what C++ really returns.
"""

from __future__ import annotations

import os
import sys
from typing import Any

BLOCK, SEGMENT, WORKSPACE = 512, 2 << 20, 1 << 20
CAPACITY = int(os.environ.get("FAKE_GPU_BYTES", 1 << 40))
COST = int(os.environ.get("FAKE_GPU_COST", 0))
BLIND = os.environ.get("FAKE_GPU_BLIND", "")


class Allocator:
    """Blocks of 512 bytes in segments of 2 MiB, a workspace that the first matrix product takes."""

    def __init__(self) -> None:
        self.sizes: dict[int, int] = {}
        self.traces: list[dict[str, Any]] = []
        self.frames: dict[int, list[dict[str, Any]]] = {}
        self.recording = False
        self.now = self.peak = self.requested = self.requested_peak = self.reserved = 0
        self.ooms = self.retries = self.more = 0

    def take(self, address: int, size: int, frame: Any) -> None:
        import torch

        block = -(-size // BLOCK) * BLOCK
        if self.now + block > CAPACITY:
            self.ooms += 1
            raise torch.OutOfMemoryError(
                f"CUDA out of memory. Tried to allocate {size / 2**20:.2f} MiB. GPU 0 has a total capacity "
                f"of {CAPACITY / 2**20:.2f} MiB of which {(CAPACITY - self.now) / 2**20:.2f} MiB is free."
            )
        self.sizes[address] = size
        self.now += block
        self.requested += size
        self.peak = max(self.peak, self.now)
        self.requested_peak = max(self.requested_peak, self.requested)
        self.reserved = max(self.reserved, -(-self.now // SEGMENT) * SEGMENT)
        if self.recording:
            self.frames[address] = stack(frame)
            self.traces.append(
                {"action": "alloc", "addr": address, "size": size, "frames": self.frames[address]}
            )

    def give(self, address: int) -> None:
        size = self.sizes.pop(address)
        self.now -= -(-size // BLOCK) * BLOCK
        self.requested -= size
        if self.recording:
            for action in ("free_requested", "free_completed"):
                self.traces.append({"action": action, "addr": address, "size": size})

    def stats(self, device: int) -> dict[str, Any]:
        def kinds(current: int, peak: int) -> dict[str, Any]:
            return {"all": {"current": current, "peak": peak, "allocated": 0, "freed": 0}}

        return {
            "allocated_bytes": kinds(self.now, self.peak + self.more),
            "reserved_bytes": kinds(self.reserved, self.reserved),
            "requested_bytes": kinds(self.requested, self.requested_peak),
            "inactive_split_bytes": kinds(self.reserved - self.now, self.reserved - self.now),
            "num_alloc_retries": self.retries,
            "num_ooms": self.ooms,
        }

    def reset(self, device: int) -> None:
        self.peak, self.requested_peak = self.now, self.requested

    def record(self, enabled: Any, context: Any, stacks: str, most: int, *rest: Any) -> None:
        assert (enabled, context, stacks) == ("all", "alloc", "python"), (enabled, context, stacks)
        self.recording = True

    def snapshot(self, pool: Any) -> dict[str, Any]:
        blocks = [
            {"address": address, "size": -(-size // BLOCK) * BLOCK, "requested_size": size,
             "state": "active_allocated", "frames": self.frames.get(address, [])}
            for address, size in self.sizes.items()
        ]  # fmt: skip
        segment = {"address": 0, "total_size": self.reserved, "stream": 0, "blocks": blocks, "device": 0}
        return {"segments": [segment], "device_traces": [self.traces]}


def stack(frame: Any) -> list[dict[str, Any]]:
    """Frames as torch gives them: innermost first."""
    found = []
    while frame is not None:
        found.append(
            {"filename": frame.f_code.co_filename, "line": frame.f_lineno, "name": frame.f_code.co_name}
        )
        frame = frame.f_back
    return found


def install() -> None:
    import weakref

    import torch
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves

    from memlint.runtime.child.tracking import tracker

    memory = Allocator()

    class Followed(TorchDispatchMode):
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            out = func(*args, **(kwargs or {}))
            if "mm" in func._schema.name and -1 not in memory.sizes:
                memory.take(-1, WORKSPACE, sys._getframe(1))
            for value in tree_leaves(out):
                if isinstance(value, torch.Tensor) and value.untyped_storage()._cdata not in memory.sizes:
                    storage = value.untyped_storage()
                    memory.take(storage._cdata, storage.nbytes(), sys._getframe(1))
                    weakref.finalize(storage, memory.give, storage._cdata)
            return out

    real = tracker.Tracker.__init__

    def made(self: Any, *args: Any) -> None:
        real(self, *args)
        # What autograd makes out of place under the tracker's mode, and in place without it.
        memory.more = COST
        self._devices[torch.device("cpu")] = "cuda:0"

    tracker.Tracker.__init__ = made  # type: ignore[method-assign]
    for module in (torch.cuda, torch.cuda.memory):
        module.is_initialized = lambda: True  # type: ignore[attr-defined]
    torch.cuda.is_available = lambda: True
    torch.cuda.current_device = lambda: 0
    torch.cuda.device_count = lambda: 1
    torch.cuda.synchronize = lambda device=None: None
    torch.cuda.get_device_name = lambda device=None: "Imagined GPU"
    torch.cuda.mem_get_info = lambda device=None: (CAPACITY - memory.reserved, CAPACITY)
    border = {
        "_cuda_memoryStats": memory.stats,
        "_cuda_resetPeakMemoryStats": memory.reset,
        "_cuda_record_memory_history": memory.record,
        "_cuda_memorySnapshot": memory.snapshot,
    }
    for name, answer in border.items():
        if name not in BLIND.split(","):
            setattr(torch._C, name, answer)
    Followed().__enter__()


if any(os.path.basename(word) == "start.py" for word in sys.orig_argv):
    install()
