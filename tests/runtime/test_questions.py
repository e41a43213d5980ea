"""Questions about lines: what a script does there, as the watchers of a child process see it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memlint import catalogue
from memlint.runtime.parent.verdicts.correctness import EXPERIMENTS, OF_LINES, question_of
from memlint.runtime.parent.verdicts.peaks import AT_PEAK, NEEDLESS
from memlint.runtime.parent.verdicts.verdict import NEEDS, judge
from memlint.session import Checks, Held, Needless
from tests.runtime.made import arm, evidence, finding
from tests.runtime.support import line_of, measure, needs_torch, script

SETUP = """
import torch, torch.nn as nn
net = nn.Linear(8, 4)
opt = torch.optim.SGD(net.parameters(), 0.1)
"""


def checks(folder: Path, body: str, **changes: object) -> tuple[Checks, str]:
    path = script(folder / "home", SETUP + body)
    asked = ("forwards-repeated", "kept-changes", "graph-cut-off", "torch-warns", "loss-broadcasts")
    found = measure(path, folder / "w", checks=asked, **changes)
    assert found.failure is None, found.failure
    return found.checks, path.read_text(encoding="utf-8")


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_inputs_are_compared_by_value(tmp_path: Path) -> None:
    body = """
same = torch.randn(4, 8)
for _ in range(5):
    loss = net(same.clone()).sum()
    loss = loss + net(torch.randn(4, 8)).sum()
    opt.zero_grad(); loss.backward(); opt.step()
net.eval()
for _ in range(5):
    net(same)
"""
    found, text = checks(tmp_path, body)
    repeated, fresh = line_of(text, "net(same.clone())"), line_of(text, "net(torch.randn")
    assert found.yes["forwards-repeated"][0] == f"train.py:{repeated}"
    assert f"train.py:{fresh}" in found.no["forwards-repeated"]
    assert f"train.py:{line_of(text, '    net(same)')}" not in found.yes["forwards-repeated"]


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_kept_weights_change_unless_they_were_copied(tmp_path: Path) -> None:
    body = """
import copy
def train():
    alias = shallow = None
    for _ in range(4):
        net(torch.randn(4, 8)).sum().backward()
        opt.step()
        opt.zero_grad()
        alias = alias or net.state_dict()
        shallow = shallow or dict(net.state_dict().items())
        copied = copy.deepcopy(net.state_dict())
        torch.save(net.state_dict(), "model.pt")
train()
frozen = net.state_dict()
opt.param_groups[0]["lr"] = 0.0
net(torch.randn(4, 8)).sum().backward()
opt.step()
"""
    found, text = checks(tmp_path, body)
    changed = {f"train.py:{line_of(text, code)}" for code in ("alias or", "shallow or")}
    assert set(found.yes["kept-changes"]) == changed
    assert found.no["kept-changes"] == (f"train.py:{line_of(text, 'frozen =')}",)


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_a_checkpointed_part_may_be_cut_off(tmp_path: Path) -> None:
    body = """
from torch.utils.checkpoint import checkpoint
inner = nn.Linear(8, 8)
for _ in range(3):
    cut = checkpoint(inner, torch.randn(4, 8))
    whole = checkpoint(inner, torch.randn(4, 8), use_reentrant=False)
    net(cut + whole).sum().backward()
    opt.step()
with torch.no_grad():
    net(checkpoint(inner, torch.randn(4, 8), use_reentrant=True))
"""
    found, text = checks(tmp_path, body)
    cut, whole = (f"train.py:{line_of(text, code)}" for code in ("cut =", "whole ="))
    assert (found.yes["graph-cut-off"], found.no["graph-cut-off"]) == ((cut,), (whole,))
    assert found.yes["torch-warns"] == (cut,)
    assert whole in found.no["torch-warns"]


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_losses_that_compare_each_with_each_are_told_by_their_shapes(tmp_path: Path) -> None:
    body = """
