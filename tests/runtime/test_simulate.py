"""Replays on a simulated GPU: bytes worked out by hand, the CPU tracker's bytes, verdicts, limits."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

import memlint.runtime.simulate as simulate
from benchmarks.simulated import __main__ as benchmark
from memlint.session import SIMULATED, Arm, from_json
from tests.runtime.support import finding, line_of, measure, needs_torch, replay, script

MIB = 1 << 20
WORKSPACES = 2 * 32 * MIB


def can_start() -> bool:
    """Whether this machine can simulate at all: torch 2.13 on Linux on x86-64."""
    try:
        import torch
    except ImportError:
        return False
    fits = sys.platform == "linux" and platform.machine() == "x86_64"
    return fits and torch.__version__.startswith("2.13.")


pytestmark = [needs_torch, pytest.mark.skipif(not can_start(), reason="needs torch 2.13 on Linux on x86-64")]


def simulated(folder: Path, text: str, **changes: object) -> Arm:
    arm = measure(script(folder / "home", text), folder / "w", device="simulate", **changes)
    assert arm.simulation is not None
    assert arm.probe == "simulate"
    return arm


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "NO_COLOR": "1"}
    command = [sys.executable, "-m", "memlint", "replay", "--isolated", *arguments]
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=300)


# --- bytes ----------------------------------------------------------------------------------------------

MLP = """
import torch, torch.nn as nn
device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Sequential(nn.Linear(256, 512, bias=False), nn.ReLU(), nn.Linear(512, 10, bias=False)).to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.1, foreach=True)
x = torch.randn(64, 256, device=device)
for _ in range(5):
    opt.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    opt.step()
"""


def test_a_linear_network_needs_the_bytes_that_its_shapes_add_up_to(tmp_path: Path) -> None:
    arm = simulated(tmp_path, MLP)
    assert arm.failure is None
    assert arm.device == SIMULATED
    first, second, batch, hidden = 512 * 256 * 4, 10 * 512 * 4, 64 * 256 * 4, 64 * 512 * 4
    # Highest when backward has the gradients of both weights and that of the hidden layer; the loss and
    # the gradient of the loss are one number each.
    tensors = 2 * (first + second) + batch + hidden
    assert (arm.peak.bytes, arm.peak.phase) == (tensors + 2 * 4, "backward")
    assert arm.cuda["requested_peak"] == tensors + 2 * 4 + WORKSPACES
    assert arm.cuda["allocated_peak"] == tensors + 2 * 512 + WORKSPACES
    assert arm.cuda["reserved_peak"] == 2 * MIB + WORKSPACES
    assert arm.cuda["workspaces"] == WORKSPACES
    assert arm.kinds == {
        "parameter": first + second,
        "gradient": first + second,
        "temporary": hidden,
        "input": batch,
        "activation": 2 * 4,
    }
    assert arm.losses == ()


def test_adam_holds_weights_five_times_within_its_step(tmp_path: Path) -> None:
    arm = simulated(
        tmp_path,
        """
        import torch
        net = torch.nn.Linear(1024, 1024, bias=False).cuda()
        opt = torch.optim.Adam(net.parameters())
        x = torch.randn(1, 1024, device="cuda")
        for _ in range(3):
            opt.zero_grad()
            loss = net(x).sum()
            loss.backward()
            opt.step()
        """,
    )
    # Weight, gradient, two averages, and the square root of the second.
    assert (arm.peak.bytes, arm.peak.phase) == (5 * 4 * MIB + 4096 + 4, "optimizer")
    assert arm.cuda["allocated_peak"] == 5 * 4 * MIB + 4096 + 512 + WORKSPACES
    assert arm.cuda["reserved_peak"] == 20 * MIB + 2 * MIB + WORKSPACES
    assert arm.kinds["optimizer state"] == 8 * MIB
    assert arm.kinds["gradient"] == 4 * MIB


CONVOLUTIONS = """
import torch, torch.nn as nn, torch.nn.functional as F
device = "cuda" if torch.cuda.is_available() else "cpu"
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.norm, self.b = nn.Conv2d(3, 16, 3), nn.BatchNorm2d(16), nn.Linear(16, 5)
    def forward(self, x):
        return self.b(F.relu(self.norm(self.a(x))).mean((2, 3)))
net = Net().to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, foreach=True)
for _ in range(4):
    x = torch.randn(8, 3, 24, 24, device=device)
    y = torch.randint(0, 5, (8,), device=device)
    loss = F.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


