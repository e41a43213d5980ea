"""What CUDA's allocator and the driver are asked, and what is made of their answers."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from memlint.runtime.parent.arms import Request, _spec
from tests.runtime.support import needs_torch, script, target

pytestmark = needs_torch


def has_cuda() -> bool:
    if importlib.util.find_spec("torch") is None:
        return False
    import torch

    return torch.cuda.is_available()


@pytest.fixture
def imagined(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if CUDA were there and the script had used it."""
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_initialized", lambda: True)
    monkeypatch.setattr(torch.cuda.memory, "is_initialized", lambda: True)
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda device: (300, 1000))


@pytest.mark.skipif(has_cuda(), reason="there is a CUDA device")
def test_cuda_hidden_or_absent_gives_no_numbers() -> None:
    from memlint.runtime.child.tracking import cuda

    allocator = cuda.Allocator(lambda: ["cuda:0"])
    allocator.sample(1)
    assert allocator.at("cuda:0", 1) == (0, 0)
    assert allocator.statistics("cuda:0") == ({}, "")
    assert cuda.held_by_process("cuda:0") == ({}, "")
    assert cuda.describe("cuda:0") == ""


def counters(allocated: int, peak: int) -> dict[str, Any]:
    def kinds(current: int, most: int) -> dict[str, Any]:
        return {"all": {"current": current, "peak": most}}

    return {
        "allocated_bytes": kinds(allocated, peak),
        "reserved_bytes": kinds(2 * allocated, 2 * peak),
        "inactive_split_bytes": kinds(3, 7),
        "num_alloc_retries": 2,
        "num_ooms": 1,
    }


def test_the_allocators_counters_are_named(monkeypatch: pytest.MonkeyPatch, imagined: None) -> None:
    import torch

    from memlint.runtime.child import private
    from memlint.runtime.child.tracking import cuda

    now = counters(60, 100)
    monkeypatch.setattr(torch._C, "_cuda_memoryStats", lambda index: now, raising=False)
    monkeypatch.setattr(
        torch._C, "_cuda_resetPeakMemoryStats", lambda index: now.update(counters(5, 5)), raising=False
    )
    allocator = cuda.Allocator(lambda: ["cuda:0"])
    for name in private.PEAK_RESETS:
        if hasattr(torch._C, name):
            monkeypatch.setattr(torch._C, name, getattr(torch._C, name))
    allocator.install()
    allocator.sample(4)
    torch.cuda.reset_peak_memory_stats("cuda:0")
    assert torch.cuda.max_memory_allocated("cuda:0") == 5
    counted = {"retries": 2, "out_of_memory": 1, "inactive_split_peak": 7, "reserved_now": 10}
    found, why = allocator.statistics("cuda:0")
    assert (found, why) == ({**counted, "allocated_peak": 100, "reserved_peak": 200}, "")
    assert (allocator.at("cuda:0", 4), allocator.at("cuda:0", 5)) == ((60, 120), (0, 0))
    assert allocator.statistics("cpu") == ({}, "")


def test_an_allocator_may_keep_no_counters(monkeypatch: pytest.MonkeyPatch, imagined: None) -> None:
    import torch

    from memlint.runtime.child.tracking import cuda

    def decline(index: int) -> dict[str, Any]:
        raise RuntimeError("this allocator keeps no statistics")

    monkeypatch.setattr(torch._C, "_cuda_memoryStats", decline, raising=False)
    allocator = cuda.Allocator(lambda: ["cuda:0"])
    allocator.sample(1)
    found, why = allocator.statistics("cuda:0")
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
    monkeypatch: pytest.MonkeyPatch,
    imagined: None,
    driver: FakeDriver | None,
    held: dict[str, int],
    said: str,
) -> None:
    import torch

    from memlint.runtime.child.tracking import cuda

    monkeypatch.setitem(sys.modules, "pynvml", driver)
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda index: SimpleNamespace(uuid="abc"))
    found, why = cuda.held_by_process("cuda:0")
    assert found == {**held, "device_now": 700, "device_total": 1000}
    assert said in why if said else why == ""


@pytest.mark.parametrize(
    ("device", "measured", "said"),
    [
        ("mps:0", False, "not measured: the script ran on mps:0"),
        ("xpu:0", False, "not measured: the script ran on xpu:0"),
        ("cuda:0", True, "tensors on cuda:1"),
    ],
)
def test_an_accelerator_is_measured_or_said_not_to_be(
    tmp_path: Path, device: str, measured: bool, said: str
) -> None:
    from memlint.runtime.child.run import Run

    path = script(tmp_path, "pass\n")
    request = Request("original", "as it is")
    folder = tmp_path / "w"
    folder.mkdir()
    run = Run(_spec(target(path, contained=False), request, folder, str(tmp_path)), -1, None)
    run.log.raw += [(4096, -1, "forward", -1, device, False), (64, -1, "forward", -1, "cuda:1", False)]
    run.log.events += [0, 1]
    arm = run.result.arm("the script ended", None, 1.0, None)
    assert arm.device == device
    assert bool(arm.peak.bytes) is measured
    assert any(note.startswith(said) for note in arm.notes)
    assert any(note.startswith("tensors on cuda:1 are not counted") for note in arm.notes) is measured


def test_the_driver_makes_its_device_files_before_landlock_forbids_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memlint.runtime.child.tracking import cuda

    started: list[str] = []
    monkeypatch.setattr(cuda.subprocess, "run", lambda command, **_: started.append(command[-1]))
    for driver, managed, expected in ((False, False, 0), (True, True, 0), (True, False, 1)):
        for name, there in (("_DRIVER", driver), ("_MANAGED", managed)):
            monkeypatch.setattr(cuda, name, tmp_path if there else tmp_path / "missing")
        started.clear()
        cuda.make_device_files()
        assert len(started) == expected
    assert "cuInit" in started[0]