import warnings
warnings.simplefilter("ignore")
guess, right = torch.randn(6, 1), torch.randn(6)
each = torch.nn.SmoothL1Loss()(guess, right)
own = torch.nn.functional.mse_loss(guess.squeeze(-1), right)
"""
    found, text = checks(tmp_path, body)
    each, own = (f"train.py:{line_of(text, code)}" for code in ("each =", "own ="))
    assert (found.yes["loss-broadcasts"], found.no["loss-broadcasts"]) == ((each,), (own,))


@needs_torch
@pytest.mark.usefixtures("torch_once")
@pytest.mark.parametrize(
    ("loss", "weight"),
    [
        ("l", 1.0),
        ("l / 4", 0.25),
        ("0.5 * (l / 4)", 0.125),
        ("l / torch.tensor(4.0)", 0.25),
        ("l + l / 4", 1.0),
    ],
)
def test_the_weight_of_a_loss_is_read_off_its_graph(loss: str, weight: float) -> None:
    import torch

    from memlint.runtime.child.results.questions import factor

    names = {"torch": torch, "l": torch.ones(3, requires_grad=True).sum()}
    assert factor(eval(loss, names).grad_fn) == weight


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_the_length_of_the_training_loader_is_known_though_it_is_cut(tmp_path: Path) -> None:
    body = """
from torch.utils.data import DataLoader
loader = DataLoader(torch.randn(170, 8), batch_size=2)
for x in loader:
    opt.zero_grad()
    (net(x).sum() / 2).backward()
    opt.step()
    next(iter(DataLoader(torch.randn(6, 8), batch_size=2)))
"""
    found, _ = checks(tmp_path, body, steps=8)
    assert (found.batches, found.loss_weight) == (85, 0.5)


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_a_line_that_only_loader_workers_reach_is_reached(tmp_path: Path) -> None:
    body = """
from torch.utils.data import DataLoader, Dataset
class Squares(Dataset):
    def __len__(self):
        return 8
    def __getitem__(self, i):
        value = torch.ones(8)
        return value
for x in DataLoader(Squares(), num_workers=1):
    net(x)
"""
    path = script(tmp_path / "home", SETUP + body)
    line = line_of(path.read_text(encoding="utf-8"), "value =")
    watch = (f"{path}:{line}", f"{path}:{line + 90}")
    arm = measure(path, tmp_path / "w", watch=watch)
    assert (arm.reached, arm.reached_elsewhere) == ((), (f"train.py:{line}",))


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_gradients_are_followed_from_the_scaler_to_where_they_are_used(tmp_path: Path) -> None:
    body = """
scaler = torch.amp.GradScaler("cpu")
off = torch.amp.GradScaler("cpu", enabled=False)
parameters = list(net.parameters())
def loss():
    opt.zero_grad()
    return net(torch.randn(4, 8)).pow(2).mean()
for _ in range(3):
    scaler.scale(loss()).backward()
    nn.utils.clip_grad_norm_(parameters, 1.0)
    scaler.step(opt)  # the scaler's
    scaler.update()
    scaler.scale(loss() * float("nan")).backward()
    scaler.unscale_(opt)
    nn.utils.clip_grad_value_(parameters, 1.0)
    scaler.step(opt)
    scaler.update()
    loss().backward()  # plain
    scaler.step(opt)
    scaler.update()
    off.scale(loss()).backward()
    off.step(opt)  # off