@pytest.mark.parametrize("text", [MLP, CONVOLUTIONS])
def test_it_agrees_with_what_the_same_script_holds_on_the_cpu(tmp_path: Path, text: str) -> None:
    there = simulated(tmp_path / "gpu", text)
    here = measure(script(tmp_path / "cpu", text), tmp_path / "w", device="cpu")
    assert here.device == "cpu"
    assert [step.bytes for step in there.steps] == [step.bytes for step in here.steps]
    assert there.peak.bytes == here.peak.bytes
    assert there.kinds == here.kinds
    assert made_by(there) == made_by(here)


def made_by(arm: Arm) -> list[tuple[int, int, str, int]]:
    """Who holds the peak, but for the parameters: on a GPU the line that moves them has made them."""
    kept = (row for row in arm.lines if row.kind != "parameter" and row.phase != "setup")
    return [(row.line, row.forward_line, row.kind, row.bytes) for row in kept]


def test_growth_is_counted_in_blocks_and_attributed(tmp_path: Path) -> None:
    text = (
        MLP.replace("for _ in range(5)", "kept = []\nfor _ in range(12)") + "    kept.append(loss.detach())\n"
    )
    arm = simulated(tmp_path, text)
    assert [(row.line, row.bytes_per_step, row.block_bytes_per_step) for row in arm.growth] == [
        (line_of(text.lstrip(), "loss = net"), 4, 512)
    ]
    gradients = [row for row in arm.lines if row.kind == "gradient"]
    assert {row.forward_line for row in gradients} == {line_of(text.lstrip(), "loss = net")}


def test_torch_cuda_answers_from_the_model(tmp_path: Path) -> None:
    arm = simulated(
        tmp_path,
        """
        import torch
        torch.cuda.manual_seed_all(0)
        assert torch.cuda.device_count() == 1 and torch.cuda.current_device() == 0
        assert torch.cuda.get_device_properties(0).total_memory == 140 << 30
        assert torch.cuda.memory_allocated() == torch.cuda.memory_reserved() == 0
        kept = torch.empty(1000, device="cuda")
        large = torch.empty(30 << 20, dtype=torch.uint8, device="cuda:0")
        assert torch.cuda.memory_allocated() == 4096 + (30 << 20)
        assert torch.cuda.memory_reserved() == (2 << 20) + (30 << 20)
        del large
        torch.cuda.synchronize()
        assert torch.cuda.memory_allocated() == 4096
        assert torch.cuda.max_memory_allocated() == 4096 + (30 << 20)
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
        assert torch.cuda.memory_reserved() == torch.cuda.max_memory_reserved() == 2 << 20
        free, total = torch.cuda.mem_get_info()
        assert (total - free, total) == (2 << 20, 140 << 30)
        assert torch.cuda.memory_stats()["allocated_bytes.all.peak"] == 4096
        with torch.cuda.stream(torch.cuda.Stream()):
            moved = torch.ones(4).pin_memory().to("cuda", non_blocking=True)
        assert moved.device == torch.device("cuda", 0) and moved.is_cuda
        assert moved.tolist() == [1, 1, 1, 1] and int(moved.sum()) == 4
        """,
    )
    assert arm.failure is None, arm.failure
    assert arm.simulation is not None
    assert arm.simulation.invented == ()


# --- what scripts ask for -------------------------------------------------------------------------------

MIXED = """
import copy, torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, TensorDataset
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(50, 32)
        self.block = nn.TransformerEncoderLayer(32, 4, 64, batch_first=True)
        self.head = nn.Linear(32, 50, bias=False)
        self.head.weight = self.words.weight
    def forward(self, x):
        return self.head(checkpoint(self.block, self.words(x), use_reentrant=False))
net = Net()
opt = torch.optim.AdamW(net.parameters())
net.to(device)
assert net.head.weight is net.words.weight and net.head.weight.is_cuda
assert opt.param_groups[0]["params"][0] is net.words.weight
ema = copy.deepcopy(net)
scaler = torch.amp.GradScaler("cuda")
data = TensorDataset(torch.randint(0, 50, (64, 12)), torch.randint(0, 50, (64, 12)))
best = float("inf")
for epoch in range(2):
    for x, y in DataLoader(data, 8, shuffle=True, num_workers=2, pin_memory=True, persistent_workers=True):
        x, y = x.to(device, non_blocking=True), y.cuda(non_blocking=True)
        with torch.autocast("cuda", dtype=torch.float16):
            out = net(x)
            assert out.dtype == torch.float16
            loss = F.cross_entropy(out.flatten(0, 1), y.flatten())
        if not torch.isfinite(loss):
            raise SystemExit("diverged")
        opt.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        scaler.step(opt)
        scaler.update()
        print(f"{loss:.3f} {(out.argmax(-1) == y).float().mean().item():.2f} {int(y.max())}")
    chosen = out[out > 0.5]
    torch.save({"net": net.state_dict(), "epoch": epoch}, "last.pt")
again = torch.load("last.pt", map_location=device)
net.load_state_dict(again["net"])
assert again["net"]["words.weight"].is_cuda and again["epoch"] == 1
"""


