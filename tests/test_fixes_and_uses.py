"""Fixes that look at everything that uses the value: its readers, writers, trainers and restorers."""

from __future__ import annotations

import pytest

from memlint.engine import check as engine
from memlint.finding import Applicability

GATHERED = """\
import torch
from accelerate import Accelerator
from lib import evaluate
accelerator = Accelerator()
model = torch.nn.Linear(4, 512).cuda()
@torch.no_grad()
def outputs(loader, order):
    kept, labels = [], []
    for x, y in loader:
        everyone = accelerator.gather_for_metrics(model(x.cuda()))
        kept.append(everyone)
        labels.append(accelerator.gather(y.cuda()))
    {after}
"""
GROWN = """\
import torch
import torch.nn.functional as F
act = torch.nn.ReLU(inplace=True)
model = torch.nn.Linear(4, 512).cuda()
def tripled(t):
    t *= 3
    return t
@torch.no_grad()
def outputs(loader):
    first = model(next(iter(loader)).cuda())
    rows = {first}
    for x in loader:
        out = model(x.cuda())
        rows = torch.cat([rows, {piece}])
        {after}
    return rows
"""
MOVED = """\
import torch
model = torch.nn.Linear(4, 512).cuda()
@torch.no_grad()
def outputs(loader):
    kept = []
    for x in loader:
        out = model(x.cuda())
        kept.append({piece})
        {after}
    return torch.cat(kept).cpu()
"""
SWITCHED = """\
import torch
from data import loader
model = torch.nn.Linear(4, 3)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
class Net(torch.nn.Module):
    def {name}(self, x):
        torch.no_grad()
        {inside}
for x, y in loader:
    opt.zero_grad()
    out = {used}
    torch.nn.functional.cross_entropy(model(x) + out, y).backward()
    opt.step()
"""
HEADED = """\
import copy
import torch
import torch.nn as nn
from lib import finetune
from data import loader
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(400, 800)
        self.head = nn.Linear(800, 3)
    def forward(self, x):
        return self.head(self.body(x))
net = Net()
opt = torch.optim.SGD(net.head.parameters(), lr=0.1)
for x, y in loader:
    opt.zero_grad()
    nn.functional.cross_entropy(net(x), y).backward()
    {between}
    opt.step()
{after}
"""
RESTORED = """\
import copy
import torch
from data import loader
model = torch.nn.Sequential(torch.nn.Linear(4, 4096), torch.nn.Linear(4096, 3)).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
best, kept = 9, None
for epoch in range(9):
    total = 0
    for x, y in loader:
        opt.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda())
        loss.backward()
        opt.step()
        total += loss.item()
    if total < best:
        best, kept = total, copy.deepcopy(model.state_dict())
{after}
"""
EMPTY = 'torch.empty(0, 512, device="cuda")'
CASES = {
    "gathered and returned": ("MEM606", GATHERED.format(after="return torch.cat(kept)"), True),
    "gathered and averaged": (
        "MEM606",
        GATHERED.format(after="return torch.cat(kept).softmax(-1).mean().item()"),
        True,
    ),
    "gathered and compared with what is on the GPU": (
        "MEM606",
        GATHERED.format(after="return (torch.cat(kept).argmax(1) == torch.cat(labels)).float().mean()"),
        False,
    ),
    "gathered for a collective": (
        "MEM606",
        GATHERED.format(after="whole = torch.cat(kept)\n    torch.distributed.broadcast(whole, 0)"),
        False,
    ),
    "gathered for a matrix product": (
        "MEM606",
        GATHERED.format(after="whole = torch.cat(kept)\n    return whole @ model.weight"),
        False,
    ),
    "gathered for a function out of view": (
        "MEM606",
        GATHERED.format(after="return evaluate(torch.cat(kept), labels)"),
        False,
    ),
    "gathered, and indexed by a tensor": (
        "MEM606",
        GATHERED.format(after="return torch.cat(kept)[order.cuda()]"),
        False,
    ),
    "a mode for what only evaluates": (
        "MEM202",
        SWITCHED.format(name="count", inside="return model(x).argmax(1)", used="0"),
        True,
    ),
    "a mode for what a backward needs": (
        "MEM202",
        SWITCHED.format(name="embed", inside="return model(x)", used="Net().embed(x)"),
        False,
    ),
    "a mode for the forward of a network": (
        "MEM202",
        SWITCHED.format(name="forward", inside="return model(x)", used="0"),
        False,
    ),
    "a mode for a function that waits in it": (
        "MEM202",
        SWITCHED.format(name="parts", inside="yield model(x).argmax(1)", used="0"),
        False,
    ),
    "a part that nobody trains": ("MEM205", HEADED.format(between="", after="print(net.body)"), True),
    "a part whose gradients are read": (
        "MEM205",
        HEADED.format(between="print(net.body.weight.grad.norm())", after=""),
        False,
    ),
    "a part that is clipped": (
        "MEM205",
        HEADED.format(between="nn.utils.clip_grad_norm_(net.parameters(), 1.0)", after=""),
        False,
    ),
    "a part that is trained later": ("MEM205", HEADED.format(between="", after="finetune(net)"), False),
    "a part of which a copy is trained": (
        "MEM205",
        HEADED.format(between="", after="finetune(copy.deepcopy(net))"),
        False,
    ),
    "weights that are only restored": ("MEM704", RESTORED.format(after="model.load_state_dict(kept)"), True),
    "weights that are computed with": (
        "MEM704",
        RESTORED.format(after="for k, v in model.state_dict().items():\n    v.lerp_(kept[k], 0.5)"),
        False,
    ),
    "weights that go through a loop": (
        "MEM704",
        RESTORED.format(after="model.load_state_dict({k: v.half() for k, v in kept.items()})"),
        False,
    ),
    "a state with more than tensors": (
        "MEM704",
        RESTORED.format(after="def get_extra_state(): return {}\nmodel.load_state_dict(kept)"),
        False,
    ),
    "pieces nobody else has": ("MEM412", GROWN.format(first=EMPTY, piece="out", after=""), True),
    "a piece is computed with": (
        "MEM412",
        GROWN.format(first=EMPTY, piece="out", after="print(out.mean(), F.relu(out).sum(), (out * 2)[0])"),
        True,
    ),
    "a piece is scaled in place": (
        "MEM412",
        GROWN.format(first=EMPTY, piece="out", after="out.mul_(2)"),
        False,
    ),
    "a view of a piece is written": (
        "MEM412",
        GROWN.format(first=EMPTY, piece="out", after="flat = out.view(-1)\n        flat[0] = 1"),
        False,
    ),
    "the piece is a view of what is written": (
        "MEM412",
        GROWN.format(first=EMPTY, piece="out.detach()", after="out[0] = 0"),
        False,
    ),
    "a function scales a piece": (
        "MEM412",
        GROWN.format(first=EMPTY, piece="out", after="print(tripled(out).sum())"),
        False,
    ),
    "a layer works in place": (
        "MEM412",
        GROWN.format(first=EMPTY, piece="out", after="print(act(out).sum())"),
        False,
    ),
    "a function of torch works in place": (
        "MEM412",
        GROWN.format(first=EMPTY, piece="out", after="print(F.relu(out, inplace=True).sum())"),
        False,
    ),
    "the first value is a view of what is written": (
        "MEM412",
        GROWN.format(first="first.view(8, 512)", piece="out", after="first.zero_()"),
        False,
    ),
    "a piece changes its shape in place": (
        "MEM412",
        GROWN.format(first=EMPTY, piece="out", after="out.squeeze_()"),
        False,
    ),
    "an inner function scales a piece": (
        "MEM412",
        GROWN.format(first=EMPTY, piece="out", after="def halve(): out.div_(2)\n        halve()"),
        False,
    ),
    "a result is written to memory that may be a piece's": (
        "MEM412",
        GROWN.format(first=EMPTY, piece="out", after="torch.add(first, 1, out=[out, first][0])"),
        False,
    ),
    "the variables are read by another way": (
        "MEM412",
        GROWN.format(first=EMPTY, piece="out", after='print(locals()["rows"].shape)'),
        False,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_fix_is_there_only_where_all_uses_allow_it(name: str) -> None:
    code, text, expected = CASES[name]
    report = engine.check(text, "t.py", engine.Checks(frozenset({code}), frozenset({code}), "t.py"))
    assert not report.failed
    (finding,) = report.findings
    assert (finding.fix is not None) == expected


@pytest.mark.parametrize(
    ("piece", "after", "safe"),
    [
        ("out", "print(out.sum())", True),
        ("out", "out.zero_()", False),
        ("out.detach()", "out.zero_()", False),
        ("out.detach()", "print((out + 1).sum())", True),
        ("out", "held = [out]\n        held[0].zero_()", False),
    ],
)
def test_a_copy_on_the_host_is_safe_where_nothing_writes_to_the_tensor(
    piece: str, after: str, safe: bool
) -> None:
    text = MOVED.format(piece=piece, after=after)
    checks = engine.Checks(frozenset({"MEM103"}), frozenset(), "t.py")
    (finding,) = engine.check(text, "t.py", checks).findings
    assert finding.fix is not None
    assert (finding.fix.applicability is Applicability.SAFE) is safe
