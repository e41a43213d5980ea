"""Replays on a CUDA device: every assertion once on a real one, and once with an allocator made for tests.

The second kind (see fakegpu/sitecustomize.py) runs everywhere and shows that the way from counters, history
and OutOfMemoryError to verdicts and report is whole. Only the first kind says anything about CUDA itself:

    python -m pytest -m gpu
"""

from __future__ import annotations

import importlib.util
import io
import json
import re
from pathlib import Path

import pytest

from memlint.report.session.report import render
from memlint.report.summary import RenderOptions
from memlint.runtime.parent.arms import Outcome, Request, run
from memlint.session import Arm, Session
from memlint.session_file import from_json, to_json
from tests.runtime.support import finding, line_of, needs_torch, replay, script, target

pytestmark = [needs_torch, pytest.mark.usefixtures("torch_once")]

FAKE = Path(__file__).with_name("fakegpu")
MIB = 1 << 20
WORKSPACES = 96 * MIB
"""What cuBLAS keeps for itself: 32 MiB for each thread that multiplies, and something to spare."""


def has_cuda() -> bool:
    if importlib.util.find_spec("torch") is None:
        return False
    import torch

    return torch.cuda.is_available()


def lacks_only_the_device() -> bool:
    """Whether torch is built with CUDA, whose runtime answers then and not the allocator made for tests."""
    if importlib.util.find_spec("torch") is None:
        return False
    import torch

    return torch.version.cuda is not None and not torch.cuda.is_available()


real = pytest.param(
    "cuda", marks=[pytest.mark.gpu, pytest.mark.skipif(not has_cuda(), reason="no CUDA device")]
)


needs_own_answers = pytest.mark.skipif(
    lacks_only_the_device(), reason="a torch with CUDA asks its own runtime for a device"
)
imagined = pytest.param("cpu", marks=needs_own_answers)


@pytest.fixture(params=[imagined, real], ids=["imagined", "real"])
def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where the script puts its tensors: "cpu" under the allocator made for tests."""
    monkeypatch.setenv("REPLAY_DEVICE", request.param)
    if request.param == "cpu":
        monkeypatch.setenv("PYTHONPATH", str(FAKE))
    return str(request.param)


HEAD = """
import os, torch, torch.nn as nn
device = os.environ["REPLAY_DEVICE"]
gpu = "cuda:0"
"""

TRAINING = (
    HEAD
    + """