def test_mixed_precision_ties_loaders_and_checkpoints_run_unchanged(tmp_path: Path) -> None:
    arm = simulated(tmp_path, MIXED, steps=20)
    assert (arm.failure, arm.stopped) == (None, "the script ended")
    assert arm.simulation is not None
    made_up = {(row.line, row.what): row.times for row in arm.simulation.invented}
    lines = MIXED.lstrip()
    printed, chosen = line_of(lines, "print("), line_of(lines, "chosen =")
    steps = len(arm.steps)
    # One number is the loss, the other the accuracy; the largest label is known, for labels are real.
    assert made_up[printed, ".item() of a float32 taken as 1.0"] == 2 * steps
    assert not any(line == printed and "int64" in what for line, what in made_up)
    assert made_up[chosen, "number of elements selected by a mask taken as all"] == 2
    assert made_up[line_of(lines, "isfinite(loss)"), "isfinite() taken as true"] == steps
    assert made_up[line_of(lines, "scaler.step"), "gradients taken as finite by GradScaler"] == steps
    assert any("attention" in term for term in arm.simulation.unknown)
    assert any("without workers" in note for note in arm.notes)
    weights = sum(count * 4 for count in (50 * 32, 4 * 32 * 32 + 4 * 32, 2 * 64 * 32 + 64 + 32, 4 * 32))
    assert arm.kinds["parameter"] == arm.kinds["other"] == weights
    assert arm.kinds["optimizer state"] == 2 * weights


def test_other_ways_to_write_a_script_run_too(tmp_path: Path) -> None:
    arm = simulated(
        tmp_path,
        """
        import torch, torch.nn as nn
        with torch.device("cuda"):
            lstm = nn.LSTM(8, 4, batch_first=True)
        wrapped = nn.DataParallel(nn.Linear(8, 3).cuda())
        rows = torch.randn(3, 5, 8, device="cuda")
        lengths = torch.tensor([5, 2, 1])
        packed = nn.utils.rnn.pack_padded_sequence(rows, lengths, batch_first=True)
        assert packed.data.shape == (8, 8)
        out, _ = nn.utils.rnn.pad_packed_sequence(lstm(packed)[0], batch_first=True)
        assert out.shape == (3, 5, 4)
        action = torch.distributions.Categorical(logits=wrapped(rows[:, 0])).sample()
        assert action.shape == (3,) and action.is_cuda
        opt = torch.optim.LBFGS(wrapped.parameters(), max_iter=2)
        def closure():
            opt.zero_grad()
            loss = wrapped(rows[:, 0]).pow(2).sum()
            loss.backward()
            return loss
        opt.step(closure)
        with torch.no_grad():
            assert int(lengths.cuda().max()) == 5
        before = torch.cuda.memory_allocated()
        with torch.inference_mode(), torch.autocast("cuda"):
            moved = torch.randn(4, 8).to("cuda", non_blocking=True)
            scores = wrapped(moved).softmax(-1)
            assert scores.dtype == torch.float32 and (scores.argmax(1) == 1).sum().item() in (0, 1)
        assert torch.cuda.memory_allocated() - before == 512 + 512
        half = nn.Linear(8, 8).cuda().half()
        assert half.weight.dtype == torch.float16
        torch.save(half, "half.pt")
        assert torch.load("half.pt", weights_only=False)(rows.half()).is_cuda
        try:
            rows.numpy()
        except TypeError as error:
            assert "Use Tensor.cpu()" in str(error)
        else:
            raise AssertionError
        """,
    )
    assert arm.failure is None, arm.failure


