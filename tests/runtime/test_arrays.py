"""Arrays of NumPy that pile up, which are no tensors: their bytes, the lines that add them, the holders."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlint.runtime.parent.verdicts.leaks import leaks_of
from memlint.session import ARRAYS
from tests.runtime.support import line_of, measure, needs_torch, script

pytest.importorskip("numpy")
pytestmark = [needs_torch, pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("forked")]

SCRIPT = """\
import collections
import numpy as np
import torch

class Samples:
    def __init__(self):
        self.cache = {}
    def __len__(self):
        return 1000
    def __getitem__(self, i):
        if i not in self.cache:
            self.cache[i] = np.full((1, 64), i, dtype=np.float32)
        return self.cache[i]

class Recorder:
    def __init__(self):
        self.seen = {"outputs": [], "names": []}
    def add(self, value):
        self.seen["outputs"].append(value.detach().numpy().copy())
        self.seen["names"].append(str(len(self.seen["names"])))

history, window, epoch = [], collections.deque(maxlen=1000), []
recorder, samples, fixed = Recorder(), Samples(), [np.ones(5000)]

def train():
    pairs = []
    net = torch.nn.Linear(64, 32)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(30):
        x = samples[step]
        out = net(torch.from_numpy(x).repeat(8, 1))
        opt.zero_grad()
        out.mean().backward()
        opt.step()
        history.append(np.zeros(1000))
        history[-1] = history[-1][10:]
        if step % 3 == 0:
            pairs.append((step, np.zeros((3, 100), dtype=np.float32)))
        recorder.add(out)
        window.append(np.zeros(500))
        epoch.append(np.zeros(800))
        if step % 10 == 9:
            epoch.clear()

train()
"""


def test_arrays_that_pile_up_are_leaks_with_their_line_and_holder(tmp_path: Path) -> None:
    arm = measure(script(tmp_path, SCRIPT), tmp_path / "w", look=True, steps=30)
    leaks = {leak.holders[0].name: leak for leak in leaks_of(arm, arm.holders) if leak.device == ARRAYS}
    assert leaks.keys() == {"history", "recorder.seen['outputs']", "window"}
    lines = {name: (leak.bytes_per_step, leak.line) for name, leak in leaks.items()}
    assert lines["recorder.seen['outputs']"] == (8 * 32 * 4, line_of(SCRIPT, '["outputs"].append'))
    assert lines["window"] == (500 * 8, line_of(SCRIPT, "window.append"))
    # A view keeps all of its array.
    assert lines["history"][0] == 1000 * 8
    assert leaks["window"].bound == "deque of maxlen 1000"
    assert not leaks["history"].bound
    pairs = next(row for row in arm.host_growth if row.line == line_of(SCRIPT, "pairs.append"))
    # How many of the ten fall between the first and the last look hangs on how busy the machine is.
    assert pairs.bytes in [count * 3 * 100 * 4 for count in range(5, 11)]
