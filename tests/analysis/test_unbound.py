"""Names that a file never binds: what they mean in snippets and behind star imports."""

from __future__ import annotations

import pytest

from memlint.analysis.knowledge.unbound import meaning
from memlint.analysis.model import ScriptModel


@pytest.mark.parametrize(
    ("name", "rest", "stars", "expected"),
    [
        ("torch", "load", (), "torch.load"),
        ("nn", "Linear", (), "torch.nn.Linear"),
        ("amp", "autocast", (), "torch.amp.autocast"),
        ("amp", "scale_loss", (), "apex.amp.scale_loss"),
        ("Linear", "", ("torch.nn", "blocks"), "torch.nn.Linear"),
        ("Linear", "", ("blocks",), ""),
        ("Encoder", "", ("torch.nn",), ""),
        ("nn", "Linear", ("paddle",), ""),
    ],
)
def test_unbound_names_mean_the_modules(name: str, rest: str, stars: tuple[str, ...], expected: str) -> None:
    assert meaning(name, rest, stars) == expected


@pytest.mark.parametrize(
    ("text", "torch"),
    [
        ("net = nn.Linear(2, 2)\n", True),
        ("nn = make()\nnet = nn.Linear(2, 2)\n", False),
        ("model.zero_grad()\nloss.backward()\n", True),
        ("import paddle\nmodel.zero_grad()\nloss.backward()\n", False),
        ("frame.eval('a + b')\n", False),
    ],
)
def test_snippets_concern_torch_by_their_names_and_idioms(text: str, torch: bool) -> None:
    assert ScriptModel.parse(text).concerns_torch is torch
