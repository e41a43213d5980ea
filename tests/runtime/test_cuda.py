"""Replay on a CUDA device, and what its allocator says, where there is one."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.runtime.support import measure, needs_torch, script

pytestmark = needs_torch

TRAINING = """
import torch, torch.nn as nn
net = nn.Sequential(nn.Linear(1024, 4096), nn.ReLU(), nn.Linear(4096, 1024)).cuda()
opt = torch.optim.Adam(net.parameters())
kept = []
for _ in range(12):
    loss = net(torch.randn(256, 1024, device="cuda")).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    kept.append(loss)
"""


def has_cuda() -> bool:
    if importlib.util.find_spec("torch") is None:
        return False
    import torch

    return torch.cuda.is_available()


@pytest.mark.gpu
@pytest.mark.skipif(not has_cuda(), reason="no CUDA device")
def test_the_tracker_is_below_the_allocator_by_workspaces_only(tmp_path: Path) -> None:
    arm = measure(script(tmp_path / "home", TRAINING), tmp_path / "w")
    assert arm.failure is None
    assert arm.device.startswith("cuda")
    assert arm.peak.bytes <= arm.cuda["allocated_peak"] <= arm.peak.bytes + (96 << 20)
    assert arm.cuda["allocated_peak"] <= arm.cuda["reserved_peak"]
    assert [row.bytes_per_step for row in arm.growth] == [4]
    assert arm.kinds["gradient"] > 0
    assert any(row.forward_line == 6 for row in arm.lines if row.kind == "gradient")


@pytest.mark.skipif(has_cuda(), reason="there is a CUDA device")
def test_cuda_hidden_or_absent_gives_no_numbers() -> None:
    from memlint.runtime import cuda

    assert cuda.statistics() == {}
    assert cuda.held_by_process() == ({}, "")


def test_the_allocators_counters_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from memlint.runtime import cuda

    stats: dict[str, Any] = {"num_alloc_retries": 2, "num_ooms": 1, "inactive_split_bytes.all.peak": 7}
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_initialized", lambda: True)
    monkeypatch.setattr(torch.cuda, "memory_stats", lambda: stats)
    monkeypatch.setattr(torch.cuda, "max_memory_allocated", lambda: 100)
    monkeypatch.setattr(torch.cuda, "max_memory_reserved", lambda: 200)
    assert cuda.statistics() == {
        "retries": 2,
        "out_of_memory": 1,
        "inactive_split_peak": 7,
        "allocated_peak": 100,
        "reserved_peak": 200,
    }


class FakeDriver:
    """The part of pynvml that is asked for the memory of a process."""

    class NVMLError(Exception):
        pass

    def __init__(self, processes: list[tuple[int, int | None]], broken: str = "") -> None:
        self.processes = processes
        self.broken = broken

    def nvmlInit(self) -> None:  # noqa: N802 - the library's name
        if self.broken:
            raise self.NVMLError(self.broken)

    def nvmlDeviceGetHandleByUUID(self, uuid: str) -> str:  # noqa: N802 - the library's name
        return uuid

    def nvmlDeviceGetComputeRunningProcesses(self, handle: str) -> list[SimpleNamespace]:  # noqa: N802
        assert handle == "GPU-abc"
        return [SimpleNamespace(pid=pid, usedGpuMemory=used) for pid, used in self.processes]


@pytest.mark.parametrize(
    ("driver", "held", "said"),
    [
        (FakeDriver([(1, 5), (os.getpid(), 700)]), {"process_now": 700}, ""),
        (FakeDriver([(1, 5)]), {}, "does not list this process"),
        (FakeDriver([(os.getpid(), None)]), {}, "does not list this process"),
        (FakeDriver([], "no permission"), {}, "no permission"),
        (None, {}, "nvidia-ml-py is not installed"),
    ],
)
def test_the_driver_is_asked_and_may_decline(
    monkeypatch: pytest.MonkeyPatch, driver: FakeDriver | None, held: dict[str, int], said: str
) -> None:
    import torch

    from memlint.runtime import cuda

    monkeypatch.setitem(sys.modules, "pynvml", driver)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_initialized", lambda: True)
    monkeypatch.setattr(torch.cuda, "current_device", lambda: 0)
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda index: SimpleNamespace(uuid="abc"))
    found, why = cuda.held_by_process()
    assert found == held
    assert said in why if said else why == ""
