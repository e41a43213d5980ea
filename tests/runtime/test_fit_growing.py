"""What piles up from step to step, in the answer of `memlint fit`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from memlint.report.fit.text import verdict
from memlint.report.fit.words import for_so_long
from memlint.runtime.parent.fit.growing import LONG, at_the_last_step
from memlint.session import Growing, OnCard
from memlint.session.fit import BREAKS, FITS, MAY_NOT, UNKNOWN
from tests.runtime.simulated import needs_simulation
from tests.runtime.support import memlint, script

MIB = 1 << 20
CARD = OnCard("", "a GPU", (9, 0), 1000 * MIB, FITS, needs=300 * MIB, least=200 * MIB, most=400 * MIB)

LEAKS = """\
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Linear(512, 1024).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.zeros(40 * 1024, 512)), batch_size=1024)
seen = []
for epoch in range(EPOCHS):
    for i, (x,) in enumerate(loader):
        out = model(x.cuda())
        optimizer.zero_grad()
        out.mean().backward()
        optimizer.step()
        seen.append(out)
"""


def grows(each: int, *, ran: int = 10, of: int = 0) -> Growing:
    return Growing("train.py", 9, each * MIB, ran, of, max(0, of - ran) * each * MIB)


@pytest.mark.parametrize(
    ("each", "of", "needs", "said"),
    [
        pytest.param(1, 0, 300, MAY_NOT, id="nobody knows how long it goes on"),
        pytest.param(1, 110, 400, FITS, id="all steps are in the need, and there is room for them"),
        pytest.param(1, 10, 300, FITS, id="all steps were simulated"),
        pytest.param(2, 1000, 2280, MAY_NOT, id="the card is full before the last step"),
    ],
)
def test_the_verdict_is_about_all_steps(each: int, of: int, needs: int, said: str) -> None:
    there = at_the_last_step(CARD, grows(each, of=of))
    assert (there.verdict, there.needs, there.grows) == (said, needs * MIB, each * MIB)


def test_what_fills_a_card_after_the_end_of_any_training_does_not_matter() -> None:
    little = replace(grows(1), each=512)
    assert little.full_after(CARD) > LONG
    assert at_the_last_step(CARD, little).verdict == FITS


@pytest.mark.parametrize("known", [BREAKS, MAY_NOT, UNKNOWN])
def test_a_verdict_is_not_made_better(known: str) -> None:
    assert at_the_last_step(replace(CARD, verdict=known), grows(1, of=11)).verdict == known


def test_the_steps_that_fit_are_counted_from_the_first() -> None:
    what = grows(2, of=1000)
    there = at_the_last_step(CARD, what)
    # 10 steps need at most 400 MiB; 600 MiB are left for 2 MiB each.
    assert for_so_long(there, what) == verdict(there, what) == "fits for 310 of 1,000 steps"


def test_a_band_that_the_simulated_steps_do_not_fit_stays() -> None:
    what = grows(2)
    there = at_the_last_step(replace(CARD, most=1010 * MIB, verdict=MAY_NOT), what)
    assert verdict(there, what).startswith("may not fit (")


@needs_simulation
@pytest.mark.usefixtures("torch_once")
@pytest.mark.parametrize(("epochs", "said"), [(2, "fits, "), (200, "fits for ")])
def test_the_script_s_own_loops_say_how_many_steps_there_will_be(
    tmp_path: Path, epochs: int, said: str
) -> None:
    script(tmp_path, LEAKS.replace("EPOCHS", str(epochs)))
    done = memlint(tmp_path, "fit", "-q", "--card", "2GiB", "--no-suggest", "-o", "session.json", "train.py")
    assert said in done.stdout.partition("\n")[0], done.stdout + done.stderr
    assert "grows by 4 MiB with every step at train.py:11" in done.stdout
    assert done.returncode == int(epochs == 200)
    fit = json.loads((tmp_path / "session.json").read_text("utf-8"))["fit"]
    assert (fit["growing"]["of"], fit["growing"]["each"]) == (40 * epochs, 4 * MIB)
    assert fit["growing"]["more"] == (40 * epochs - fit["growing"]["ran"]) * 4 * MIB


BUFFERS = {
    "a deque": "seen = collections.deque(maxlen=ROOM)\ndef keep(x):\n    seen.append(x)\n",
    "a list with a test": """
class Memory:
    def __init__(self, room):
        self.rows, self.room, self.at = [], room, 0
    def add(self, x):
        if len(self.rows) < self.room:
            self.rows.append(x)
        else:
            self.rows[self.at] = x
        self.at = (self.at + 1) % self.room
memory = Memory(ROOM)
keep = memory.add
""",
    "slots": """
slots, at = [None] * ROOM, 0
def keep(x):
    global at
    slots[at % ROOM] = x
    at += 1
""",
}
REPLAY = """
net = torch.nn.Linear(512, 512).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def main():
    for step in range(STEPS):
        for _ in range(2):
            keep(torch.rand(512, 512, device="cuda"))
        net(torch.rand(8, 512, device="cuda")).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
main()
"""


@needs_simulation
@pytest.mark.usefixtures("torch_once")
@pytest.mark.parametrize("buffer", BUFFERS)
def test_a_buffer_that_is_not_full_yet_is_in_the_need(tmp_path: Path, buffer: str) -> None:
    text = f"import collections, torch\n{BUFFERS[buffer]}{REPLAY}"
    more = {}
    for room, steps in ((6, 10_000), (1000, 10_000), (3000, 10_000), (1000, 100)):
        script(tmp_path, text.replace("ROOM", str(room)).replace("STEPS", str(steps)))
        asked = ("fit", "-q", "--card", "2GiB", "--no-suggest", "-o", "session.json", "train.py")
        done = memlint(tmp_path, *asked)
        fit = json.loads((tmp_path / "session.json").read_text("utf-8"))["fit"]
        grows = fit["growing"]
        more[room, steps] = grows and (grows["more"], grows["ran"], done.returncode)
        assert grows is None or grows["until"]
    assert more[6, 10_000] is None
    for room, returned in ((1000, 0), (3000, 1)):
        held, ran, code = more[room, 10_000]
        assert held == (room - 2 * ran) * MIB
        assert code == returned
    held, ran, code = more[1000, 100]
    assert (held, code) == (2 * (100 - ran) * MIB, 0)
