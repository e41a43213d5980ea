"""MEM806: who reads logits beside their loss, and what its fix writes for which torch."""

from __future__ import annotations

import pytest

from memlint import catalogue
from memlint.analysis.match import Match, Replace
from memlint.analysis.model import ScriptModel
from memlint.detect.opportunities.chunked_linear_cross_entropy import detect

NETWORK = """\
import torch
from torch import nn
from torch.nn import functional as F


class Decoder(nn.Module):
    def __init__(self, width, vocab_size):
        super().__init__()
        self.head = nn.Linear(width, vocab_size)

    def forward(self, x, targets):
        logits = self.head(x)
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten(){options})
        return logits, loss


model = Decoder(64, 50_000).cuda()
optimizer = torch.optim.AdamW(model.parameters())
for x, y in zip(torch.randn(9, 8, 64, 64).cuda(), torch.randint(50_000, (9, 8, 64)).cuda()):
"""
STEP = "    loss.backward()\n    optimizer.step()\n    optimizer.zero_grad()\n"


def found(text: str, torch: tuple[int, ...] | None = None) -> list[Match]:
    return list(detect(ScriptModel.parse(text, target_torch=torch), catalogue.find("MEM806")[0]))


@pytest.mark.parametrize(
    ("loop", "count"),
    [
        ("    logits, loss = model(x, y)\n" + STEP, 1),
        ("    _, loss = model(x, y)\n" + STEP, 1),
        ("    loss = model(x, y)[1]\n" + STEP, 1),
        ("    logits, loss = model(x, y)\n" + STEP + "    print(logits.argmax(-1) == y)\n", 0),
    ],
)
def test_a_caller_that_reads_logits_and_loss_needs_both(loop: str, count: int) -> None:
    assert len(found(NETWORK.format(options="") + loop)) == count


@pytest.mark.parametrize(
    ("torch", "options", "head", "own"),
    [
        (None, "", "", False),
        ((2, 12), "", "", False),
        ((2, 13), "", "", True),
        ((2, 13), ", ignore_index=0", "", True),
        ((2, 13), ", label_smoothing=0.1", "", False),
        ((2, 13), "", "    torch.autocast('cuda').__enter__()\n", False),
    ],
)
def test_the_function_of_torch_is_written_where_it_does_the_same(
    torch: tuple[int, ...] | None, options: str, head: str, own: bool
) -> None:
    text = NETWORK.format(options=options) + head + "    logits, loss = model(x, y)\n" + STEP
    (match,) = found(text, torch)
    changes = match.plans[0].changes
    code = next(change.code for change in changes if isinstance(change, Replace) and "targets" in change.code)
    if own:
        given = f"x.flatten(0, -2), self.head.weight, targets.flatten().flatten(){options}"
        expected = (
            f"torch.nn.functional.linear_cross_entropy({given}, linear_bias=self.head.bias, "
            "options=torch.nn.LinearCrossEntropyOptions())"
        )
    else:
        expected = f"chunked_cross_entropy(self.head, x, targets.flatten(){options})"
    assert code == expected


def test_a_file_gets_the_function_once() -> None:
    second = "\n\ntied = nn.Linear(64, 50_000)\n\n\ndef other(x, y):\n    F.cross_entropy(tied(x), y)\n"
    text = NETWORK.format(options="").replace("\n\nmodel = ", f"{second}\n\nmodel = ")
    one, other = found(text + "    logits, loss = model(x, y)\n" + STEP)
    assert (len(one.plans), len(other.plans)) == (1, 0)
    assert other.no_fix == "the file gets its `chunked_cross_entropy` with another fix"
