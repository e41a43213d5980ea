"""Rules about opportunities are measured by `memlint fit`: what it says is what the change saves by hand."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import memlint.report
from memlint.session import Fit
from memlint.session_file import from_json
from tests.runtime.simulated import needs_simulation
from tests.runtime.support import memlint as run_memlint
from tests.runtime.support import script

SCHEMA = Path(memlint.report.__path__[0], "session.schema.json")

pytestmark = [needs_simulation, pytest.mark.usefixtures("torch_once")]

ADAM = """
import torch
from torch import nn

net = nn.Sequential(nn.Linear(2048, 4096), nn.ReLU(), nn.Linear(4096, 2048)).cuda()
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
for _ in range(3):
    optimizer.zero_grad()
    net(torch.zeros(8, 2048, device="cuda")).sum().backward()
    optimizer.step()
"""
PARAMETERS = 4 * (2 * 2048 * 4096 + 4096 + 2048)


def fit(folder: Path, text: str, *arguments: str) -> Fit:
    script(folder, text)
    made = run_memlint(folder, "fit", "-q", "--card", "24GiB", *arguments, "-o", "session.json", "train.py")
    assert made.returncode == 0, made.stderr
    text = (folder / "session.json").read_text(encoding="utf-8")
    jsonschema.validate(json.loads(text), json.loads(SCHEMA.read_text(encoding="utf-8")))
    found = from_json(text, "session.json").fit
    assert found is not None
    return found


def test_a_fused_optimizer_saves_its_temporaries(tmp_path: Path) -> None:
    found = fit(tmp_path, ADAM, "--suggest")
    (remedy,) = (row for row in found.remedies or () if row.applicability)
    assert remedy.code == "MEM804"
    assert remedy.saved == pytest.approx(PARAMETERS, rel=0.05)
    assert remedy.tensors == pytest.approx(PARAMETERS, rel=0.05)
    by_hand = fit(tmp_path, ADAM.replace("lr=1e-3", "lr=1e-3, fused=True"), "--no-suggest")
    assert found.first.needs - by_hand.first.needs == pytest.approx(remedy.saved, rel=0.02)
