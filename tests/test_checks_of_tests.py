"""Files that are tests: which ones are, what is told there, and the setting that turns the rest on."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from memlint.__main__ import main
from memlint.catalogue import load
from memlint.finding import Severity
from memlint.project.tests import is_test

BODY = """
import torch

net = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
total = 0
for x in torch.randn(8, 2, 4):
    optimizer.zero_grad()
    loss = net(x).mean()
    loss.backward()
    optimizer.step()
    total += net(x).mean()
"""
BROKEN = "\ntorch.cuda.clear_cache()\n"
EVALUATES = """
import argparse

def test_model(net, loader):
    for x in loader:
        print(net(x))

if __name__ == "__main__":
    test_model(*argparse.ArgumentParser().parse_args().both)
"""
WITHOUT_ARGUMENTS = "def test_all():\n    print(net(x))\n\ntest_all()\n"
PYTEST = "import pytest\n\n@pytest.mark.slow\ndef test_net(net):\n    net(1)\n"
CASE = "from unittest import TestCase\n\nclass Net(TestCase):\n    def test_net(self):\n        net(1)\n"
TENSORFLOW = "import tensorflow as tf\nclass Nets(tf.test.TestCase):\n    def test_x(self):\n        f(1)\n"
ASSERTS = "def test_shape(net):\n    assert net(1).shape == (1,)\n"
TESTER = "class Tester:\n    def __init__(self):\n        pass\n    def test_epoch(self):\n        f(1)\n"
CHECKS = """
import torch

def check_shape(build, sizes):
    for size in sizes:
        x = torch.randn(2, size)
        if build(size)(x).shape != x.shape:
            raise AssertionError(f"another shape than {size}")
"""


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("tests/helpers.py", "", True),
        ("pkg/Tests/deep/nets.py", EVALUATES, True),
        ("conftest.py", "", True),
        ("pkg/testing/nets.py", "x = 1", True),
        ("test/evaluate.py", EVALUATES, False),
        ("scripts/smoke_test.py", BODY, True),
        ("scripts/smoke_detection.py", BODY, False),
        ("benchmarks/conv.py", "import time\nnet(1)", True),
        ("benchmarks/train.py", BODY, False),
        ("pkg/check_nets.py", PYTEST, True),
        ("pkg/check_nets.py", CASE, True),
        ("pkg/nets_test.py", CASE.replace("from unittest", "from absl.testing.absltest"), True),
        ("test_nets.py", ASSERTS, True),
        ("test_nets.py", TENSORFLOW, True),
        ("nets.py", ASSERTS, False),
        ("test_nets.py", "def test_forward():\n    net(1)\n", True),
        ("test_nets.py", EVALUATES, False),
        ("test_nets.py", WITHOUT_ARGUMENTS, False),
        ("test_nets.py", TESTER, False),
        ("test.py", EVALUATES, False),
        ("latest_run.py", BODY, False),
        ("pkg/testing.py", CHECKS, True),
        ("pkg/testing.py", BODY, False),
        ("pkg/testing_nets.py", CHECKS, False),
        ("pkg/testing.py", EVALUATES, False),
        ("train.py", "import unittest.mock\n" + BODY, False),
    ],
)
def test_what_is_a_test(path: str, text: str, expected: bool) -> None:
    assert is_test(path, ast.parse(text)) is expected


def test_a_test_tells_only_what_breaks_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also when it is named itself, and whatever the reports kept from the last run say."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "tests" / "nets.py"
    file.write_text(BODY + BROKEN, encoding="utf-8")

    def codes(*options: str) -> tuple[set[str], int]:
        main(["check", "--output-format", "json", *options])
        document = json.loads(capsys.readouterr().out)
        return {found["code"] for found in document["findings"]}, document["summary"]["left_out_in_tests"]

    for paths in ((), ("tests/nets.py",), ("tests",), ()):
        assert codes(*paths) == ({"MEM902"}, 1)
        assert codes(*paths, "--check-tests") == ({"MEM101", "MEM902"}, 0)
    assert codes("--config", "check-tests = true") == ({"MEM101", "MEM902"}, 0)
    file.write_text(BODY, encoding="utf-8")
    assert main(["check"]) == 0
    assert "1 finding in tests left out: --check-tests reports it." in capsys.readouterr().out
    assert main(["check", "-q"]) == 0
    assert not capsys.readouterr().out
    file.write_text(BODY.replace("0.1)", "0.1"), encoding="utf-8")
    assert codes() == ({"MEM001"}, 0)


def test_a_comment_about_what_is_left_out_is_in_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "conftest.py"
    marked = BODY.rstrip() + "  # memlint: ignore[MEM101]\n"
    file.write_text(marked, encoding="utf-8")
    assert main(["check", "--isolated", "--no-cache", str(file)]) == 0
    assert "left out" not in capsys.readouterr().out


def test_every_error_that_says_it_raises_names_what() -> None:
    """That is the data by which a finding counts in a test."""
    silent = {
        f"{rule.code} {name}"
        for rule in load()
        for name, variant in rule.variants.items()
        if variant.severity is Severity.ERROR and "raises " in variant.message
        if variant.claim is None or not variant.claim.raises
    }
    assert silent == set()


IN_A_TEST = """\
import pytest
import torch
from torch.utils.data import DataLoader


def test_accuracy(data):
    model = torch.nn.Linear(784, 10).cuda()
    model.load_state_dict(torch.load("net.pt"))
    model.eval()
    right = 0
    for x, y in DataLoader(data, batch_size=64):
        right += (model(x.cuda()).argmax(1).cpu() == y).sum().item()
    assert right > 100


class TestTraining:
    def test_loss_falls(self, data):
        model = torch.nn.Linear(784, 10).cuda()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        total = 0.0
        for x, y in DataLoader(data, batch_size=64):
            loss = torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss
        assert total < 100
"""


@pytest.mark.parametrize("name", ["test_net.py", "net.py"])
def test_the_setting_brings_back_what_functions_of_unit_tests_waste(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    file = tmp_path / name
    file.write_text(IN_A_TEST, encoding="utf-8")

    def codes(*options: str) -> set[str]:
        main(["check", "--isolated", "--no-cache", "--output-format", "json", *options, str(file)])
        return {found["code"] for found in json.loads(capsys.readouterr().out)["findings"]}

    assert codes() == set()
    assert codes("--check-tests") == {"MEM101", "MEM201", "MEM701"}