def test_the_committed_table_is_what_is_predicted_now() -> None:
    root = Path(__file__).parents[2]
    rows = (root / "docs" / "simulated-peaks.md").read_text(encoding="utf-8").splitlines()
    made = benchmark.measure("cnn", real=False)
    written = next(row for row in rows if row.startswith("| cnn |"))
    assert benchmark.table([made], "").splitlines()[-1] == written
    assert {row.split("|")[1].strip() for row in rows if row.startswith("| ")} == {"script", *benchmark.CASES}


def test_device_memory_that_does_not_suffice_is_a_result_with_its_line(tmp_path: Path) -> None:
    script(
        tmp_path,
        "import torch\nkept = []\nwhile True:\n    kept.append(torch.empty(64 << 20, device='cuda'))\n",
    )
    made = run(
        tmp_path, "--device", "simulate", "--device-memory", "1", "--no-fix", "-o", "s.json", "train.py"
    )
    assert made.returncode == 0, made.stderr
    assert "out of memory at train.py:4: OutOfMemoryError: CUDA out of memory (simulated)" in made.stdout
    arm = from_json((tmp_path / "s.json").read_text(encoding="utf-8"), "s.json").original
    assert arm.peak.bytes == arm.cuda["reserved_peak"] == 1 << 30


# --- verdicts -------------------------------------------------------------------------------------------

LEAKS = """
import torch, torch.nn as nn, torch.nn.functional as F
device = torch.device("cuda")
net = nn.Linear(256, 512).to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
total = 0
for step in range(14):
    x = torch.randn(32, 256, device=device)
    out = net(x)
    loss = out.pow(2).mean()
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
    total += loss
"""


def test_a_graph_kept_by_every_step_is_confirmed_with_its_bytes(tmp_path: Path) -> None:
    path = script(tmp_path / "home", LEAKS)
    made = replay(
        path, tmp_path / "w", [finding(path, "MEM101", "GROWTH", "total += loss", "total += loss.item()")],
        device="simulate", steps=14,
    )  # fmt: skip
    verdict = made.session.findings[0].verdict
    assert (verdict.status, verdict.device) == ("confirmed", SIMULATED)
    # Kept with the sum: the input and the output that pow() saved.
    assert verdict.bytes_per_step == 32 * 256 * 4 + 32 * 512 * 4


ACCUMULATED = """
import torch, torch.nn as nn
device = torch.device("cuda")
net = nn.Linear(64, 512).to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
outputs = []
for step in range(14):
    out = net(torch.randn(32, 64, device=device))
    loss = out.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    outputs.append(out.detach())
def validate():
    kept = []
    for _ in range(8):
        kept.append(net(torch.randn(256, 64, device=device)).relu())
    return kept
net.eval()
validate()
"""


def test_outputs_kept_on_the_device_and_an_evaluation_with_graph_are_confirmed(tmp_path: Path) -> None:
    path = script(tmp_path / "home", ACCUMULATED.replace("range(14)", "range(11)"))
    old = "def validate():"
    found = [
        finding(
            path, "MEM105", "GROWTH", "outputs.append(out.detach())", "outputs.append(out.detach().cpu())"
        ),
        finding(path, "MEM201", "PEAK", old, "@torch.no_grad()\n" + old),
    ]
    made = replay(path, tmp_path / "w", found, device="simulate")
    kept, graph = (judged.verdict for judged in made.session.findings)
    assert (kept.status, kept.bytes_per_step) == ("confirmed", 32 * 512 * 4)
    assert kept.device == graph.device == SIMULATED


def test_what_needs_values_or_a_clock_is_not_judged(tmp_path: Path) -> None:
    path = script(tmp_path / "home", MLP)
    claims = ("CORRECT", "TIME", "HOST", "GROWTH-HOST")
    found = [finding(path, f"MEM99{n}", claim, "loss.backward()") for n, claim in enumerate(claims)]
    made = replay(path, tmp_path / "w", found, device="simulate")
    for judged in made.session.findings:
        assert judged.verdict.status == "not_measurable"
        assert judged.verdict.reason.startswith("the script was simulated: ")
    assert [arm.probe for arm in made.session.arms] == ["simulate", "simulate"]


# --- limits ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "torch._nested_view_from_buffer(x.flatten(), x.long(), x.long(), x[0].long())",
            "cannot be simulated",
        ),
        ("torch.cuda.CUDAGraph()", "cannot be simulated"),
        ("x.type('torch.cuda.HalfTensor')", "cannot be simulated"),
    ],
)
def test_what_cannot_be_simulated_is_one_line_with_the_place(tmp_path: Path, line: str, said: str) -> None:
    script(
        tmp_path, f"import torch\nx = torch.ones(2, 2, device='cuda')\ntry:\n    {line}\nfinally:\n    pass\n"
    )
    made = run(tmp_path, "--device", "simulate", "train.py")
    assert (made.returncode, made.stdout) == (2, "")
    assert made.stderr.startswith("memlint: error: train.py:4: ")
    assert said in made.stderr
    assert made.stderr.count("\n") == 1


