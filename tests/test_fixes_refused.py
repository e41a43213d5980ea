"""Findings that stay, but whose fix would break the script."""

from __future__ import annotations

import pytest

from memlint.engine import check as engine

EXTENDS = """\
import torch
import torch.distributed as dist
model = torch.nn.Linear(4, 512).cuda()
@torch.no_grad()
def outputs(loader):
    kept = []
    for x in loader:
        out = model(x.cuda())
        parts = [torch.empty_like(out) for _ in range(dist.get_world_size())]
        dist.all_gather(parts, out)
        kept.{store}
    return kept
"""
HOOKED = """\
from torch import nn
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attend = nn.MultiheadAttention(64, 4)
        {hook}
    def forward(self, x):
        return x + self.attend(x, x, x)[0]
"""
COLLATED = """\
import torch
from torch.utils.data import DataLoader, default_collate
def gather(rows):
    return default_collate(rows).cuda()
model = torch.nn.Linear(4, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader(torch.randn(64, 4), 8, num_workers=2, collate_fn=gather):
    optimizer.zero_grad()
    model(x.cuda()).sum().backward()
    optimizer.step()
{after}
"""
KEPT = """\
import torch
from lib import build, loader
model = build()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
class History:
    def __init__(self):
        self.kept = []
    def add(self, out):
        self.kept.append({part})
history = History()
for x in loader:
    out = model(x)
    history.add(out)
    loss = {loss}
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
CASES = {
    "an output": ("MEM105", KEPT.format(part="out", loss="out.mean()"), True),
    "an output of several parts": ("MEM105", KEPT.format(part="out", loss="out.loss"), False),
    "the attribute of an output": ("MEM105", KEPT.format(part="out.loss", loss="criterion(out, x)"), False),
    "the key of an output": ("MEM105", KEPT.format(part="out['loss']", loss="criterion(out, x)"), False),
    "one loader, whose batches are moved": ("MEM407", COLLATED.format(after=""), True),
    "another loader, whose batches are not": (
        "MEM407",
        COLLATED.format(
            after="for x in DataLoader(torch.randn(64, 4), 8, collate_fn=gather):\n    print(model(x))"
        ),
        False,
    ),
    "parts joined": ("MEM606", EXTENDS.format(store="append(torch.cat(parts))"), True),
    "parts one by one": ("MEM606", EXTENDS.format(store="extend(parts)"), False),
    "no hook": ("MEM803", HOOKED.format(hook="self.seen = 0"), True),
    "a hook": ("MEM803", HOOKED.format(hook="self.attend.register_forward_hook(print)"), False),
}


@pytest.mark.parametrize("name", CASES)
def test_a_fix_is_there_only_where_the_value_allows_it(name: str) -> None:
    code, text, expected = CASES[name]
    report = engine.check(text, "t.py", engine.Checks(frozenset({code}), frozenset({code}), "t.py"))
    assert not report.failed
    (finding,) = report.findings
    assert (finding.fix is not None) == expected