scaler.scale(loss()).backward()
opt.step()  # alone
"""
    path = script(tmp_path / "home", SETUP + body)
    text = path.read_text(encoding="utf-8")
    found = measure(path, tmp_path / "w", checks=("gradients-scaled",)).checks

    def lines(*codes: str) -> set[str]:
        return {f"train.py:{line_of(text, code)}" for code in codes}

    assert set(found.yes["gradients-scaled"]) == lines("clip_grad_norm_", "# plain", "# alone")
    assert lines("# the scaler's", "clip_grad_value_") <= set(found.no["gradients-scaled"])
    assert not lines("# off") & {*found.yes["gradients-scaled"], *found.no["gradients-scaled"]}


def test_a_scaler_that_does_nothing_answers_nothing() -> None:
    claim = finding("CORRECT", "MEM303", "the gradients are those of the unscaled loss")
    assert judge(claim, evidence(arm())).status == "not_measurable"
    assert judge(claim, evidence(arm(device="cuda:0"))).status == "inconclusive"
    used = arm(checks=Checks(yes={"gradients-scaled": ("a.py:7",)}))
    assert judge(claim, evidence(used)).status == "confirmed"


def test_only_a_claim_about_results_asks_a_question() -> None:
    assert question_of(finding("CORRECT", "MEM124")) == "window-replaced"
    assert question_of(finding("CORRECT", "MEM999", check="window-tail")) == "window-tail"
    assert question_of(finding("CORRECT", "MEM999")) == ""
    assert question_of(finding("PEAK", "MEM201")) == ""


def test_every_check_of_the_catalogue_has_its_experiment() -> None:
    claims = [v.claim for rule in catalogue.load() for v in rule.variants.values() if v.claim is not None]
    answered = {*OF_LINES, *EXPERIMENTS, "backward-fails"}
    assert {claim.check for claim in claims if claim.type == "CORRECT" and claim.check} == answered
    assert {claim.check for claim in claims if claim.type == "PEAK" and claim.check} == {
        *AT_PEAK, *NEEDLESS, "graphs-waiting", "peak-at-double", "activations-of-line",
        "loaded-by-line",
    }  # fmt: skip
    assert {claim.check for claim in claims if claim.type == "GROWTH-HOST" and claim.check} == {"graph-nodes"}
    assert {claim.needs for claim in claims if claim.needs} == set(NEEDS)


@pytest.mark.parametrize(
    ("check", "seen", "status"),
    [
        ("window-undivided", Checks(backwards=4, backwards_used=4, loss_weight=1.0), "confirmed"),
        ("window-undivided", Checks(backwards=4, backwards_used=4, loss_weight=0.25), "refuted"),
        ("window-undivided", Checks(backwards=4, backwards_used=4, loss_weight=16384.0), "inconclusive"),
        ("window-undivided", Checks(), "inconclusive"),
        ("window-tail", Checks(backwards=4, batches=50), "confirmed"),
        ("window-tail", Checks(backwards=4, batches=48), "refuted"),
        ("window-tail", Checks(backwards=4), "inconclusive"),
        ("forwards-repeated", Checks(yes={"forwards-repeated": ("a.py:7",)}), "confirmed"),
        ("forwards-repeated", Checks(no={"forwards-repeated": ("a.py:7",)}), "refuted"),
        ("forwards-repeated", Checks(yes={"forwards-repeated": ("a.py:8",)}), "inconclusive"),
    ],
)
def test_a_question_is_answered_from_what_was_seen(check: str, seen: Checks, status: str) -> None:
    there = evidence(replace(arm(), checks=seen))
    assert judge(finding("CORRECT", "MEM124", check=check), there).status == status


NETS = """
import torch, torch.nn as nn
trunk = nn.Sequential(nn.Linear(16, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
head = nn.Sequential(nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 4))
of_head = torch.optim.SGD(head.parameters(), 0.1)
"""
SAVED = ("kept-by-backward", "saved-for-others", "saved-for-no-optimizer")
ACTIVATION = 64 * 256 * 4
"""Bytes of one hidden layer of a batch of 64."""


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_bytes_that_nobody_needs(tmp_path: Path) -> None:
    body = """
of_trunk = torch.optim.SGD(trunk.parameters(), 0.1)
x = torch.randn(64, 16)
for _ in range(4):
    loss = head(trunk(x)).sum()
    loss.backward(retain_graph=True)
    of_head.step(); of_head.zero_grad(); of_trunk.zero_grad()
for _ in range(4):
    of_trunk.zero_grad()
    head(trunk(x)).sum().backward()
    of_trunk.step()
"""
    path = script(tmp_path / "home", NETS + body)
    found = measure(path, tmp_path / "w", checks=SAVED)
    assert found.failure is None, found.failure
    kept, others, nobody = (
        next(row for row in found.checks.needless if row.question == question) for question in SAVED
    )
    # Of each layer, relu() has saved its result: two in the trunk, one in the head.
    line = line_of(path.read_text(encoding="utf-8"), "retain_graph")
    assert (kept.line, kept.bytes) == (f"train.py:{line}", 3 * ACTIVATION)
    # The last one of the trunk is an input of the head, and the peak lies in the second loop.
    assert others.bytes == ACTIVATION
    assert (nobody.bytes, nobody.less) == (0, 0)


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_what_names_alone_hold_during_a_backward(tmp_path: Path) -> None:
    """relu() saves its result in the kept graph, and what two names hold is gone with neither of them."""
    body = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk, self.last = trunk, nn.Linear(256, 512)
    def forward(self, x):
        hidden = self.trunk(x)
        self.map = hidden * 2
        return self.last(hidden), hidden

net = Net()
optimizer = torch.optim.SGD(net.parameters(), 0.1)
def train():
    for _ in range(4):
        out, hidden = net(torch.randn(64, 16))
        other = twin = hidden * 3
        loss = nn.functional.cross_entropy(out, torch.zeros(64, dtype=torch.long))
        loss.backward(retain_graph=True)
        optimizer.step(); optimizer.zero_grad()
train()
"""
    found = measure(script(tmp_path / "home", NETS + body), tmp_path / "w", checks=("bytes-in-backward",))
    assert found.failure is None, found.failure
    held = {row.names: row.bytes for row in found.checks.needless if row.bytes >= ACTIVATION}
    assert held == {("out",): 2 * ACTIVATION, ("self.map",): ACTIVATION, ("other", "twin"): ACTIVATION}


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_the_graph_of_an_untrained_network_costs_what_no_grad_saves(tmp_path: Path) -> None:
    """Its gradients, and what backward makes on the way to them; nothing of the student on the same line."""
    body = """
student = nn.Linear(16, 4)
optimizer = torch.optim.SGD(student.parameters(), 0.1)
for _ in range(6):
    x = torch.randn(64, 16)
    optimizer.zero_grad()
    nn.functional.mse_loss(student(x), head(trunk(x))).backward()
    optimizer.step()
"""
    found = measure(script(tmp_path / "a", NETS + body), tmp_path / "v", checks=("activations-of-line",))
    [row] = [row for row in found.checks.needless if row.less]
    fixed = body.replace("head(trunk(x))", "torch.no_grad()(lambda: head(trunk(x)))()")
    without = measure(script(tmp_path / "b", NETS + fixed), tmp_path / "w")
    # The input of a module lives as long as its call, which is not followed.
    assert row.less == pytest.approx(found.peak.bytes - without.peak.bytes, abs=ACTIVATION)


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_gradients_that_no_optimizer_trains(tmp_path: Path) -> None:
    body = """
for _ in range(6):
    of_head.zero_grad()
    head(trunk(torch.randn(64, 16))).sum().backward()
    of_head.step()
"""
    path = script(tmp_path / "home", NETS + body)
    found = measure(path, tmp_path / "w", checks=SAVED)
    by_question = {row.question: row for row in found.checks.needless}
    assert by_question["saved-for-no-optimizer"].bytes >= (16 * 256 + 256 + 256 * 256 + 256) * 4
    assert by_question["saved-for-others"].bytes == 0
    assert "kept-by-backward" not in by_question


@pytest.mark.parametrize(
    ("less", "phase", "status"),
    [
        (400, "forward", "confirmed"),
        (400, "backward", "confirmed"),
        (5, "forward", "refuted"),
        # What it would give back of its graph on its way is not known.
        (5, "backward", "inconclusive"),
    ],
)
def test_without_a_fix_bytes_that_nobody_needs_are_said(less: int, phase: str, status: str) -> None:
    row = Needless("kept-by-backward", "a.py:7", 500, less)
    original = replace(arm(peak=1000), checks=Checks(needless=(row,)))
    there = evidence(replace(original, peak=replace(original.peak, phase=phase)))
    said = judge(finding("PEAK", "MEM108", check="kept-by-backward"), there)
    assert (said.status, said.measured_bytes) == (status, None if status == "inconclusive" else less)
    assert (f"without these alone the peak would be {less} B lower" in said.reason) == (status == "confirmed")
    elsewhere = replace(row, line="a.py:9")
    there = evidence(replace(arm(peak=1000), checks=Checks(needless=(elsewhere,))))
    assert judge(finding("PEAK", "MEM108", check="kept-by-backward"), there).status == "inconclusive"


def test_what_the_training_left_in_an_evaluation_is_told_without_a_fix() -> None:
    there = arm(peak=1000, phases={"forward": 300, "evaluation": 700})
    there = replace(there, peak=replace(there.peak, phase="evaluation"))
    said = judge(finding("PEAK", "MEM114", check="bytes-in-evaluation"), evidence(there))
    assert (said.status, said.measured_bytes) == ("confirmed", 300)
    assert "300 B were made by the training" in said.reason


def test_a_checkpoint_that_stays_alive_is_told_by_what_its_line_has_loaded() -> None:
    row = Held("a.py", 7, "", 0, "other", "setup", 300, 2)
    taken = replace(row, kind="parameter", bytes=500)
    claim = finding("PEAK", "MEM702", check="loaded-by-line")
    said = judge(claim, evidence(arm(peak=1000, lines=(row, taken))))
    assert (said.status, said.measured_bytes) == ("confirmed", 300)
    assert judge(claim, evidence(arm(peak=1000, lines=(taken,)))).status == "refuted"
