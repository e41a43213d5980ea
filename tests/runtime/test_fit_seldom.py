"""What stands behind `if step % 1000 == 0` and the like: met in one more simulation, or named."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlint.session import Session
from tests.runtime.simulated import MIB, needs_simulation, simulated
from tests.runtime.support import line_of
from tests.runtime.test_fit import fit

pytestmark = [needs_simulation, pytest.mark.usefixtures("torch_once")]

LARGE = 64 * MIB

SETUP = f"""
import torch
net = torch.nn.Linear(256, 256).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
kept, losses, sizes = [], [], [256, 256]
class State:
    step = 0
def large():
    return torch.zeros({LARGE // 4}, device="cuda")
def due(number):
    return number % 500 == 499  # counts
for step in range(10000):
    State.step += 1
    out = net(torch.randn(64, 256, device="cuda"))
    loss = out.pow(2).mean()
    {{}}
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def told(folder: Path, *lines: str) -> tuple[Session, str]:
    text = SETUP.format("\n    ".join(lines))
    _, session = fit(folder, "--card", "24GiB", "--no-suggest", text=text)
    return session, text.lstrip()


def peak(session: Session) -> int:
    return session.original.peak.bytes


SHAPES = """
if step % 1000 == 999: large()  # counts
if not (step + 1) % 1000: large()  # counts
if State.step > 5000: large()  # counts
if step > 0 and State.step % 1000 == 0: large()  # counts
if step in (2000, 3000): large()  # counts
if step == 3000: large()  # counts
if step % 1000 == 999 and step > 2: large()  # counts
is_due = step % 300 == 299  # counts
if is_due: large()
if due(step): large()
more = large() if step >= 9999 else None  # counts
if State.step % 1000: pass  # counts
else: large()
if (step + 1) % 1000: n = 0  # counts
else: large()
if step % 2 == 0: small = net.weight + 1
if step % 1000 == 0: large().sum()
if step % 1000 == 999: print(step)
if sizes[0] % 7 == 0: large()
if len(sizes) > 7: large()
if out.shape[0] % 32 != 0: large()
for layer in range(1):
    if layer > 0: large()
text = "%d" % step
if "%d" % step == "9999": large()
if step > 1e9: n = 1
"""


def test_conditions_that_count_steps_are_known(tmp_path: Path) -> None:
    text = SETUP.format(SHAPES.strip().replace("\n", "\n    "))
    arm = simulated(tmp_path, text, steps=5)
    assert arm.failure is None
    assert arm.simulation is not None
    found = {row.line for row in arm.simulation.decided if row.other and row.counts}
    assert found == {n for n, line in enumerate(text.lstrip().splitlines(), 1) if line.endswith("# counts")}


@pytest.mark.parametrize(
    "lines",
    [
        ("if step % 1000 == 999:", "    kept = large()"),
        ("is_due = (step + 1) % 1000 == 0", "if is_due: kept = large()"),
        ("if due(step):", "    kept = large()"),
        ("if State.step % 1000:", "    pass", "else:", "    kept = large()"),
    ],
)
def test_what_comes_now_and_then_is_met_once(tmp_path: Path, lines: tuple[str, ...]) -> None:
    session, text = told(tmp_path, *lines)
    assert LARGE <= peak(session) < LARGE + 8 * MIB
    assert session.original.title == "the script as it is, with conditions met that later steps may meet"
    (note,) = (note for note in session.notes if "came out one way" in note)
    assert "needs 64 MiB more, and is what is told" in note
    numbers = (n for n, line in enumerate(text.splitlines(), 1) if "% 1000" in line or "# counts" in line)
    assert any(f"train.py:{number}" in note for number in numbers)


def test_what_is_so_from_a_step_on_stays_so(tmp_path: Path) -> None:
    session, _ = told(tmp_path, "if step >= 5000:", "    losses.append(large())", "    del losses[:-3]")
    assert peak(session) >= 3 * LARGE


def test_what_needs_no_more_is_said_and_changes_nothing(tmp_path: Path) -> None:
    session, text = told(tmp_path, "if step % 1000 == 999:", "    net(torch.ones(1, 256, device='cuda'))")
    (note,) = (note for note in session.notes if "came out one way" in note)
    assert note.startswith(f"the condition at train.py:{line_of(text, '% 1000')} came out one way")
    assert note.endswith("it needs no more")
    assert session.original.title == "the script as it is"


def test_what_fails_when_it_is_met_is_named(tmp_path: Path) -> None:
    fails = "if step == 5000:", "    large().sum(1, 2, 3)"
    session, text = told(tmp_path, *fails, "if due(step): kept = large()")
    (unknown,) = (note for note in session.notes if note.endswith("is not known"))
    assert f"train.py:{line_of(text, '5000')} came" in unknown
    failed = f"TypeError at train.py:{line_of(text, '.sum(1')}"
    assert f"(it was simulated, too, but that ended: {failed}" in unknown
    assert peak(session) >= LARGE


def test_without_later_steps_nothing_is_met(tmp_path: Path) -> None:
    short = SETUP.replace("range(10000)", "range(4)").format("if step % 1000 == 999: kept = large()")
    _, session = fit(tmp_path, "--card", "24GiB", "--no-suggest", text=short)
    assert peak(session) < 8 * MIB
    assert not session.notes


TRAINER = f"""
import sys, types, torch
class DefaultFlowCallback:
    def on_step_end(self, args, state, control):
        control.should_evaluate = False
        return control
sys.modules["transformers.trainer_callback"] = types.SimpleNamespace(DefaultFlowCallback=DefaultFlowCallback)
net = torch.nn.Linear(256, 256).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
args = types.SimpleNamespace(eval_steps=500, eval_strategy=types.SimpleNamespace(value="{{}}"))
state, control, flow = types.SimpleNamespace(global_step=0), types.SimpleNamespace(), DefaultFlowCallback()
for step in range(10000):
    net(torch.randn(64, 256, device="cuda")).sum().backward()
    optimizer.step()
    state.global_step += 1
    if flow.on_step_end(args, state, control).should_evaluate:
        kept = torch.zeros({LARGE // 4}, device="cuda")
"""


@pytest.mark.parametrize(("strategy", "least", "most"), [("steps", LARGE, 2 * LARGE), ("no", 0, LARGE)])
def test_the_trainer_of_transformers_evaluates_once(
    tmp_path: Path, strategy: str, least: int, most: int
) -> None:
    text = TRAINER.format(strategy)
    _, session = fit(tmp_path, "--card", "24GiB", "--no-suggest", text=text)
    assert least <= peak(session) < most
    met = [note for note in session.notes if "came out one way" in note]
    line = line_of(text.lstrip(), "if flow.")
    assert [note.startswith(f"the condition at train.py:{line} came") for note in met] == [True] * bool(least)


LATE = """
import torch
from torch.utils.data import DataLoader, TensorDataset
net, critic = torch.nn.Linear(256, 256).cuda(), torch.nn.Linear(256, 1).cuda()
steps, steps_of_critic = torch.optim.SGD(net.parameters(), 0.1), torch.optim.SGD(critic.parameters(), 0.1)
number = 0
for epoch in range(100):
    for (x,) in DataLoader(TensorDataset(torch.randn(512, 256)), batch_size=32):
        out = net(x.cuda())
        steps.zero_grad()
        out.pow(2).mean().backward()
        steps.step()
        if number >= START:
            steps_of_critic.zero_grad()
            critic(out.detach()).mean().backward()
            steps_of_critic.step()
        number += 1
"""


@pytest.mark.parametrize("start", ["0", "5000"])
def test_what_is_suggested_is_so_after_a_later_step_too(tmp_path: Path, start: str) -> None:
    made, session = fit(tmp_path, "--card", "24GiB", "--suggest", text=LATE.replace("START", start))
    assert session.fit is not None
    assert session.fit.remedies is not None
    assert not {"gradient accumulation", "step in backward"} & {row.name for row in session.fit.remedies}
    assert "the steps of one optimizer" in " ".join(made.stdout.split()) or "in turn" in made.stdout


REPEATING = """
import torch
net = torch.nn.Linear(256, 256).cuda()
parts = [torch.optim.SGD([weight], 0.1, momentum=0.9) for weight in net.parameters()]
kept = []
for step in range(100):
    loss = net(torch.ones(64, 256, device="cuda")).pow(2).mean()
    loss.backward()
    STEPS
    net.zero_grad()
    LINE
"""


@pytest.mark.parametrize(
    ("steps", "line", "rounds"),
    [
        ("parts[0].step(); parts[1].step()", "", (3, 4)),
        ("[part.step() for part in parts]", "", (3, 4)),
        ("parts[0].step()\n    parts[1].step()", "", (3, 4)),
        ("parts[0].step()\n    parts[1].step()", "kept.append(loss.detach())", (7, 7)),
    ],
)
def test_steps_that_repeat_are_not_made_seven_times(
    tmp_path: Path, steps: str, line: str, rounds: tuple[int, ...]
) -> None:
    """Several optimizers in a row take nothing between their steps: that is no repetition."""
    text = REPEATING.replace("STEPS", steps).replace("LINE", line)
    _, session = fit(tmp_path, "--card", "24GiB", "--no-suggest", text=text)
    assert session.original.counts["forward"] in range(rounds[0], rounds[-1] + 1)
    assert session.fit is not None
    assert (session.fit.growing is not None) == bool(line)
