"""The default of zero_grad depends on the torch that the user declared."""

from __future__ import annotations

import pytest

from memlint import catalogue
from memlint.analysis.match import Replace
from memlint.analysis.model import ScriptModel
from memlint.detect.retention.late_zero_grad import detect as late
from memlint.detect.retention.zero_grad_keeps_buffers import detect as keeps

SCRIPT = """\
import torch

net = torch.nn.Linear(2, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(4, 3, 2):
    loss = net(x).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


@pytest.mark.parametrize(("torch", "kept", "freed_late"), [(None, 0, 1), ((2, 1), 0, 1), ((1, 13), 1, 0)])
def test_the_plain_call_keeps_buffers_before_torch_2(
    torch: tuple[int, ...] | None, kept: int, freed_late: int
) -> None:
    model = ScriptModel.parse(SCRIPT, target_torch=torch)
    found = list(keeps(model, catalogue.find("MEM123")[0]))
    assert len(found) == kept
    assert len(list(late(model, catalogue.find("MEM122")[0]))) == freed_late
    for match in found:
        (change,) = match.plans[0].changes
        assert isinstance(change, Replace)
        assert change.code == "opt.zero_grad(set_to_none=True)"
