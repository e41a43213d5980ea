"""Sums that each backward runs through fail on the second one only where something was saved for it."""

from __future__ import annotations

import pytest

from memlint import catalogue
from memlint.engine import check as engine

SCRIPT = """
import torch

weight = torch.nn.Parameter(torch.ones(3))
optimizer = torch.optim.SGD([weight], lr=0.1)
total = 0
for x in torch.utils.data.DataLoader(torch.ones(9, 3), batch_size=3):
    optimizer.zero_grad()
    total = total + {value}
    total.backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("value", "expected"),
    [("weight.sum()", []), ("weight.mean()", []), ("((x @ weight) ** 2).sum()", ["MEM101"])],
)
def test_a_sum_of_weights_alone_may_run_backward_again(value: str, expected: list[str]) -> None:
    codes = frozenset(rule.code for rule in catalogue.find("MEM101"))
    found = engine.check(SCRIPT.format(value=value), "train.py", engine.Checks(codes, codes, "train.py"))
    assert [finding.code for finding in found.findings] == expected
