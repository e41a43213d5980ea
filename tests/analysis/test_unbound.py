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
        ("torch, nn = make()\nnet = nn.Linear(2, 2)\n", True),
        ("def fit(torch, x):\n    return torch.zeros(3)\n", True),
        ("model.zero_grad()\nloss.backward()\n", True),
        ("import paddle\nmodel.zero_grad()\nloss.backward()\n", False),
        ("frame.eval('a + b')\n", False),
        ("from .tensor import Tensor\nmodel.eval()\nout = model(Tensor(x))\n", False),
        ("from engine import Tensor\nmodel.zero_grad()\nloss.backward()\n", False),
        ("def f():\n    from .tensor import Tensor as T\n    model.eval()\n    return model(T(x))\n", False),
        ("class Tensor:\n    pass\n\nmodel.zero_grad()\nloss.backward()\n", False),
        ("from .data import load\nmodel.zero_grad()\nloss.backward()\n", True),
        ("from torch import Tensor\nmodel.eval()\n", True),
    ],
)
def test_snippets_concern_torch_by_their_names_and_idioms(text: str, torch: bool) -> None:
    assert ScriptModel.parse(text).concerns_torch is torch


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import torch\ntorch.load('a')\n", "torch.load"),
        ("try:\n    import torch\nexcept ImportError:\n    torch = None\ntorch.load('a')\n", "torch.load"),
        ("torch = lazy('torch')\ntorch.load('a')\n", "torch.load"),
        ("def read(torch):\n    torch.load('a')\n", "torch.load"),
        ("torch, nn = lazy()\nnn.Linear(2, 2)\n", "torch.nn.Linear"),
        ("nn = lazy()\nnn.Linear(2, 2)\n", ""),
        ("import torch.nn as nn\nnn = lazy()\nnn.Linear(2, 2)\n", ""),
        ("import torch\nF = torch.zeros(2)\nF.sum()\n", ""),
    ],
)
def test_torch_is_the_module_whoever_binds_the_name(text: str, expected: str) -> None:
    model = ScriptModel.parse(text)
    assert model.names.one(model.names.calls[-1].func) == expected
