"""Whole replays: findings made by hand, verdicts measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlint.session import Session, Verdict
from memlint.units import size
from tests.runtime.support import finding, needs_torch, replay, script

pytestmark = [needs_torch, pytest.mark.usefixtures("torch_once")]

TRAINING = """
import torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 10))
opt = torch.optim.Adam(net.parameters())

def evaluate():
    net.eval()
    total = 0.0
    for _ in range(8):
        logits = net(torch.randn(512, 64))
        total += logits.argmax(1).float().mean().item()
    return total

def never():
    return net(torch.randn(1, 64))

running = 0
kept = []
for step in range(12):
    net.train()
    loss = F.cross_entropy(net(torch.randn(32, 64)), torch.randint(0, 10, (32,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
    running += loss
    kept.append(loss.detach())
    if step == 5:
        print(evaluate())
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory, torch_once: None) -> Session:
    folder = tmp_path_factory.mktemp("replay")
    path = script(folder / "home", TRAINING)
    grad_off = "with torch.no_grad(): logits = net(torch.randn(512, 64))"
    findings = [
        finding(path, "MEM101", "GROWTH-HOST", "running += loss", "running += loss.detach()"),
        finding(path, "MEM102", "GROWTH", "kept.append(loss.detach())", "pass"),
        finding(path, "MEM201", "PEAK", "logits = net(torch.randn(512, 64))", grad_off),
        finding(path, "MEM202", "PEAK", "return net(torch.randn(1, 64))", "return 0"),
        finding(path, "MEM121", "CORRECT", "loss.backward()"),
        finding(path, "MEM112", "PEAK", "net.train()", "net.train(True)"),
    ]
    made = replay(path, folder / "w", findings, steps=12).session
    assert not list((folder / "home").glob("*.pt"))
    return made


def verdict(session: Session, code: str) -> Verdict:
    return next(judged.verdict for judged in session.findings if judged.finding["code"] == code)


def test_an_accumulated_loss_holds_host_memory_and_no_tensors(session: Session) -> None:
    found = verdict(session, "MEM101")
    assert found.status == "confirmed"
    assert found.bytes_per_step is not None
    assert 2_000 < found.bytes_per_step < 20_000


def test_a_list_of_losses_grows_by_a_scalar_per_step(session: Session) -> None:
    found = verdict(session, "MEM102")
    assert (found.status, found.bytes_per_step) == ("confirmed", 4)


def test_evaluation_without_no_grad_lifts_the_peak(session: Session) -> None:
    found = verdict(session, "MEM201")
    assert found.status == "confirmed"
    assert found.measured_bytes is not None
    assert found.measured_bytes >= 512 * 256 * 4
    assert session.original.peak.phase == "evaluation"


def test_what_did_not_run_is_not_reached(session: Session) -> None:
    assert verdict(session, "MEM202").status == "not_reached"
    assert not any("MEM202" in arm.title for arm in session.arms)


def test_gradients_that_are_zeroed_are_not_summed(session: Session) -> None:
    assert verdict(session, "MEM121").status == "refuted"


def test_a_fix_without_effect_is_refuted_with_the_place_of_the_peak(session: Session) -> None:
    found = verdict(session, "MEM112")
    assert (found.status, found.measured_bytes) == ("refuted", 0)
    assert "your peak is in the evaluation" in found.reason


def test_the_arms_compute_the_same(session: Session) -> None:
    assert session.errors == ()
    losses = {arm.losses for arm in session.arms if arm.probe == "tracker"}
    assert len(losses) == 1
    assert {arm.name for arm in session.arms} >= {"original", "again", "fix-1", "safe", "host"}


def test_the_same_script_gives_the_same_peak_twice(session: Session) -> None:
    first, again = session.arms[:2]
    assert first.peak == again.peak
    assert first.kinds == again.kinds
    assert first.outside == 0


def test_a_safe_fix_that_changes_a_loss_is_an_error_of_memlint(tmp_path: Path) -> None:
    path = script(tmp_path / "home", TRAINING)
    wrong = finding(path, "MEM101", "PEAK", "loss.backward()", "(loss * 2).backward()")
    made = replay(path, tmp_path / "w", [wrong], steps=12).session
    (error,) = made.errors
    assert "loss 1 is" in error
    assert "MEM101 at train.py:23" in error


def test_a_script_that_never_clears_its_gradients_sums_them(tmp_path: Path) -> None:
    path = script(tmp_path / "home", TRAINING.replace("    opt.zero_grad()\n", ""))
    made = replay(path, tmp_path / "w", [finding(path, "MEM121", "CORRECT", "loss.backward()")], fixes=False)
    assert verdict(made.session, "MEM121").status == "confirmed"
    assert [arm.name for arm in made.session.arms] == ["original"]


def test_twice_the_number_is_replayed_beside_the_original(tmp_path: Path) -> None:
    path = script(
        tmp_path / "home",
        """
        import torch, torch.nn as nn
        net = nn.Linear(256, 256)
        opt = torch.optim.SGD(net.parameters(), 0.1)
        for _ in range(6):
            net(torch.ones(512, 256)).pow(2).mean().backward()
            opt.step()
            opt.zero_grad()
        """,
    )
    chosen = finding(path, "MEM413", "PEAK", "512")
    made = replay(path, tmp_path / "w", [chosen]).session
    first, twice = made.original, next(arm for arm in made.arms if arm.name.startswith("double-"))
    assert twice.title == "MEM413 at train.py:5: 1024 instead of 512"
    found = verdict(made, "MEM413")
    assert found.status == "confirmed"
    assert f"{size((twice.peak.bytes - first.peak.bytes) // 512)} for each one more" in found.reason
    assert twice.peak.bytes - first.peak.bytes >= 512 * 256 * 4


def test_gradients_are_followed_for_each_optimizer(tmp_path: Path) -> None:
    path = script(
        tmp_path / "home",
        """
        import torch, torch.nn as nn
        disc, gen = nn.Linear(8, 1), nn.Linear(8, 8)
        first, second = (torch.optim.SGD(net.parameters(), 0.1) for net in (disc, gen))
        for _ in range(8):
            fake = gen(torch.ones(4, 8))
            first.zero_grad()
            disc(fake.detach()).mean().backward()
            first.step()
            (-disc(fake).mean()).backward()
            second.step()
        """,
    )
    lines = [finding(path, "MEM121", "CORRECT", code) for code in ("disc(fake.detach()", "(-disc(fake)")]
    made = replay(path, tmp_path / "w", lines, fixes=False).session
    assert [judged.verdict.status for judged in made.findings] == ["refuted", "confirmed"]


def test_a_failing_script_is_judged_as_far_as_it_went(tmp_path: Path) -> None:
    path = script(tmp_path / "home", "import torch\nx = torch.zeros(5)\ntorch.no_such_function(x)\n")
    claims = [
        finding(path, "MEM902", "STATIC", "torch.no_such_function", "torch.abs", raises=("AttributeError",)),
        finding(path, "MEM201", "PEAK", "x = torch.zeros(5)", "x = torch.ones(5)"),
    ]
    made = replay(path, tmp_path / "w", claims)
    assert verdict(made.session, "MEM902").status == "confirmed"
    assert verdict(made.session, "MEM201").status == "inconclusive"
    assert "no_such_function" in made.stderr


def test_a_script_that_fails_in_the_end_is_held_against_one_that_fails_with_the_fix(tmp_path: Path) -> None:
    path = script(
        tmp_path / "home",
        """
        import sys, torch
        net = torch.nn.Linear(100, 50)
        opt = torch.optim.SGD(net.parameters(), 0.1)
        kept = []
        for step in range(12):
            loss = net(torch.randn(20, 100)).square().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            kept.append(net(torch.randn(30, 100)))
        net.bias.sum()
        sys.exit(3) if sys.argv[1] == "exit" else net.no_such_part
        """,
    )
    claims = [
        finding(path, "MEM102", "GROWTH", "net(torch.randn(30, 100))", "0"),
        finding(path, "MEM201", "PEAK", "net.bias.sum()", "0"),
    ]
    for how, status in (("exit", "refuted"), ("raise", "inconclusive")):
        made = replay(path, tmp_path / how, claims, arguments=("train.py", how), steps=20).session
        found = verdict(made, "MEM102")
        # The input is saved for backward: 30 * 100 numbers, and 30 * 50 of the output.
        assert (found.status, found.bytes_per_step) == ("confirmed", 30 * 150 * 4)
        assert verdict(made, "MEM201").status == status
    assert verdict(made, "MEM201").reason.endswith("; but the script failed after 12 steps")


def test_a_second_backward_through_a_graph_is_what_the_fix_prevents(tmp_path: Path) -> None:
    path = script(
        tmp_path / "home",
        """
        import torch
        cell = torch.nn.RNNCell(4, 4)
        opt = torch.optim.SGD(cell.parameters(), lr=0.1)
        state = torch.zeros(2, 4)
        for step in range(12):
            state = cell(torch.randn(2, 4), state)
            opt.zero_grad()
            state.sum().backward()
            opt.step()
        """,
    )
    code, fixed = "cell(torch.randn(2, 4), state)", "cell(torch.randn(2, 4), state.detach())"
    claims = [finding(path, "MEM106", "GROWTH", code, fixed, check="backward-fails")]
    made = replay(path, tmp_path / "w", claims).session
    assert verdict(made, "MEM106").status == "confirmed"
    assert "with the fix the script goes on" in verdict(made, "MEM106").reason


def test_an_accumulation_window_that_loses_gradients(tmp_path: Path) -> None:
    path = script(
        tmp_path / "home",
        """
        import torch
        net = torch.nn.Linear(4, 2)
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        for i in range(12):
            opt.zero_grad()
            net(torch.randn(3, 4)).sum().backward()
            if i % 3 == 2:
                opt.step()
        """,
    )
    claims = [finding(path, "MEM124", "CORRECT", "opt.zero_grad()")]
    made = replay(path, tmp_path / "w", claims).session
    assert verdict(made, "MEM124").status == "confirmed"
    assert "1 of the 3 backward() calls" in verdict(made, "MEM124").reason


def test_a_fix_in_an_imported_module_is_replayed_in_its_place(tmp_path: Path) -> None:
    helper = script(
        tmp_path / "home",
        """
        import inspect
        kept = []
        def note(loss):
            kept.append(loss)
        source = inspect.getsource(note)
        """,
        "helper.py",
    )
    path = script(tmp_path / "home", TRAINING.replace("kept.append(loss.detach())", "helper.note(loss)"))
    path.write_text("import helper\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    before = helper.read_bytes()
    made = replay(path, tmp_path / "w", [finding(helper, "MEM102", "GROWTH", "kept.append(loss)", "pass")])
    found = verdict(made.session, "MEM102")
    assert (found.status, found.bytes_per_step) == ("confirmed", 4)
    assert helper.read_bytes() == before
    assert made.session.errors == ()


def test_tensors_that_an_epoch_gathers_are_measured_though_it_drops_them(tmp_path: Path) -> None:
    """One line keeps a graph, which its fix frees; another keeps values, which detaching leaves alive."""
    path = script(
        tmp_path / "home",
        """
        import torch
        net = torch.nn.Sequential(torch.nn.Linear(50, 200), torch.nn.Tanh(), torch.nn.Linear(200, 8))
        opt = torch.optim.SGD(net.parameters(), 0.1)
        for epoch in range(2):
            outputs, total = [], 0
            for _ in range(12):
                out = net(torch.randn(400, 50))
                opt.zero_grad()
                out.square().mean().backward()
                opt.step()
                outputs.append(out)
                total += net(torch.randn(40, 50)).square().mean()
        """,
    )
    findings = [
        finding(path, "MEM101", "GROWTH", "net(torch.randn(40, 50)).square().mean()", "0"),
        finding(path, "MEM102", "GROWTH", "outputs.append(out)", "outputs.append(out.detach())"),
    ]
    made = replay(path, tmp_path / "w", findings, steps=24).session
    graph, values = 40 * (50 + 200 + 8) * 4, 400 * 8 * 4
    kept, listed = verdict(made, "MEM101"), verdict(made, "MEM102")
    assert (kept.status, kept.bytes_per_step) == ("confirmed", graph)
    assert (listed.status, listed.bytes_per_step) == ("confirmed", values)


@needs_torch
def test_of_steps_in_started_processes_it_says_how_to_measure_one(tmp_path: Path) -> None:
    path = script(
        tmp_path,
        """
        import torch
        import torch.multiprocessing as mp

        def run(rank):
            model = torch.nn.Linear(8, 8)
            optimizer = torch.optim.SGD(model.parameters(), 0.1)
            model(torch.randn(4, 8)).sum().backward()
            optimizer.step()

        if __name__ == "__main__":
            mp.spawn(run, nprocs=1)
        """,
    )
    session = replay(path, tmp_path / "w", [], steps=5).session
    assert not session.original.steps
    assert [note for note in session.notes if "let the script call their function itself" in note]
    assert not [note for note in session.notes if "is there a training loop" in note]
