"""What counts as a running average: an old value and something new."""

from __future__ import annotations

import pytest

from memlint.analysis.model import ScriptModel

_SCRIPT = """\
import torch
from torch import nn

net = nn.Linear(4, 4)
mean = torch.zeros(4)
for x in torch.randn(8, 2, 4):
    out = net(x)
    {update}
"""


@pytest.mark.parametrize(
    ("update", "noted"),
    [
        ("mean = 0.9 * mean + 0.1 * out", True),
        ("mean = mean - 0.1 * (mean - out)", True),
        ("mean = mean * 0.9 - out", True),
        ("out = out - 0.1 * out", False),
        ("out = out - out * torch.sigmoid(out)", False),
        ("out = out + 0.5 * out", False),
    ],
)
def test_an_average_takes_in_something_new(update: str, noted: bool) -> None:
    model = ScriptModel.parse(_SCRIPT.format(update=update))
    assert bool(model.trace.averages) is noted
