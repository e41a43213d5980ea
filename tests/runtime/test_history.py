"""The allocator's history is read as torch documents it."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from memlint.session import Block
from tests.runtime.support import needs_torch

pytestmark = needs_torch


def alloc(address: int, size: int, *lines: tuple[str, int]) -> dict[str, Any]:
    frames = [{"filename": file, "line": line, "name": "f"} for file, line in lines]
    return {"action": "alloc", "addr": address, "size": size, "stream": 0, "frames": frames}


def free(address: int, size: int, action: str = "free_requested") -> dict[str, Any]:
    return {"action": action, "addr": address, "size": size, "stream": 0}


def place(path: str) -> str | None:
    return path.removeprefix("/home/") if path.startswith("/home/") else None


def test_the_peak_is_found_and_told_by_line() -> None:
    from memlint.runtime.child.tracking.history import at_peak, by_line

    trace = [
        {"action": "segment_alloc", "addr": 0, "size": 1 << 21, "stream": 0},
        alloc(1, 100, ("/lib/torch.py", 1), ("/home/a.py", 5), ("/home/b.py", 9)),
        alloc(2, 50, ("/lib/torch.py", 1)),
        free(1, 100),
        free(1, 100, "free_completed"),
        alloc(1, 120, ("/home/a.py", 6)),
        alloc(3, 30, ("/home/a.py", 6)),
        free(2, 50),
        {"action": "oom", "size": 1 << 40, "device_free": 0, "stream": 0},
        alloc(2, 40, ("/home/a.py", 7)),
    ]
    alive = at_peak(trace, [])
    assert sum(held.size for held in alive) == 200
    assert by_line(alive, place) == (Block("a.py", 6, 150, 2), Block("", 0, 50, 1))


def test_what_was_there_before_the_ring_began_counts() -> None:
    from memlint.runtime.child.tracking.history import at_peak, by_line

    frames = [{"filename": "/home/a.py", "line": 2, "name": "f"}]
    old = {"address": 9, "size": 1024, "requested_size": 700, "state": "active_allocated", "frames": frames}
    gone = {"address": 8, "size": 512, "requested_size": 512, "state": "inactive"}
    made = {"address": 1, "size": 512, "requested_size": 100, "state": "active_allocated"}
    trace = [alloc(1, 100, ("/home/a.py", 3)), free(7, 60)]
    found = by_line(at_peak(trace, [{"blocks": [old, gone, made]}]), place)
    assert found == (Block("a.py", 2, 700, 1), Block("a.py", 3, 100, 1), Block("", 0, 60, 1))


def test_a_snapshot_is_asked_for_one_device(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from memlint.runtime.child.tracking.history import History

    other = {"address": 1, "size": 9, "state": "active_allocated", "frames": []}
    snapshot = {
        "segments": [{"device": 0, "blocks": [other]}, {"device": 1, "blocks": []}],
        "device_traces": [[alloc(5, 5)], [alloc(1, 100, ("/home/a.py", 3))]],
    }
    monkeypatch.setattr(torch.cuda.memory, "_snapshot", lambda: snapshot)
    history = History()
    assert history.read("cuda:1", place)[2].endswith("the script did not use CUDA")
    history.problem = ""
    assert history.read("cuda:1", place) == (100, (Block("a.py", 3, 100, 1),), "")
    assert "IndexError" in history.read("cuda:2", place)[2]
    snapshot["device_traces"][1].clear()
    assert "switched it off" in history.read("cuda:1", place)[2]


def test_recording_waits_until_cuda_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from memlint.runtime.child.tracking.history import History

    later: list[Any] = []
    monkeypatch.setattr(torch.cuda, "_lazy_call", later.append)
    history = History()
    history.start()
    assert history.problem == "the script did not use CUDA"
    given: list[Any] = []
    monkeypatch.setattr(torch._C, "_cuda_record_memory_history", lambda *a: given.append(a), raising=False)
    later[0]()
    assert history.problem == ""
    assert given[0][:3] == ("all", "alloc", "python")
    monkeypatch.delattr(torch._C, "_cuda_record_memory_history")
    later[0]()
    assert "_cuda_record_memory_history" in history.problem


def test_torch_documents_the_names_that_are_used() -> None:
    import torch

    from memlint.runtime.child.tracking.cuda import _PEAKS, _WANTED

    accepted = inspect.signature(torch.cuda.memory._record_memory_history).parameters
    assert {"enabled", "context", "stacks", "max_entries"} <= set(accepted)
    told = inspect.getdoc(torch.cuda.memory._snapshot) or ""
    names = "segments device_traces blocks address requested_size state active_allocated frames filename line"
    assert all(name in told for name in [*names.split(), "action", "alloc", "free_requested", "addr", "size"])
    stats = inspect.getdoc(torch.cuda.memory_stats) or ""
    assert all(key.partition(".")[0] in stats for key in [*_WANTED.values(), *_PEAKS.values()])
    assert callable(torch.cuda._lazy_call)
    assert callable(torch.cuda.memory_stats_as_nested_dict)


def test_frames_come_innermost_first() -> None:
    """The history's frames are gathered and named by the same code as these."""
    from torch._C._profiler import gather_traceback, symbolize_tracebacks

    def inner() -> Any:
        return gather_traceback(True, False, False)

    frames = symbolize_tracebacks([inner()])[0]
    assert [frame["name"] for frame in frames[:2]] == ["inner", "test_frames_come_innermost_first"]
    assert {"filename", "line", "name"} <= set(frames[0])
