"""What forward passes leave on their modules: the attributes, and whether they are single numbers."""

from __future__ import annotations

import pytest

from memlint.analysis.model import ScriptModel

NET = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        y = self.layer(x)
        {line}
        return y
{run}
"""


@pytest.mark.parametrize("run", ["", "Net()(torch.zeros(1, 8))"], ids=["not called", "called"])
@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("self.kept = y", {"self.kept": False}),
        ("self.kept = [y, x]", {"self.kept": False}),
        ("self.loss = y.mean()", {"self.loss": True}),
        ("self.kept = y.detach()", {}),
        ("self.kept = y.shape", {}),
        ("self.weight = nn.Parameter(torch.zeros(3))", {}),
    ],
)
def test_activations_on_a_module(line: str, found: dict[str, bool], run: str) -> None:
    model = ScriptModel.parse(NET.format(line=line, run=run))
    kept = model.trace.activations.values()
    assert {model.code(a.node): a.scalar for a in kept} == found


def test_other_methods_leave_no_activation() -> None:
    script = NET.format(line="pass", run="    def probe(self, x):\n        self.kept = self.layer(x)\n")
    assert not ScriptModel.parse(script).trace.activations
