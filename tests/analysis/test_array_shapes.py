"""Shapes of tensors, as far as the code that makes them shows their sizes."""

from __future__ import annotations

import textwrap

import libcst as cst
import pytest

from memlint.analysis.model import ScriptModel
from memlint.analysis.shapes import shapes
from memlint.analysis.shapes.shapes import shape_of
from memlint.analysis.shapes.sizes import Shape

HEAD = """
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset
"""


def shape(source: str) -> Shape | None:
    """The shape of the argument of `show`."""
    model = ScriptModel.parse(HEAD + textwrap.dedent(source))
    call = next(c for c in model.every(cst.Call, model.module) if model.code(c.func) == "show")
    return shape_of(model, call.args[0].value)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("torch.randn(4, 3)", (4, 3)),
        ("torch.randint(0, 9, (4,))", (4,)),
        ("torch.tensor([[1.0, 2.0], [3.0, 4.0]])", (2, 2)),
        ("torch.from_numpy(np.random.rand(7)).float()", (7,)),
        ("torch.randn(4, 3)[:, 0]", (4,)),
        ("torch.randn(4, 3)[:, None, :2]", (4, 1, None)),
        ("torch.randn(4, 1).squeeze(-1)", (4,)),
        ("torch.randn(4, 3).squeeze()", None),
        ("torch.randn(8, 4, 16).transpose(1, -1)", (8, 16, 4)),
        ("torch.randn(8, 4, 16).permute(2, 0, 1)", (16, 8, 4)),
        ("torch.randn(8, 4, 16).permute((2, 0, 1))", None),
        ("torch.randn(8, 4, 16).mT", (8, 16, 4)),
        ("torch.randn(4, 16).t()", (16, 4)),
        ("np.zeros((8, 4, 16)).transpose()", None),
        ("torch.randn(8, 4, 16).transpose(1, 3)", None),
        ("torch.randn(8, 4, 16) @ torch.randn(8, 5, 16).mT", (8, 4, 5)),
        ("torch.randn(1, 4, 16).bmm(torch.randn(8, 16, 5)) / 4", (8, 4, 5)),
        ("torch.matmul(torch.randn(16), torch.randn(8, 16, 5))", None),
        ("nn.Parameter(torch.zeros(4, 1)).expand(4, 7)", (4, 7)),
        ("torch.randn(4, 3).mean(dim=1, keepdim=True)", (4, 1)),
        ("torch.randn(4, 3) @ torch.randn(3)", (4,)),
        ("torch.randn(4, 1) + torch.randn(3)", (4, 3)),
        ("torch.randn(n, 3).view(-1, 1)", (None, 1)),
        ("torch.zeros(sizes)", None),
        ("nn.Linear(3, 2)(torch.randn(4, 3))", (4, 2)),
        ("nn.Sequential(nn.Flatten(), nn.Linear(9, 2))(x)", (None, 2)),
        ("nn.Linear(3, 1)(x)", (..., 1)),
        ("nn.Conv2d(3, 8, 3)(x)", None),
        ("x", None),
    ],
)
def test_an_expression_gives_its_shape(expression: str, expected: Shape | None) -> None:
    assert shape(f"def f(x, n, sizes):\n    show({expression})\n") == expected


def test_names_have_the_shape_that_all_their_definitions_give() -> None:
    assert shape("y = torch.ones(3, 2)\nif flag:\n    y = torch.zeros(3, 5)\nshow(y)\n") == (3, None)
    assert shape("y = torch.ones(3, 2)\nif flag:\n    y = torch.zeros(3)\nshow(y)\n") is None


def test_networks_of_the_file_are_followed_to_what_they_return() -> None:
    source = """
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.last = nn.Linear(8, 1)

        def forward(self, x):
            return self.last(torch.relu(x)){}

    net = Net().to("cuda")
    show(net(torch.randn(5, 8)))
    """
    assert shape(source.format("")) == (5, 1)
    assert shape(source.format(".squeeze(1)")) == (5,)


def test_batches_have_the_shape_of_samples_behind_that_of_the_batch() -> None:
    tensors = "loader = DataLoader(TensorDataset(torch.randn(9, 4), torch.randn(9)), 3)\n"
    assert shape(f"{tensors}for i, (x, y) in enumerate(loader):\n    show(y)\n") == (None,)
    assert shape(f"{tensors}for x, y in loader:\n    x = x.cuda()\n    show(x)\n") == (None, 4)
    rows = """
    class Rows(Dataset):
        def __init__(self, x, y):
            self.x, self.y = torch.tensor(x), torch.tensor(y)

        def __getitem__(self, index):
            return self.x[index], self.y[index]

    for x, y in DataLoader(Rows(np.zeros((9, 4)), np.zeros((9, 1)))):
        show(y)
    """
    assert shape(rows) == (None, 1)


def handed_down(levels: int) -> str:
    """Functions that hand on what they get, each in two places of the one above."""
    passed = "".join(f"def f{n + 1}(x):\n    f{n}(x * 2)\n    f{n}(x + 1)\n\n\n" for n in range(levels))
    return f"def f0(x):\n    show(x)\n\n\n{passed}f{levels}(torch.randn(4, 3))\n"


def test_each_argument_on_the_way_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, look = [0], shapes._Walk._of

    def counted(walk: shapes._Walk, node: cst.CSTNode) -> Shape | None:
        looks[0] += 1
        return look(walk, node)

    monkeypatch.setattr(shapes._Walk, "_of", counted)
    assert shape(handed_down(8)) == (4, 3)
    assert looks[0] < 100
