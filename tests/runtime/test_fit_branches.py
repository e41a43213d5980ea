"""Branches that hang on values of the simulated GPU: recognised, both sides simulated, the larger is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlint.session import Session
from memlint.session.fit import FITS
from tests.runtime.simulated import MIB, needs_simulation, simulated
from tests.runtime.support import line_of
from tests.runtime.test_fit import fit

pytestmark = [needs_simulation, pytest.mark.usefixtures("torch_once")]

LARGE = 64 * MIB

SETUP = f"""
import torch
net = torch.nn.Linear(256, 256).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
best, kept = 1e9, []
def large():
    return torch.zeros({LARGE // 4}, device="cuda")
def evaluate():
    with torch.no_grad():
        return net(torch.ones(8, 256, device="cuda")).mean().item()
for step in range(5):
    optimizer.zero_grad()
    out = net(torch.randn(64, 256, device="cuda"))
    loss = out.pow(2).mean()
    {{}}
    loss.backward()
    optimizer.step()
"""


def told(folder: Path, *lines: str, options: tuple[str, ...] = ()) -> tuple[Session, str, str]:
    text = SETUP.format("\n    ".join(lines))
    made, session = fit(folder, "--card", "24GiB", "--no-suggest", *options, text=text)
    return session, text.lstrip(), made.stdout


def peak(session: Session) -> int:
    return session.original.peak.bytes


SHAPES = """
spread = out.std()
number = loss.item()
doubled = 2 * number
known = step * 2.0
score, host = evaluate(), out.detach().cpu()
if loss.item() > 4: large()  # hangs
if spread > 4: large()  # hangs
if doubled > 4: large()  # hangs
if not score < 4: large()  # hangs
if host.mean() > 4: large()  # hangs
if step == 3 and loss.item() > 4: large()  # hangs
while loss.item() > 4: loss = large().sum()  # hangs
if loss.item() < 4: pass  # hangs
else: large()
if known > 40: large()
if out.shape[0] > 400: large()
if loss.item() < best: best = loss.item()
if torch.isnan(loss): raise FloatingPointError("diverged")
if loss.item() > 4: print(loss.item())
if step > 1 or loss.item() > 4: large()  # hangs
"""


def test_conditions_that_hang_on_invented_values_are_known(tmp_path: Path) -> None:
    text = SETUP.format(SHAPES.strip().replace("\n", "\n    "))
    arm = simulated(tmp_path, text)
    assert (arm.failure, len(arm.steps)) == (None, 5)
    assert arm.simulation is not None
    found = {row.line for row in arm.simulation.decided if row.other}
    assert found == {n for n, line in enumerate(text.lstrip().splitlines(), 1) if line.endswith("# hangs")}


def test_the_side_that_needs_more_is_the_answer(tmp_path: Path) -> None:
    session, text, said = told(tmp_path, "score = evaluate()", "if not score < 4:", "    more = large()")
    assert 2 * LARGE <= peak(session) < 2 * LARGE + 8 * MIB  # `more`, and the next one
    assert f"train.py:{line_of(text, 'not score')}" in " ".join(session.notes)
    assert "which needs more" in said


def test_a_script_that_stops_at_an_invented_value_is_run_past_it(tmp_path: Path) -> None:
    session, _, _ = told(tmp_path, "if not (out > 0).any():", "    raise ValueError('nothing found')")
    assert session.fit is not None
    assert (session.fit.first.verdict, len(session.original.steps)) == (FITS, 4)  # and then they repeat
    assert "simulated the other way" in " ".join(session.notes)


def test_a_side_that_needs_no_more_changes_nothing(tmp_path: Path) -> None:
    lines = "if loss.item() > 4:", "    kept.append(evaluate())", "if loss.item() < best:", "    best = 1.0"
    session, text, _ = told(tmp_path, *lines)
    assert peak(session) < 8 * MIB
    (note,) = session.notes
    assert f"train.py:{line_of(text, '> 4')} hangs on" in note
    assert "needs no more" in note
    assert session.original.title == "the script as it is"


LOOPS = {
    "while not done.any(): done, x = done | (net(x)[:1, 0] > 2), torch.cat([x, x[:1]])": 100,
    "while True:\n        x = torch.cat([x, x[:1]])\n        if net(x).mean().item() < 0: break": 100,
    "while not done.all() and len(x) < 40:\n        done = done | (net(x)[:1, 0] > 2)\n"
    "        x = torch.cat([x, x[:1]])": 32,
    "while len(x) < 300: x = torch.cat([x, x[:1]])": 292,
}


@pytest.mark.parametrize("loop", LOOPS)
def test_a_loop_that_values_end_is_left(tmp_path: Path, loop: str) -> None:
    """As long as nobody knows is not for ever; what the script bounds itself goes on until then."""
    made = "x, done = torch.ones(8, 256, device='cuda'), torch.zeros(1, dtype=torch.bool, device='cuda')"
    lines = (
        made, loop, f"assert len(x) in (8, 9, {8 + LOOPS[loop]})", "if len(x) > 30: rows = large()",
    )  # fmt: skip
    session, _, said = told(tmp_path, *lines)
    assert peak(session) >= LARGE
    assert ("left after 100 iterations" in said.replace("\n", " ")) == (LOOPS[loop] == 100)


def test_an_option_says_how_many_iterations_such_a_loop_makes(tmp_path: Path) -> None:
    lines = (
        "x, done = torch.ones(8, 256, device='cuda'), torch.zeros(1, dtype=torch.bool, device='cuda')",
        "while not done.any(): done, x = done | (net(x)[:1, 0] > 2), torch.cat([x, x[:1]])",
        "assert len(x) in (8, 158), len(x)",
        "if len(x) > 108: rows = large()",
    )
    session, _, said = told(tmp_path, *lines, options=("--iterations", "150"))
    assert peak(session) >= LARGE
    assert "left after 150 iterations (--iterations takes more)" in said.replace("\n", " ")
    assert session.options["iterations"] == 150


FOUND = """
import torch
net = torch.nn.Linear(64, 64).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
large = torch.randn(1024, 1024, device="cuda")
for step in range(3):
    found, places = large[large > 0], torch.nonzero(large)
    values = torch.unique((1000 * large).long())
    assert (len(found), len(places), len(values)) == (1 << 18, 1 << 18, 1 << 18)
    known = torch.tensor([3, 0, 5]).cuda()
    assert len(known[known > 0]) == 2
    loss = net(torch.randn(8, 64, device="cuda")).sum()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
"""


def test_how_much_masks_find_can_be_said(tmp_path: Path) -> None:
    made, session = fit(tmp_path, "--card", "24GiB", "--no-suggest", "--selected", "25", text=FOUND)
    assert session.original.failure is None
    assert not any("assert" in row.what for row in session.original.simulation.invented)
    assert "taken as 25 %" in made.stdout


MASKED = """
import torch
net = torch.nn.Linear(64, 64).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
rows = torch.randn(1 << 20, 64, device="cuda")
for step in range(3):
    chosen = rows[rows[:, 0] > 0]
    loss = net(chosen).pow(2).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
"""
"""256 MiB of rows; what a mask finds of them is kept, as is what a layer gives for it, and its square."""


def test_a_need_that_hangs_on_masks_is_one_up_to_which_it_goes(tmp_path: Path) -> None:
    made, session = fit(tmp_path, "--card", "24GiB", "--no-suggest", text=MASKED)
    assert session.fit is not None
    assert session.fit.masked >= 3 * 256 * MIB
    first = session.fit.first
    assert first.least + session.fit.masked < first.most
    assert made.stdout.startswith("needs up to ")
    words = " ".join(made.stdout.split())
    assert "depending on the CUDA context and what masks select" in words
    assert "--selected PERCENT takes less" in words
    assert len(session.arms) == 1


def test_a_card_that_is_too_small_only_if_masks_select_everything_may_be_enough(tmp_path: Path) -> None:
    made, _ = fit(tmp_path, "--card", "1.2GiB", "--no-suggest", text=MASKED)
    assert made.stdout.startswith("may not fit: needs ")
    assert made.returncode == 1
    made, _ = fit(tmp_path, "--card", "0.4GiB", "--no-suggest", text=MASKED)
    assert made.stdout.startswith("breaks at ")


def test_what_masks_find_is_not_asked_twice_where_that_is_said_or_known(tmp_path: Path) -> None:
    made, session = fit(tmp_path, "--card", "24GiB", "--no-suggest", "--selected", "50", text=MASKED)
    assert session.fit is not None
    assert session.fit.masked == 0
    few = "rows.view(64, -1, 64)[torch.arange(64).cuda() % 2 == 0].flatten(0, 1)"
    known = MASKED.replace("rows[rows[:, 0] > 0]", few)
    made, session = fit(tmp_path, "--card", "24GiB", "--no-suggest", text=known)
    assert session.fit is not None
    assert session.fit.masked == 0
    assert made.stdout.startswith("needs ")
    assert "up to" not in made.stdout.partition("\n")[0]
