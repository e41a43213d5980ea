"""Replay on a CUDA device, and what its allocator says, where there is one."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from memlint.runtime.arms import Request, _spec
from tests.runtime.support import measure, needs_torch, script, target

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

    assert cuda.statistics("cuda:0") == ({}, "")
    assert cuda.held_by_process("cuda:0") == ({}, "")


def test_the_allocators_counters_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from memlint.runtime import cuda

    stats: dict[str, Any] = {"num_alloc_retries": 2, "num_ooms": 1, "inactive_split_bytes.all.peak": 7}
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_initialized", lambda: True)
    monkeypatch.setattr(torch.cuda, "memory_stats", lambda device: stats)
    monkeypatch.setattr(torch.cuda, "max_memory_allocated", lambda device: 100)
    monkeypatch.setattr(torch.cuda, "max_memory_reserved", lambda device: 200)
    counted = {"retries": 2, "out_of_memory": 1, "inactive_split_peak": 7}
    assert cuda.statistics("cuda:0") == ({**counted, "allocated_peak": 100, "reserved_peak": 200}, "")
    assert cuda.statistics("cpu") == ({}, "")

    def decline(device: str) -> dict[str, Any]:
        raise RuntimeError("this allocator keeps no statistics")

    monkeypatch.setattr(torch.cuda, "memory_stats", decline)
    found, why = cuda.statistics("cuda:0")
    assert (found, why) == ({}, "torch's allocator was not asked: this allocator keeps no statistics")


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
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda index: SimpleNamespace(uuid="abc"))
    found, why = cuda.held_by_process("cuda:0")
    assert found == held
    assert said in why if said else why == ""


@pytest.mark.parametrize(
    ("device", "measured", "said"),
    [
        ("mps:0", False, "not measured: the script ran on mps:0"),
        ("xpu:0", False, "not measured: the script ran on xpu:0"),
        ("cuda:0", True, "measured on cuda:0: each tensor"),
    ],
)
def test_an_accelerator_is_measured_or_said_not_to_be(
    tmp_path: Path, device: str, measured: bool, said: str
) -> None:
    from memlint.runtime.child import Run

    path = script(tmp_path, "pass\n")
    request = Request("original", "as it is")
    folder = tmp_path / "w"
    folder.mkdir()
    run = Run(_spec(target(path, contained=False), request, folder, str(tmp_path)))
    run.log.raw += [(4096, -1, "forward", -1, device, False), (64, -1, "forward", -1, "cuda:1", False)]
    run.log.events += [0, 1]
    arm = run._result("the script ended", None, 1.0, None)
    assert arm.device == device
    assert bool(arm.peak.bytes) is measured
    assert any(note.startswith(said) for note in arm.notes)
    assert any(note.startswith("tensors on cuda:1 are not counted") for note in arm.notes) is measured
