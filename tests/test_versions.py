"""The version that a project pins is named where a finding, or the safety of its fix, depends on it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memlint.__main__ import main

AMP = "import torch\n\nscaler = torch.cuda.amp.GradScaler()\n"
CHECKPOINT = """\
import torch
from torch.utils.checkpoint import checkpoint


def forward(block, x):
    return checkpoint(block, x)
"""


def checked(
    folder: Path, capsys: pytest.CaptureFixture[str], code: str, *options: str, pins: str = ""
) -> tuple[dict[str, object], list[str]]:
    """What is found in one script, and its notes with the caution of its fix."""
    (folder / ".git").mkdir()
    (folder / "requirements.txt").write_text(f"numpy==2.1\n{pins}", encoding="utf-8")
    (folder / "train.py").write_text(code, encoding="utf-8")
    main(["check", "train.py", "--select", "MEM903,MEM905", "--output-format", "json", *options])
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    said = [note["text"] for note in finding["notes"] if note["kind"] == "note"]
    return finding, [*said, finding["fix"]["caution"]]


@pytest.mark.parametrize(
    ("pins", "options", "applicability", "said"),
    [
        (
            "torch==2.4.1  # of the cluster\n",
            (),
            "safe",
            ["the fix is safe for torch 2.3 or newer; the project has 2.4.1 (requirements.txt:2)", ""],
        ),
        (
            "torch==2.1.0\n",
            (),
            "unsafe",
            ["needs torch 2.3 or newer; the project has 2.1.0 (requirements.txt:2)"],
        ),
        (
            "torch==2.1.0\n",
            ("--torch-version", "2.6"),
            "safe",
            ["the fix is safe for torch 2.3 or newer; the project has 2.6 (--torch-version)", ""],
        ),
        ("torch>=2.4\n", (), "unsafe", ["needs torch 2.3 or newer; safe once `torch-version` says so"]),
    ],
)
def test_the_safety_of_a_fix(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    pins: str,
    options: tuple[str, ...],
    applicability: str,
    said: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    finding, words = checked(tmp_path, capsys, AMP, *options, pins=pins)
    assert words == said
    assert finding["fix"]["applicability"] == applicability  # type: ignore[index]
    (requirement,) = finding["requires"]  # type: ignore[misc]
    known = requirement["version"] is not None
    assert known == (pins != "torch>=2.4\n")
    assert (requirement["package"], requirement["needed"], requirement["for"]) == ("torch", ">=2.3", "fix")


def test_what_a_rule_holds_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    finding, words = checked(tmp_path, capsys, CHECKPOINT, pins="torch==2.5.0\n")
    assert words[0] == "holds for torch 2.1 or newer; the project has 2.5.0 (requirements.txt:2)"
    assert finding["requires"] == [
        {
            "package": "torch",
            "needed": ">=2.1",
            "version": "2.5.0",
            "origin": "requirements.txt:2",
            "for": "finding",
        }
    ]


def test_nothing_is_said_of_a_version_that_nobody_knows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    finding, words = checked(tmp_path, capsys, CHECKPOINT)
    assert not [text for text in words if "torch 2.1" in text]
    (requirement,) = finding["requires"]  # type: ignore[misc]
    assert requirement["version"] is None


SCALED = """\
import torch
from torch.cuda import amp
from torch.utils.data import DataLoader

model = torch.nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader(torch.randn(64, 4), prefetch_factor=2):
    optimizer.zero_grad()
    loss = model(x.cuda()).sum()
    with amp.scale_loss(loss, optimizer) as scaled_loss:
        scaled_loss.backward()
    optimizer.step()
"""


def test_a_scaler_that_is_written_and_a_default_that_has_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = {}
    for version in ("2.4", "2.1"):
        folder = tmp_path / version
        (folder / ".git").mkdir(parents=True)
        (folder / "train.py").write_text(SCALED, encoding="utf-8")
        (folder / "requirements.txt").write_text(f"torch=={version}\n", encoding="utf-8")
        monkeypatch.chdir(folder)
        main(["check", "train.py", "--select", "MEM901,MEM906", "--output-format", "json"])
        found = json.loads(capsys.readouterr().out)["findings"]
        notes = {row["code"]: [n["text"] for n in row["notes"] if n["kind"] == "note"] for row in found}
        said[version] = notes
    origin = "(requirements.txt:1)"
    assert said["2.4"]["MEM901"] == [
        f"the fix needs torch 2.3 or newer; the project has 2.4 {origin}",
    ]
    assert said["2.1"]["MEM901"] == []
    assert said["2.1"]["MEM906"] == [f"holds for torch 2.0 or newer; the project has 2.1 {origin}"]
