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


ATTENTION = """
import torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.qkv, self.out, self.drop = nn.Linear(width, 3 * width), nn.Linear(width, width), nn.Dropout(0.1)
        self.register_buffer("seen", torch.ones(1024, 1024).tril()[None, None])

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, 4, -1).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) / k.size(-1) ** 0.5
        scores = scores.masked_fill(self.seen[:, :, :t, :t] == 0, float("-inf"))
        weights = self.drop(scores.softmax(dim=-1))
        return self.out((weights @ v).transpose(1, 2).reshape(b, t, c))


net = Attention(256).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=1e-3)
for _ in range(3):
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = net(torch.zeros(8, 1024, 256, device="cuda")).sum()
    loss.backward()
    optimizer.step()
"""
FUSED = """\
        seen = self.seen[:, :, :t, :t] != 0
        rate = 0.1 if self.training else 0.0
        out = F.scaled_dot_product_attention(q, k, v, seen, rate, scale=1 / k.size(-1) ** 0.5)
        return self.out(out.transpose(1, 2).reshape(b, t, c))
"""


def test_a_fused_kernel_saves_the_maps_of_attention(tmp_path: Path) -> None:
    found = fit(tmp_path, ATTENTION, "--suggest")
    remedy = next(row for row in found.remedies or () if row.code == "MEM803")
    assert remedy.saved > 4 * 2 * 8 * 4 * 1024 * 1024  # the map in bfloat16, before and after softmax
    begin, end = ATTENTION.index("        scores ="), ATTENTION.index("\n\nnet =")
    by_hand = fit(tmp_path, ATTENTION[:begin] + FUSED + ATTENTION[end:], "--no-suggest")
    assert found.first.needs - by_hand.first.needs == pytest.approx(remedy.saved, rel=0.02)


def test_a_loss_times_a_number_is_looked_at(tmp_path: Path) -> None:
    text = ADAM.replace(".sum().backward()", ".mean().mul(0.5).backward()")
    assert any(row.code == "MEM804" for row in fit(tmp_path, text, "--suggest").remedies or ())
