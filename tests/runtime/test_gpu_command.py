"""The command that does everything which takes a GPU: what it runs, keeps, leaves out and says."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import gpu
from benchmarks.evidence import __main__ as evidence
from benchmarks.evidence.table import Place
from benchmarks.simulated import __main__ as simulated
from benchmarks.simulated.table import Comparison, Figures, Row, markdown, read, write
from tests.runtime.support import needs_torch

CARD = "NVIDIA H200, driver 580.1"
PREDICTED = Figures(1_000_000, 2_097_152, "2.13.0", 3)
REAL = Figures(1_250_000, 2_097_152, "2.11.0+cu130", context=500_000_000)


class Parts:
    """Stands in for pytest and for the two tables: what they were asked, and what they answer."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, card: str = CARD) -> None:
        self.asked: list[list[str]] = []
        self.codes = {"simulated": 0, "operations": 0, "evidence": 0}
        self.said, self.status, self.takes = "14 passed, 14 deselected in 71.00s", 0, 0.0
        monkeypatch.setattr(gpu, "device_name", lambda: card)
        monkeypatch.setattr(gpu.subprocess, "run", self.pytest)
        monkeypatch.setattr(gpu, "simulated", lambda words: self.part("simulated", words))
        monkeypatch.setattr(gpu, "operations", lambda words: self.part("operations", words))
        monkeypatch.setattr(gpu, "evidence", lambda words: self.part("evidence", words))

    def pytest(self, command: list[str], timeout: float, **_: Any) -> subprocess.CompletedProcess[str]:
        self.asked.append(["pytest", *command[3:]])
        if self.takes > timeout:
            raise subprocess.TimeoutExpired(command, timeout)
        return subprocess.CompletedProcess(command, self.status, f"...\n{self.said}\n")

    def part(self, name: str, words: Sequence[str]) -> int:
        self.asked.append([name, *words])
        return self.codes[name]

    @property
    def names(self) -> list[str]:
        return [words[0] for words in self.asked]


