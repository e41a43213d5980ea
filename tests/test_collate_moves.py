"""A collate function's move to the GPU is left out only where nothing needs the batch there earlier."""

from __future__ import annotations

import pytest

from memlint.edit.apply import fix_text
from memlint.engine import check as engine

SCRIPT = """\
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader
from lib import evaluate
device = torch.device("cuda")
scale = torch.ones(4, device=device)
model = torch.nn.Linear(4, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
def gather(samples):
    x = torch.stack([s[0] for s in samples]).to(device)
    y = torch.tensor([s[1] for s in samples]).cuda()
    {returned}
def train(samples):
    loader = DataLoader(samples, batch_size=8, num_workers=2, collate_fn=gather)
    {before}
    for {target}:
        {body}
        opt.zero_grad()
        {loss}.backward()
        opt.step()
"""
DEFAULT = {
    "returned": "return x, y",
    "before": "model.train()",
    "target": "x, y in loader",
    "body": "x, y = x.to(device), y.to(device)",
    "loss": "F.cross_entropy(model(x), y)",
}
CASES = {
    "both are moved": ({}, {"x", "y"}),
    "one is moved": ({"body": "x = x.to(device)"}, {"x"}),
    "moved where they are used": (
        {"body": "pass", "loss": "F.cross_entropy(model(x.cuda()), y.cuda())"},
        {"x", "y"},
    ),
    "used before it is moved": ({"body": "z = model(x); x, y = x.to(device), y.to(device)"}, {"y"}),
    "only asked for its size": ({"body": "n = x.size(0); x, y = x.to(device), y.to(device)"}, {"x", "y"}),
    "counted": ({"target": "i, (x, y) in enumerate(loader)"}, {"x", "y"}),
    "a batch in one name": (
        {"target": "batch in loader", "body": "x, y = batch[0].to(device), batch[1].to(device)"},
        {"x", "y"},
    ),
    "one part of a batch in one name": (
        {"target": "batch in loader", "body": "x, y = batch[0].to(device), batch[1]"},
        {"x"},
    ),
    "a batch that goes elsewhere": (
        {"target": "batch in loader", "body": "x, y = batch"},
        set(),
    ),
    "computed with in the function": ({"returned": "return x * scale, y"}, {"y"}),
    "an index in the function": ({"returned": "return x[y], y"}, set()),
    "in a dictionary": ({"returned": "return {'x': x, 'y': y}"}, set()),
    "a batch taken by hand": ({"before": "model(next(iter(loader))[0])"}, set()),
    "the loader goes elsewhere": ({"before": "evaluate(model, loader)"}, set()),
    "another loader": ({"before": "other = DataLoader(samples, collate_fn=gather)"}, set()),
}


@pytest.mark.parametrize(("parts", "left"), CASES.values(), ids=CASES.keys())
def test_what_the_loop_moves_is_left_on_the_cpu(parts: dict[str, str], left: set[str]) -> None:
    text = SCRIPT.format(**{**DEFAULT, **parts})
    checks = engine.Checks(frozenset({"MEM407"}), frozenset({"MEM407"}), "t.py")
    fixed = fix_text(text, "t.py", lambda code: engine.check(code, "t.py", checks).findings, unsafe=True).text
    x, y = ("x = torch.stack([s[0] for s in samples])", "y = torch.tensor([s[1] for s in samples])")
    assert {name for name, line in (("x", x), ("y", y)) if f"    {line}\n" in fixed} == left
