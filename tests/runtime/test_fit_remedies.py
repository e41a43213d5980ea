"""`memlint fit`: the fixes of a script that are tried where it does not fit, and what they are together."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from memlint.session import Fit
from memlint.session_file import from_json
from tests.runtime.simulated import MIB, needs_simulation
from tests.runtime.support import memlint, script

pytestmark = [needs_simulation, pytest.mark.usefixtures("torch_once")]

TRAIN = """
import torch
from torch import nn

net = nn.Sequential(nn.Linear(2048, 2048), nn.Tanh(), nn.Linear(2048, 2048), nn.Tanh()).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    loss = net(torch.zeros(1024, 2048, device="cuda")).sum()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()


def evaluate(net):
    net.eval()
    total = 0.0
    for step in range(3):
        total += net(torch.zeros(131072, 2048, device="cuda")).mean().item()
    return total


print(evaluate(net))
"""
"""The evaluation builds a graph: its batch, both Tanh's results and one Linear's, 1 GiB each, at the peak."""

CLIP = "    nn.utils.clip_grad_norm_(net.parameters(), 1.0, foreach=False)\n"
NOTHING = (
    TRAIN[: TRAIN.index("\n\ndef evaluate")]
    .replace("1024, 2048", "8, 2048")
    .replace("    optimizer.step()", f"{CLIP}    optimizer.step()")
)
"""Its peak are parameters and gradients, which are clipped: none of the changes saves any of them."""


def fit(folder: Path, *arguments: str, text: str = TRAIN) -> tuple[SimpleNamespace, Fit]:
    script(folder, text)
    made = memlint(folder, "fit", "-q", *arguments, "-o", "session.json", "train.py")
    assert made.returncode in (0, 1, 2), made.stderr
    found = from_json((folder / "session.json").read_text(encoding="utf-8"), "session.json").fit
    assert found is not None
    return made, found


def test_a_fix_that_makes_it_fit_is_shown_measured_and_written(tmp_path: Path) -> None:
    made, found = fit(tmp_path, "--card", "4.1GiB", "--apply")
    assert made.returncode == 1
    assert found.first.verdict == "does not fit"
    (remedy,) = found.remedies or ()
    assert (remedy.code, remedy.verdict) == ("MEM201", "fits")
    assert remedy.saved == found.first.needs - remedy.needs >= 1024 * MIB
    together = found.together
    assert together is not None
    assert together.verdict == "fits"
    assert "+    @torch.no_grad" in together.diff or "torch.no_grad()" in together.diff
    assert f"with MEM201 at train.py:{remedy.line} alone it needs" in " ".join(made.stdout.split())
    changed = (tmp_path / "train.py").read_text(encoding="utf-8")
    assert "no_grad" in changed
    again = memlint(tmp_path, "fit", "-q", "--card", "4.1GiB", "-o", "again.json", "train.py")
    assert again.returncode == 0
    after = from_json((tmp_path / "again.json").read_text(encoding="utf-8"), "again.json").fit
    assert after is not None
    assert after.first.needs == remedy.needs
    assert after.remedies is None


def test_nothing_is_suggested_that_saves_nothing(tmp_path: Path) -> None:
    made, found = fit(tmp_path, "--card", "24GiB", "--suggest", text=NOTHING)
    assert made.returncode == 0
    assert (found.remedies, found.together) == ((), None)
    assert "no change that memlint knows saves anything there" in made.stdout


def test_without_suggestions_there_is_one_simulation(tmp_path: Path) -> None:
    made, found = fit(tmp_path, "--card", "4.1GiB", "--no-suggest", "--apply")
    assert made.returncode == 1
    assert found.remedies is None
    assert "nothing was changed" in made.stderr
    assert (tmp_path / "train.py").read_text(encoding="utf-8") == TRAIN.lstrip("\n")
    document = (tmp_path / "session.json").read_text(encoding="utf-8")
    assert len(from_json(document, "session.json").arms) == 1


def test_markdown_has_the_changes(tmp_path: Path) -> None:
    made, _ = fit(tmp_path, "--card", "4.1GiB", "--output-format", "markdown")
    assert "| saves | change | price | how to write it |" in made.stdout
    assert "```diff\n--- train.py\n+++ train.py\n" in made.stdout


KEEPS = """
import torch
from torch.utils.data import DataLoader, TensorDataset

net = torch.nn.Linear(256, 256, bias=False).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.zeros(400, 256)), batch_size=4)


def evaluate(net, loader):
    outputs = []
    with torch.no_grad():
        for (batch,) in loader:
            outputs.append(net(batch.cuda()).repeat(2048, 1))
    return torch.cat(outputs).cpu().numpy()


for epoch in range(2):
    for (batch,) in loader:
        loss = net(batch.cuda()).sum()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    evaluate(net, loader)
"""
"""Of 100 batches the evaluation keeps 8 MiB each on the GPU, and as much again while they are joined."""


def test_the_rest_of_a_loop_counts_with_a_change_as_well(tmp_path: Path) -> None:
    made, found = fit(tmp_path, "--card", "1GiB", text=KEEPS)
    assert made.returncode == 1
    assert found.loop is not None
    remedy, *_ = found.remedies or ()
    assert (remedy.code, remedy.verdict) == ("MEM103", "fits")
    assert remedy.saved == found.first.needs - remedy.needs > 2 * 90 * 8 * MIB


def test_of_several_cards_none_is_to_be_made_to_fit(tmp_path: Path) -> None:
    made, found = fit(tmp_path, "--cards", "4.1GiB,24GiB")
    assert made.returncode == 0
    assert [row.verdict for row in found.cards] == ["does not fit", "fits"]
    assert found.remedies is None
