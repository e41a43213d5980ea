"""Replays on a simulated GPU: verdicts, labels, what cannot be simulated, and where it cannot start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import memlint.runtime.simulate as simulate
from memlint.session import SIMULATED
from tests.runtime.simulated import MLP, needs_simulation, run, simulated
from tests.runtime.support import finding, replay, script

pytestmark = [needs_simulation, pytest.mark.usefixtures("torch_once")]


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
    assert made.session.notes == ()
    runs = {folder.name for folder in (tmp_path / "w").iterdir()} - {"extensions"}
    assert runs == {arm.name for arm in made.session.arms}, "nothing needs to be counted without the tracker"


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
        kept.append(net(torch.randn(256, 64, device=device)).pow(2))
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
    assert graph.status == "confirmed"
    # The graphs keep the eight inputs, and the layer's outputs, of which one is alive in any case.
    assert graph.measured_bytes == 8 * 256 * 64 * 4 + 7 * 256 * 512 * 4
    assert kept.device == graph.device == SIMULATED


def test_what_needs_values_or_a_clock_is_not_judged(tmp_path: Path) -> None:
    path = script(tmp_path / "home", MLP)
    claims = ("CORRECT", "TIME", "HOST", "GROWTH-HOST")
    found = [finding(path, f"MEM99{n}", claim, "loss.backward()") for n, claim in enumerate(claims)]
    made = replay(path, tmp_path / "w", found, device="simulate")
    for judged in made.session.findings:
        assert judged.verdict.status == "not_measurable"
        assert judged.verdict.reason.startswith("the script was simulated: ")
    assert [arm.probe for arm in made.session.arms] == ["simulate"]


# --- limits ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "torch._nested_view_from_buffer(x.flatten(), x.long(), x.long(), x[0].long())",
            "cannot be simulated",
        ),
        ("raise RuntimeError('!buffer[pos].defined() INTERNAL ASSERT FAILED at ...')", "cannot be simulated"),
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
        "fits: simulated peak 65.23 MiB allocated, 66 MiB reserved of 140 GiB",
        "nothing ran on a GPU; 1 value had to be invented; limits: docs/simulation.md",
        "what filled the simulated peak of tensors, 1.227 MiB",
        "torch's allocator (simulated), at its own peaks: 65.23 MiB allocated, 66 MiB reserved",
        "64 MiB of it cuBLAS workspaces, as modelled",
        "invented values, where the script asked",
        "1 × train.py:11 .item() of a float32 taken as 1.0",
    ):
        assert said in " ".join(made.stdout.split()), said
    page = (tmp_path / "s.html").read_text(encoding="utf-8")
    assert "fits: simulated peak 65.23 MiB allocated" in page
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


def test_a_replay_of_a_script_without_cuda_is_one_on_the_cpu(tmp_path: Path) -> None:
    path = script(tmp_path, MLP.replace('"cuda" if torch.cuda.is_available() else "cpu"', '"cpu"'))
    session = replay(path, tmp_path / "w", [], device="simulate").session
    assert (session.original.device, session.options["device"]) == ("cpu", "cpu")
    assert session.original.simulation is None
    assert "--device simulate: the script puts no tensor on a GPU; measured on the CPU" in session.notes


# --- starting -------------------------------------------------------------------------------------------


def test_another_platform_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from memlint.runtime.simulate.patches import guard

    assert guard.why_not() == ""
    monkeypatch.setattr(guard.torch, "__version__", "9.9.0+cpu")
    assert guard.why_not() == ""
    monkeypatch.setattr(guard.torch.version, "hip", "7.0")
    assert guard.why_not() == "this torch is built for ROCm"
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