net = nn.Sequential(nn.Linear(512, 2048), nn.ReLU(), nn.Linear(2048, 512)).to(device)
opt = torch.optim.Adam(net.parameters())
kept = []
for _ in range(12):
    loss = net(torch.randn(64, 512, device=device)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    kept.append(loss)
print("peaks", torch.cuda.max_memory_allocated(gpu), torch.cuda.max_memory_reserved(gpu))
"""
)


def outcome(path: Path, folder: Path, **changes: str) -> Outcome:
    request = Request("arm", "arm", **changes)  # type: ignore[arg-type]
    return run(target(path, device="cuda", steps=40), request, folder / "w", lambda steps: None)


def measured(path: Path, folder: Path, **changes: str) -> tuple[Arm, str]:
    found = outcome(path, folder, **changes)
    assert found.arm is not None, found.problem + found.stderr
    return found.arm, found.stdout


def shown(session: Session) -> str:
    out = io.StringIO()
    render(session, out, RenderOptions())
    return " ".join(out.getvalue().split())


def test_peaks_are_those_of_torchs_own_counters(device: str, tmp_path: Path) -> None:
    arm, printed = measured(script(tmp_path / "home", TRAINING), tmp_path)
    assert arm.failure is None, arm.failure
    assert arm.device == "cuda:0"
    told = re.search(r"peaks (\d+) (\d+)", printed)
    assert told is not None
    assert [arm.cuda["allocated_peak"], arm.cuda["reserved_peak"]] == [int(told[1]), int(told[2])]
    assert arm.top_bytes == arm.cuda["allocated_peak"] <= arm.cuda["reserved_peak"]
    assert arm.peak.bytes <= arm.cuda["allocated_peak"] <= arm.peak.bytes + WORKSPACES
    assert arm.outside == arm.cuda["allocated_peak"] - arm.peak.bytes
    assert 0 < arm.cuda["rounding"] <= arm.outside
    assert (arm.cuda["retries"], arm.cuda["out_of_memory"]) == (0, 0)
    assert all(step.bytes <= step.allocated <= step.reserved for step in arm.steps)
    assert arm.machine


def test_tensors_are_named_by_line_kind_and_phase(device: str, tmp_path: Path) -> None:
    arm, _ = measured(script(tmp_path / "home", TRAINING), tmp_path)
    weights = 4 * (512 * 2048 + 2048 + 2048 * 512 + 512)
    assert {kind: arm.kinds[kind] for kind in ("parameter", "gradient")} == {
        "parameter": weights,
        "gradient": weights,
    }
    assert arm.kinds["optimizer state"] >= 2 * weights
    assert arm.peak.phase == "optimizer"
    forward = line_of("\n".join(TRAINING.splitlines()[1:]), "loss = net(")
    gradients = [row for row in arm.lines if row.kind == "gradient"]
    assert {row.forward_line for row in gradients} == {forward}
    assert sum(row.bytes for row in gradients) == weights
    assert [(row.bytes_per_step, row.block_bytes_per_step, row.line) for row in arm.growth] == [
        (4, 512, forward)
    ]


def test_peaks_that_the_script_resets_are_not_lost(device: str, tmp_path: Path) -> None:
    text = (
        HEAD
        + """
    big = torch.ones(8 << 20, device=device)
    del big
    torch.cuda.reset_peak_memory_stats(gpu)
    small = torch.ones(1 << 20, device=device)
    print("peaks", torch.cuda.max_memory_allocated(gpu))
    """.replace("\n    ", "\n")
    )
    arm, printed = measured(script(tmp_path / "home", text), tmp_path)
    assert int(printed.split()[1]) < 8 * MIB
    assert arm.cuda["allocated_peak"] >= 32 * MIB == arm.peak.bytes


def test_the_allocators_history_names_its_blocks(device: str, tmp_path: Path) -> None:
    path = script(tmp_path / "home", TRAINING)
    arm, _ = measured(path, tmp_path, truth="history")
    assert arm.failure is None, arm.failure
    assert arm.peak.bytes <= arm.cuda["history_peak"] <= arm.cuda["allocated_peak"]
    assert sum(row.bytes for row in arm.blocks) == arm.cuda["history_peak"]
    lines = {row.line: row for row in arm.blocks if row.file == "train.py"}
    text = path.read_text(encoding="utf-8")
    assert lines[line_of(text, "net = ")].bytes == 4 * (512 * 2048 + 2048 + 2048 * 512 + 512)
    assert lines[line_of(text, "net = ")].blocks == 4
    assert lines[line_of(text, "opt.step()")].bytes > 0


LIMIT = """
if device == "cuda":
    torch.cuda.set_per_process_memory_fraction(limit / torch.cuda.get_device_properties(0).total_memory)
"""

LEAK = (
    HEAD
    + "limit = 192 << 20"
    + LIMIT
    + """
net = nn.Linear(16, 1024).to(device)
kept = []
for _ in range(100):
    out = net(torch.randn(2048, 16, device=device))
    kept.append(out)
    out = None
"""
)


def test_running_out_of_memory_is_a_result(
    device: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_GPU_BYTES", str(192 << 20))
    path = script(tmp_path / "home", LEAK)
    arm, _ = measured(path, tmp_path)
    forward = line_of(path.read_text(encoding="utf-8"), "out = net(")
    assert arm.failure is not None
    assert (arm.failure.type, arm.failure.out_of_memory) == ("OutOfMemoryError", True)
    assert (arm.failure.file, arm.failure.line) == ("train.py", forward)
    assert arm.cuda["out_of_memory"] == 1
    then = arm.exhausted
    assert then is not None
    assert (then.file, then.line, then.times) == ("train.py", forward, 1)
    assert 64 * MIB < then.bytes <= 192 * MIB
    assert then.kinds["activation"] > 64 * MIB
    assert "other" not in then.kinds
    assert sum(then.kinds.values()) == then.bytes == sum(row.bytes for row in then.lines)
    assert then.lines[0].line == forward


def test_a_fix_against_running_out_is_confirmed(
    device: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_GPU_BYTES", str(192 << 20))
    path = script(tmp_path / "home", LEAK)
    claim = finding(path, "MEM102", "GROWTH", "kept.append(out)", "kept.append(out.mean().item())")
    made = replay(path, tmp_path / "w", [claim], device="cuda")
    (judged,) = made.session.findings
    assert judged.verdict.status == "confirmed", judged.verdict
    assert "ran out of memory at train.py" in judged.verdict.reason
    report = shown(made.session)
    assert "out of memory at train.py:" in report
    assert "torch's allocator, at its own peaks:" in report
    assert from_json(json.dumps(to_json(made.session)), "s.json") == made.session


def test_memory_that_runs_out_and_is_caught_is_told(
    device: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_GPU_BYTES", str(192 << 20))
    text = (
        HEAD
        + "limit = 192 << 20"
        + LIMIT
        + """
    net = nn.Linear(64, 64).to(device)
    try:
        torch.empty(256 << 20, device=device)
    except torch.OutOfMemoryError:
        pass
    for _ in range(3):
        net(torch.randn(8, 64, device=device))
    """.replace("\n    ", "\n")
    )
    arm, _ = measured(script(tmp_path / "home", text), tmp_path)
    assert arm.failure is None
    assert arm.exhausted is not None
    assert (arm.exhausted.times, arm.cuda["out_of_memory"]) == (1, 1)
    assert arm.exhausted.kinds.keys() <= {"parameter", "input", "other", "temporary"}


PROBABILITIES = (
    HEAD
    + """
net = nn.Linear(16, 2048).to(device)
opt = torch.optim.SGD(net.parameters(), 0.1)
probs = None
for _ in range(12):
    out = net(torch.randn(1024, 16, device=device))
    loss = out.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    probs = out.softmax(-1)
"""
)


def test_a_counterfactual_is_measured_by_the_allocator(device: str, tmp_path: Path) -> None:
    path = script(tmp_path / "home", PROBABILITIES)
    real = finding(path, "MEM113", "PEAK", "probs = out.softmax(-1)", "probs = None", formula="e(probs)")
    none = finding(path, "MEM122", "PEAK", "opt.zero_grad()", "opt.zero_grad(set_to_none=True)")
    made = replay(path, tmp_path / "w", [real, none], device="cuda")
    verdicts = {judged.finding["code"]: judged.verdict for judged in made.session.findings}
    arms = {arm.name: arm for arm in made.session.arms}
    measured = arms["original"].cuda["allocated_peak"] - arms["fix-2"].cuda["allocated_peak"]
    assert verdicts["MEM113"].status == "confirmed", verdicts["MEM113"]
    assert verdicts["MEM113"].measured_bytes == measured
    assert 0.5 * 4 * 1024 * 2048 < measured < 1.5 * 4 * 1024 * 2048
    assert (verdicts["MEM122"].status, verdicts["MEM122"].measured_bytes) == ("refuted", 0)
    assert not made.session.errors
    assert made.session.original.blocks
    assert "the allocator's blocks when most bytes were asked for" in shown(made.session)


def test_the_tracker_changes_no_peak(device: str, tmp_path: Path) -> None:
    """The peaks that the script itself prints are the same when nothing is tracked."""
    path = script(tmp_path / "home", TRAINING)
    bare, watched = (outcome(path, tmp_path / probe, probe=probe) for probe in ("clock", "tracker"))
    assert bare.stdout == watched.stdout
    assert bare.stdout.startswith("peaks ")


SHARED = (
    HEAD
    + """
table = nn.Embedding(4000, 64).to(device)
opt = torch.optim.SGD(table.parameters(), 0.1)
for _ in range(6):
    rows = [table(torch.randint(4000, (64,), device=device)) for _ in range(4)]
    scores = torch.stack(rows) @ table.weight.t()
    picked = scores.gather(-1, torch.zeros(4, 64, 1, dtype=torch.long, device=device))
    loss = picked.mean() + scores[scores > 0].mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    rows = scores = picked = None
print("peaks", torch.cuda.max_memory_allocated(gpu), torch.cuda.max_memory_reserved(gpu))
"""
)


def test_the_headline_is_the_peak_of_the_plain_run(
    device: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under a dispatch mode autograd adds up out of place, and copies in backward of gather() and masks."""
    monkeypatch.setenv("FAKE_GPU_COST", str(4 * MIB))
    path = script(tmp_path / "home", SHARED)
    wanted = outcome(path, tmp_path / "plain", probe="clock").stdout
    tracked = outcome(path, tmp_path / "tracked")
    assert tracked.arm is not None
    claim = finding(path, "MEM113", "PEAK", "rows = scores = picked = None", "rows = scores = None")
    made = replay(path, tmp_path / "w", [claim], device="cuda", steps=40)
    arms = {arm.name: arm for arm in made.session.arms}
    original = arms["original"]
    told = f"peaks {original.cuda['allocated_peak']} {original.cuda['reserved_peak']}\n"
    assert told == wanted
    assert original.top_bytes == original.cuda["allocated_peak"] == original.outside + original.peak.bytes
    raised = tracked.arm.cuda["allocated_peak"] - original.cuda["allocated_peak"]
    assert raised >= (4 * MIB if device == "cpu" else 0)
    # Arms are held against each other without what the mode adds.
    assert {arm.top_bytes for arm in arms.values()} == {original.top_bytes}
    assert not original.failure
    assert "bare" not in arms
    assert made.session.notes == ()


@needs_own_answers
@pytest.mark.parametrize(
    ("blind", "said"),
    [
        ("_cuda_record_memory_history", "history was not recorded: module 'torch._C' has no attribute"),
        ("_cuda_memorySnapshot", "history cannot be read: AttributeError"),
    ],
)
def test_a_torch_without_the_history_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blind: str, said: str
) -> None:
    monkeypatch.setenv("REPLAY_DEVICE", "cpu")
    monkeypatch.setenv("PYTHONPATH", str(FAKE))
    monkeypatch.setenv("FAKE_GPU_BLIND", blind)
    arm, _ = measured(script(tmp_path / "home", TRAINING), tmp_path, truth="history")
    assert arm.blocks == ()
    assert "history_peak" not in arm.cuda
    assert arm.cuda["allocated_peak"] > arm.peak.bytes
    assert [note for note in arm.notes if said in note]