def test_without_a_gpu_one_line_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    parts = Parts(monkeypatch, card="")
    assert gpu.main(["--folder", str(tmp_path / "docs")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "give the same command where there is one" in said
    assert not parts.asked
    assert not (tmp_path / "docs").exists()


def test_tests_and_both_tables_are_run_within_the_budget_and_not_twice(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    parts = Parts(monkeypatch)
    assert gpu.main(["--folder", str(tmp_path), "--budget", "100", "--jobs", "3"]) == 0
    assert parts.names == ["pytest", "simulated", "operations", "evidence"]
    assert parts.asked[0][1:5] == ["-q", "-m", "gpu", "tests/runtime"]
    pages = ("simulated-peaks.md", "simulated-operations.md", "evidence-cuda.md")
    for words, name in zip(parts.asked[1:], pages, strict=True):
        assert words[1:4] == ["--resume", "-o", str(tmp_path / name)]
        if words[0] != "operations":
            assert 0 <= float(words[words.index("--budget") + 1]) <= 100
    assert parts.asked[3][4:8] == ["--device", "cuda", "--jobs", "3"]
    page = (tmp_path / "gpu.md").read_text(encoding="utf-8")
    assert f"on {CARD}, torch " in page
    assert page.endswith("\n\npassed: 14 passed, 14 deselected in 71.00s\n")
    assert gpu.main(["--folder", str(tmp_path)]) == 0
    assert parts.names[4:] == ["simulated", "operations", "evidence"]


def test_the_exit_code_says_the_gravest(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    parts = Parts(monkeypatch)
    for codes, answer in (((0, 3), 3), ((3, 1), 1), ((2, 1), 2)):
        parts.codes = {"operations": 0, **dict(zip(("simulated", "evidence"), codes, strict=True))}
        assert gpu.main(["--folder", str(tmp_path)]) == answer
    parts.codes = dict.fromkeys(parts.codes, 0)
    (tmp_path / "gpu.md").unlink()
    parts.takes = 200.0
    assert gpu.main(["--folder", str(tmp_path), "--budget", "100"]) == 3
    assert "left out: the tests\n" in capsys.readouterr().err
    parts.takes, parts.said = 0.0, "14 skipped in 1.00s"
    assert gpu.main(["--folder", str(tmp_path)]) == 1
    parts.said, parts.status = "1 failed, 13 passed in 60.00s", 1
    assert gpu.main(["--folder", str(tmp_path)]) == 1
    assert (
        (tmp_path / "gpu.md").read_text(encoding="utf-8").endswith("failed: 1 failed, 13 passed in 60.00s\n")
    )


def row(name: str, **changes: Any) -> Row:
    return replace(Row(name, simulated.digest(name), PREDICTED), **changes)


def replays(monkeypatch: pytest.MonkeyPatch, unable: str = "") -> list[tuple[str, str]]:
    """Runs that answer at once; the one of amp.py fails on CUDA."""
    asked: list[tuple[str, str]] = []

    def predict(command: str) -> Figures:
        asked.append((command, "simulate"))
        return PREDICTED

    def take(command: str) -> Figures:
        asked.append((command, "cuda"))
        if command == "amp.py":
            raise RuntimeError("no | kernel")
        return REAL

    monkeypatch.setattr(simulated, "predict", predict)
    monkeypatch.setattr(simulated, "take", take)
    monkeypatch.setattr(simulated, "lacking", lambda name: [])
    monkeypatch.setattr(simulated, "cannot_simulate", lambda: unable)
    return asked


def test_predictions_stand_beside_what_is_real(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    replays(monkeypatch)
    page = tmp_path / "page.md"
    found, late, problems = simulated.compare(["cnn", "amp"], CARD, Comparison(), 60.0, page)
    assert (late, problems) == ([], [])
    assert read(page.with_suffix(".json")) == found
    text = page.read_text(encoding="utf-8")
    assert f"simulated with torch 2.13.0, real with torch 2.11.0+cu130; the real ones on {CARD}." in text
    assert (
        "| cnn | 1,000,000 | 1,250,000 | -20.00 % | 2,097,152 | 2,097,152 | +0.00 % | 500,000,000 | 3 |"
        in text
    )
    assert "- peak allocated: median error 20 %, worst 20 %; 0 of 1 within 1 %" in text
    assert "| amp | 1,000,000 | no \\| kernel | - |" in text
    assert simulated.is_done(found.rows["cnn"], CARD)
    assert not simulated.is_done(found.rows["amp"], CARD)


def test_a_torch_that_cannot_be_simulated_is_measured_beside_earlier_predictions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = replays(monkeypatch, unable="torch 2.11 cannot be simulated")
    earlier = Comparison("", {"cnn": row("cnn"), "gpt": row("gpt", digest="another script")})
    found, _, problems = simulated.compare(["cnn", "gpt"], CARD, earlier, 60.0, None)
    assert asked == [("cnn.py", "cuda"), ("gpt.py", "cuda")]
    assert (found.rows["cnn"].simulated, found.rows["cnn"].real) == (PREDICTED, REAL)
    assert (found.rows["gpt"].simulated, found.rows["gpt"].real) == (None, REAL)
    assert "| gpt | - | 1,250,000 | - |" in markdown(found)
    _, _, problems = simulated.compare(["cnn"], "", earlier, 60.0, None)
    assert problems == ["cnn: torch 2.11 cannot be simulated"]


def test_what_cannot_be_simulated_is_measured_and_says_why(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    replays(monkeypatch)

    def fails(command: str) -> Figures:
        raise RuntimeError("no groups here")

    monkeypatch.setattr(simulated, "predict", fails)
    found, _, problems = simulated.compare(["ddp"], CARD, Comparison(), 60.0, tmp_path / "page.md")
    assert problems == []
    assert (found.rows["ddp"].simulated, found.rows["ddp"].real) == (None, REAL)
    assert simulated.is_done(found.rows["ddp"], CARD)
    assert "- ddp was not simulated: no groups here" in markdown(found)
    _, _, problems = simulated.compare(["ddp"], "", Comparison(), 60.0, None)
    assert problems == ["ddp: no groups here"]


def test_a_comparison_goes_on_where_it_was_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asked = replays(monkeypatch)
    monkeypatch.setattr(simulated, "device_name", lambda: CARD)
    page = tmp_path / "page.md"
    done = {name: row(name, real=REAL) for name in simulated.CASES if name != "rnn"}
    write(Comparison(CARD, done), page)
    assert simulated.main(["-o", str(page), "--resume", "--budget", "0"]) == 3
    assert capsys.readouterr().err == "left out, go on with --resume: rnn\n"
    assert simulated.main(["-o", str(page), "--resume"]) == 0
    assert asked == [("rnn.py", "simulate"), ("rnn.py", "cuda")]
    assert list(read(page.with_suffix(".json")).rows) == list(simulated.CASES)
    monkeypatch.setattr(simulated, "device_name", lambda: "another GPU")
    assert simulated.main(["-o", str(page), "--resume"]) == 0
    assert len(asked) == 2 + 2 * len(simulated.CASES)


@needs_torch
def test_evidence_of_another_place_is_measured_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    here = Place(evidence.__version__, "cpu", "x", evidence.version("torch"), sys.version.split()[0])
    assert evidence.is_here(here)
    assert not evidence.is_here(replace(here, torch="1.13"))
    monkeypatch.setattr(evidence, "has_cuda", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda index: "NVIDIA H200")
    assert evidence.is_here(replace(here, device="cuda:0", device_name=CARD))
    assert not evidence.is_here(replace(here, device="cuda:0", device_name="NVIDIA A100, driver 1"))
