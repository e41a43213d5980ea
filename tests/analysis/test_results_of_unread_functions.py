"""Functions of other files that are too much to be run: their text tells which results have no graph."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlint.project.results import detached_results
from tests.test_project import findings, write


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("return loss, torch.cat(parts).detach()", (False, True)),
        ("return loss, parts.detach().mean() * 2", (False, True)),
        ("return loss, {'box': box.item(), 'cls': float(cls)}", (False, True)),
        ("return loss, {'box': box.item(), 'cls': cls}", (False, False)),
        ("shown = box.detach()\n    return loss, shown, shown[0]", (False, True, True)),
        ("shown = box.detach()\n    shown += cls\n    return loss, shown", (False, False)),
        ("shown = box.item()\n    for shown in parts:\n        pass\n    return loss, shown", (False, False)),
        ("if box:\n        return loss, box.item()\n    return loss, cls", (False, False)),
        ("if box:\n        return loss\n    return loss, cls.item()", ()),
        ("if box:\n        return\n    return cls.item()", ()),
        ("def inner():\n        return loss\n    return loss.item()", (True,)),
        ("if cls:\n        box = box.detach()\n    return loss, box", (False, False)),
        ("return detach(loss)", (False,)),
        ("yield loss.item()", ()),
        ("loss.backward()", ()),
    ],
)
def test_what_a_function_gives_without_a_graph(code: str, expected: tuple[bool, ...]) -> None:
    assert detached_results(f"def compute_loss(loss, box, cls, parts):\n    {code}\n") == expected


DECORATED = "@wrap\ndef f():\n    return x.item()"


@pytest.mark.parametrize("text", ["class A: pass", "x = 1", "", DECORATED, "def f(:"])
def test_what_is_no_plain_function_gives_nothing(text: str) -> None:
    assert detached_results(text) == ()


TRAIN = """
import torch
from losses import compute_loss


def train(model, loader, optimizer):
    mean_parts = torch.zeros(3)
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss, parts = compute_loss(model(x), y)
        loss.backward()
        optimizer.step()
        mean_parts = (mean_parts * i + parts) / (i + 1)
    return mean_parts
"""


@pytest.mark.parametrize(
    ("result", "expected"), [("torch.cat(parts).detach()", []), ("torch.cat(parts)", [("MEM101", 13)])]
)
@pytest.mark.parametrize("length", [100, 12_000], ids=["read", "too long"])
def test_parts_of_a_loss_of_another_file_are_known(
    tmp_path: Path, result: str, expected: list[tuple[str, int]], length: int
) -> None:
    text = f'"""{"t" * length}"""'
    losses = f"import torch\n\n\ndef compute_loss(out, y):\n    {text}\n    parts = [out - y, out]\n"
    write(tmp_path, losses=f"{losses}    return sum(parts).mean(), {result}\n", train=TRAIN)
    assert findings(tmp_path, "train.py") == expected


OBJECT = """
import torch
from models import make

def train(name, loader, epochs):
    model = make(name).to("cuda")
    optimizer = torch.optim.Adam(model.parameters())
    rows = []
    for epoch in range(epochs):
        main = 0.0
        for x, y in loader:
            out, info = model(x)
            loss, parts = model.compute_loss(x, out, info)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            main += parts["main"]
        rows.append({"epoch": epoch, "main": main / len(loader)})
    return rows
"""
NUMBERS = """
    def compute_loss(self, x, y):
        main = (self(x) - y).square().mean()
        return main, {"main": float(main.detach())}
"""
GRAPHS = NUMBERS.replace("float(main.detach())", "main")
ABSTRACT = """
    def compute_loss(self, x, y):
        raise NotImplementedError
"""


@pytest.mark.parametrize(
    ("methods", "expected"),
    [
        ([NUMBERS], []),
        ([NUMBERS, NUMBERS], []),
        ([ABSTRACT, NUMBERS], []),
        ([NUMBERS, GRAPHS], ["MEM102"]),
        ([GRAPHS], ["MEM102"]),
    ],
)
def test_all_methods_of_a_name_tell_what_one_of_them_gives(
    tmp_path: Path, methods: list[str], expected: list[str]
) -> None:
    classes = [f"class Model{n}(torch.nn.Module):{body}" for n, body in enumerate(methods)]
    models = "import torch\n\n" + "\n\n".join(classes) + "\n\ndef make(name):\n    return REGISTRY[name]()\n"
    write(tmp_path, train=OBJECT, models=models)
    assert [code for code, _ in findings(tmp_path, "train.py")] == expected