def test_a_failure_of_the_script_stays_one(tmp_path: Path) -> None:
    script(tmp_path, "import torch\nx = torch.ones(2, 3, device='cuda')\nx @ x\n")
    made = run(tmp_path, "--device", "simulate", "--no-fix", "train.py")
    assert made.returncode == 3
    assert "RuntimeError" in made.stderr
    assert "the script failed: RuntimeError at train.py:3" in made.stderr


def test_everything_is_labelled_simulated(tmp_path: Path) -> None:
    script(tmp_path, MLP + "print(loss.item())\n")
    options = ("--device", "simulate", "--no-fix", "-o", "s.json", "--html", "s.html")
    made = run(tmp_path, *options, "train.py")
    assert made.returncode == 0, made.stderr
    for said in (
        "simulated: all bytes are predicted, nothing ran on a GPU and no value was computed",
        "\nsimulated peak ",
        "torch's allocator (simulated), at its own peaks: 65.23 MiB allocated, 66 MiB reserved",
        "64 MiB of it cuBLAS workspaces, as modelled",
        "  unknown    the CUDA context",
        "1 invented value, where the script asked",
        "1 ×  train.py:11  .item() of a float32 taken as 1.0",
    ):
        assert said in made.stdout, said
    page = (tmp_path / "s.html").read_text(encoding="utf-8")
    assert "<dt>simulated peak</dt>" in page
    assert "<h3>1 invented value</h3>" in page
    session = json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))
    arm = session["arms"][0]
    assert (arm["device"], arm["probe"]) == (SIMULATED, "simulate")
    assert session["environment"]["device"] == SIMULATED
    assert arm["simulation"]["invented"] == [
        {"file": "train.py", "line": 11, "what": ".item() of a float32 taken as 1.0", "times": 1}
    ]


def test_a_script_without_cuda_is_measured_on_the_cpu(tmp_path: Path) -> None:
    arm = simulated(tmp_path, MLP.replace('"cuda" if torch.cuda.is_available() else "cpu"', '"cpu"'))
    assert arm.device == "cpu"
    assert arm.cuda == {}
    assert len(arm.losses) == 5
    assert "--device simulate: the script put no tensor on a CUDA device" in arm.notes


# --- starting -------------------------------------------------------------------------------------------


def test_another_torch_or_platform_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from memlint.runtime.simulate import guard

    assert guard.why_not() == ""
    monkeypatch.setattr(guard, "VERSION", (2, 12))
    assert guard.why_not().startswith("it works with torch 2.12 only, this is 2.13")
    monkeypatch.setattr(guard.sys, "platform", "darwin")
    assert "it works on Linux on x86-64 only" in guard.why_not()


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (
            "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
            "a trial with this torch died of SIGSEGV",
        ),
        ("raise ImportError('no such part')", "ImportError: no such part"),
        ("import sys; sys.exit(9)", "a trial with this torch ended with status 9"),
        ("print('it is too old')", "it is too old"),
    ],
)
def test_a_trial_that_fails_is_a_reason(monkeypatch: pytest.MonkeyPatch, code: str, reason: str) -> None:
    real = subprocess.run
    other = [sys.executable, "-c", code]
    monkeypatch.setattr(simulate.subprocess, "run", lambda command, **more: real(other, **more))
    assert simulate.why_not() == reason


def test_a_probe_that_cannot_start_is_one_line_and_2(tmp_path: Path) -> None:
    script(tmp_path, "import torch\n")
    script(tmp_path / "other" / "torch", "__version__ = '2.1.0'\nversion = cuda = object()\n", "__init__.py")
    variables = {**os.environ, "PYTHONPATH": f"{tmp_path / 'other'}{os.pathsep}{Path(__file__).parents[2]}"}
    command = [sys.executable, "-m", "memlint", "replay", "--isolated", "--device", "simulate", "train.py"]
    made = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, timeout=300)
    assert (made.returncode, made.stdout) == (2, "")
    assert made.stderr.startswith("memlint: error: --device simulate cannot start here: ")
    assert made.stderr.count("\n") == 1
