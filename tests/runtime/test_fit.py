"""`memlint fit`: the answer, its exit code, what it is made of, and the session that it leaves."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from memlint.report.fit.words import best
from memlint.runtime.cards import card_of
from memlint.session import Session
from memlint.session_file import from_json
from tests.runtime.simulated import MIB, needs_simulation
from tests.runtime.support import line_of, memlint, script

pytestmark = [needs_simulation, pytest.mark.usefixtures("torch_once")]

TRAIN = """
import argparse
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=16)
args = parser.parse_args()
net = torch.nn.Linear(1024, 1024, bias=False).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, foreach=False)
for step in range(5):
    batch = torch.zeros(args.batch_size, 1024 * 1024, device="cuda")
    loss = net(batch.view(-1, 1024)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    del batch, loss
"""
"""Each item of a batch takes 4 MiB, and so does its output."""

WEIGHT = 4 * MIB


def fit(folder: Path, *arguments: str, text: str = TRAIN) -> tuple[SimpleNamespace, Session]:
    script(folder, text)
    made = memlint(folder, "fit", "-q", *arguments, "-o", "session.json", "train.py")
    assert made.returncode in (0, 1, 2), made.stderr
    return made, from_json((folder / "session.json").read_text(encoding="utf-8"), "session.json")


def test_the_bytes_are_those_that_shapes_add_up_to(tmp_path: Path) -> None:
    made, session = fit(tmp_path, "--card", "24GiB")
    assert made.returncode == 0
    found = session.fit
    assert found is not None
    card = card_of("24GiB")
    # Forward of a later step: weight, momentum, gradient (not yet cleared), the batch and its output.
    tensors = 3 * WEIGHT + 2 * 16 * 4 * MIB + 4
    known = {term.name: term.least for term in found.terms if term.basis != "unknown"}
    arm = session.original
    assert arm.peak.bytes == known["tensors"]
    assert known["tensors"] == tensors
    assert known["cuBLAS"] == 2 * (32 << 20)
    assert sum(known.values()) == arm.cuda["reserved_peak"] + card.context_least
    first = found.first
    assert (first.least, first.most) == (
        arm.cuda["reserved_peak"] + card.context_least, arm.cuda["reserved_peak"] + card.context_most
    )  # fmt: skip
    assert made.stdout.startswith(f"needs {first.needs / (1 << 30):.2f} of 24.0 GiB: fits, ")
    assert first.verdict == "fits"


def test_a_card_that_is_too_small_ends_it_at_a_line(tmp_path: Path) -> None:
    made, session = fit(tmp_path, "--no-suggest", "--card", "T4", text=TRAIN.replace("16", "2048"))
    assert made.returncode == 1
    line = line_of(TRAIN.lstrip(), "loss = net(")
    assert made.stdout.splitlines()[0] == f"breaks at train.py:{line} in forward, step 1, asking for 8 GiB"
    assert "\n  it would need " in made.stdout
    assert session.fit is not None
    assert session.fit.first.asked == 8 << 30


def test_a_card_in_between_may_not_suffice(tmp_path: Path) -> None:
    _, session = fit(tmp_path, "--card", "24GiB")
    reserved = session.original.cuda["reserved_peak"]
    size = reserved + card_of("24GiB").context
    made, session = fit(tmp_path, "--no-suggest", "--card", f"{size}B")
    assert made.returncode == 1
    assert session.fit is not None
    assert session.fit.first.verdict == "may not fit"
    assert made.stdout.startswith("may not fit: needs ")


def test_several_cards_share_a_run_unless_it_would_differ_on_them(tmp_path: Path) -> None:
    made, session = fit(tmp_path, "--cards", "all")
    assert made.returncode == 0
    assert session.fit is not None
    assert len(session.arms) == 1
    assert len(session.fit.cards) >= 17
    needs = {row.card: row.needs for row in session.fit.cards}
    # The workspaces of Hopper are larger, 2 x (32 MiB - 8.125 MiB), and so are contexts of larger cards.
    alone = {name: fit(tmp_path, "--card", name)[1].fit for name in ("H200", "A100-80GB")}
    assert all(found is not None and found.first.needs == needs[name] for name, found in alone.items())
    assert needs["H200"] - needs["A100-80GB"] > card_of("H200").context - card_of("A100-80GB").context
    asking = TRAIN.replace("5)", "5 if torch.cuda.get_device_capability() >= (8, 0) else 4)")
    _, session = fit(tmp_path, "--cards", "T4,A100-40GB,A100-80GB", text=asking)
    assert [arm.name for arm in session.arms] == ["original", "on-A100-40GB"]


def test_the_largest_batch_is_found_without_a_change_to_the_file(tmp_path: Path) -> None:
    made, session = fit(tmp_path, "--card", "2GiB", "--max-batch", "--batch-size")
    assert made.returncode == 0, made.stdout
    search = session.fit.search if session.fit else None
    assert search is not None
    assert search.limit == search.best + 1 or search.limit - search.best <= 2
    assert len(search.trials) <= 6
    assert f"the largest --batch-size that fits is {search.best}" in made.stdout
    assert best(replace(search, best=186, limit=188)) == (
        "--batch-size 186 fits, 188 does not; between them none was tried"
    )
    assert (tmp_path / "train.py").read_text(encoding="utf-8") == TRAIN.lstrip()
    # One more or less is 8 MiB: the batch and its output.
    needs = {row.value: row.needs for row in search.trials}
    assert needs[search.limit] > needs[search.best]


def test_a_budget_is_a_gate(tmp_path: Path) -> None:
    made, session = fit(tmp_path, "--card", "A100-40GB", "--budget", "2GiB", "--output-format", "markdown")
    assert made.returncode == 0
    assert "within the budget of 2.0 GiB" in made.stdout.splitlines()[0]
    made, session = fit(
        tmp_path, "--no-suggest", "--card", "A100-40GB", "--budget", "500MiB", "--output-format", "json"
    )
    assert made.returncode == 1
    assert json.loads(made.stdout)["fit"]["budget"] == 500 * MIB
    assert session.fit is not None
    assert not session.fit.within
    made, _ = fit(tmp_path, "--no-suggest", "--budget", "300MiB")
    assert made.returncode == 1
    assert " GiB: over the budget of 0.29 GiB by " in made.stdout.splitlines()[0]


def test_options_behind_the_script_are_told_apart(tmp_path: Path) -> None:
    script(tmp_path, TRAIN)
    made = memlint(tmp_path, "fit", "-q", "train.py", "--batch-size", "4", "--card", "T4", "--steps", "1")
    assert made.returncode == 0, made.stderr
    assert "on Tesla T4 (compute capability 7.5" in made.stdout
    assert "\n  1 step; the script ran to its end" in made.stdout
    made = memlint(tmp_path, "fit", "-q", "train.py", "--card", "T4", "--", "--batch-size", "4")
    assert made.returncode == 0, made.stderr
    made = memlint(tmp_path, "fit", "-q", "train.py", "--cart", "T4", "--", "--batch-size", "4")
    assert (made.returncode, "--cart is no option of memlint fit" in made.stderr) == (2, True)


def test_what_cannot_be_answered_is_no_answer(tmp_path: Path) -> None:
    made, _ = fit(tmp_path, "--card", "T4", text="import torch\ntorch.zeros(3)\n")
    assert made.returncode == 2
    assert made.stdout.startswith("not known whether it fits: the script puts no tensor on a GPU")
    made, _ = fit(tmp_path, "--card", "T4", text="import torch\ntorch.zeros(3, device='cuda')\n1 / 0\n")
    assert made.returncode == 2
    said = "not known whether it fits: the script failed at train.py:3: ZeroDivisionError: division by zero\n"
    assert made.stdout.replace("\n  ", " ").startswith(said.rstrip())
    assert "put no tensor on a CUDA device" not in made.stdout


CATCHING = """
import torch
net = torch.nn.Linear(1024, 1024, bias=False).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
size = 256
for step in range(6):
    try:
        loss = net(torch.zeros(size * 1024, 1024, device="cuda")).sum()
        loss.backward()
    except torch.cuda.OutOfMemoryError:
        size //= 2
        continue
    optimizer.step()
"""


def test_a_script_that_goes_on_when_memory_runs_out_is_run_with_the_card(tmp_path: Path) -> None:
    made, session = fit(tmp_path, "--card", "2GiB", text=CATCHING)
    assert made.returncode == 0, made.stdout
    assert [arm.name for arm in session.arms] == ["original", "limited"]
    assert "memory runs out " in made.stdout


KEEPING = """
import torch
from torch.utils.data import DataLoader, TensorDataset
net = torch.nn.Linear(1024, 1024, bias=False).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.zeros(400, 1024)), batch_size=4)
for epoch in range(2):
    for (batch,) in loader:
        loss = net(batch.cuda()).sum()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    outputs = []
    with torch.no_grad():
        for (batch,) in loader:
            outputs.append(net(batch.cuda()).repeat(4096, 1))
"""


def test_a_loop_that_was_cut_short_is_followed_to_its_end(tmp_path: Path) -> None:
    """Each of 100 batches leaves 4 x 4096 x 1024 floats, 64 MiB."""
    made, session = fit(tmp_path, "--no-suggest", "--card", "T4", text=KEEPING)
    assert made.returncode == 0, made.stdout
    assert session.fit is not None
    loop = session.fit.loop
    assert loop is not None
    line = line_of(KEEPING.lstrip(), "outputs.append") - 1
    assert (loop.line, loop.of, loop.each) == (line, 100, 64 * MIB)
    assert loop.more == (100 - loop.ran) * 64 * MIB
    assert session.fit.first.needs > 100 * 64 * MIB
    made, _ = fit(tmp_path, "--no-suggest", "--card", "3GiB", "--max-batch", "batch_size", text=KEEPING)
    assert made.returncode == 1
    assert made.stdout.startswith(f"breaks at train.py:{loop.line} in evaluation")
    assert "batch_size was not searched" in " ".join(made.stdout.split())
