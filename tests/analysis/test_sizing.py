"""How large outputs and gradients are: what is visible, what speaks of size, and what says nothing."""

from __future__ import annotations

from inspect import cleandoc

import pytest

from memlint.analysis.facts import Forward
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.sizing.outputs import ROWS, TOKENS, Size, gradient_size, output_size
from memlint.analysis.values import Ref

LOOP = """
import torch, torchvision
from torch import nn
import torch.nn.functional as F
{before}
def train({arguments}):
    for x, y in {batches}:
        out = net(x)
        loss = {loss}
        loss.backward()
        optimizer.step()
"""
NET = """
class Net(nn.Module):
    def __init__(self{arguments}):
        super().__init__()
        {layers}
    def forward(self, x):
        return {result}
net = Net()
"""


def model_of(before: str, loss: str, batches: str, arguments: str) -> ScriptModel:
    text = cleandoc(LOOP).format(before=before, loss=loss, batches=batches, arguments=arguments)
    return ScriptModel.parse(text + "\n")


def forward_of(model: ScriptModel) -> Forward:
    """The pass through `net` in the loop."""
    return next(f for f in model.trace.forwards.values() if model.short(f.node) == "net(x)")


def module(layers: str, result: str, arguments: str = "") -> str:
    return cleandoc(NET).format(layers=layers, result=result, arguments=arguments)


def size(before: str, loss: str = "F.cross_entropy(out, y)", batches: str = "loader", net: str = "") -> Size:
    model = model_of(before, loss, batches, f"loader, optimizer{', ' + net if net else ''}")
    return output_size(model, forward_of(model))


@pytest.mark.parametrize(
    ("before", "width"),
    [
        ("net = nn.Linear(8, 10)", 10),
        ("net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.Flatten(), nn.Linear(8, 1000), nn.LogSoftmax(1))", 1000),
        (module("self.fc = nn.Linear(8, classes)", "F.log_softmax(self.fc(x), dim=1)", ", classes=10"), 10),
        (module("self.fc = nn.Linear(8, 7)", "(self.fc(x), x)"), 7),
        ("net = torchvision.models.resnet50()", 1000),
        ("net = torchvision.models.resnet18(num_classes=10)", 10),
    ],
)
def test_a_visible_width_decides(before: str, width: int) -> None:
    assert size(before) == Size(width, width * ROWS * 4)
    assert not size(before).matters


def test_the_rows_are_those_of_the_loader_or_of_the_tokens() -> None:
    wide = "net = nn.Linear(8, 1000)"
    loader = "\nfrom torch.utils.data import DataLoader\ndata = DataLoader(rows, batch_size=2048)"
    assert size(wide + loader, batches="data").bytes == 1000 * 2048 * 4
    assert size(wide + loader, batches="data").matters
    by_token = size("net = nn.Linear(8, 65)", "F.cross_entropy(out.view(-1, 65), y.view(-1))")
    assert by_token.bytes == 65 * TOKENS * 4
    assert not by_token.matters
    assert size("", "F.cross_entropy(out.view(-1, 50257), y)", net="net").matters


@pytest.mark.parametrize(
    "before",
    [
        module("self.up = nn.ConvTranspose2d(8, 3, 4)", "torch.tanh(self.up(x))"),
        "net = nn.Sequential(nn.Linear(8, 64), nn.Unflatten(1, (1, 8, 8)), nn.Conv2d(1, 3, 3), nn.Sigmoid())",
        "net = torchvision.models.segmentation.fcn_resnet50()",
        module("self.head = nn.Linear(8, vocab_size)", "self.head(x)", ", vocab_size"),
        "from transformers import AutoModelForCausalLM\nnet = AutoModelForCausalLM.from_pretrained('gpt2')",
    ],
)
def test_vocabularies_and_images_matter_without_a_number(before: str) -> None:
    assert size(before).matters


def test_a_network_of_which_nothing_is_known_does_not_matter() -> None:
    assert size("", net="net") == Size()
    assert not size("", "F.cross_entropy(out.view(8, -1, 256), y)", net="net").matters
    assert size("", "F.cross_entropy(out, masks)", net="net").matters
    assert size("", "F.cross_entropy(out.flatten(0, 1), y)", net="net").matters


def gradients(before: str) -> Size:
    model = model_of(before, "out.sum()", "loader", "loader, optimizer")
    module = forward_of(model).module
    assert isinstance(module, Ref)
    return gradient_size(model, module.obj)


@pytest.mark.parametrize(
    ("before", "matters"),
    [
        ("net = nn.Linear(8, 2)", False),
        ("net = nn.Sequential(nn.Linear(1000, 1000), nn.Linear(1000, 8))", True),
        ("net = torchvision.models.resnet50()", True),
        (module("self.cell = nn.LSTM(8, 8)", "self.cell(x)"), False),
        (module("self.table = nn.Embedding(vocab_size, 8)", "self.table(x)", ", vocab_size"), True),
    ],
)
def test_gradients_are_as_large_as_what_is_visible_of_the_parameters(before: str, matters: bool) -> None:
    assert gradients(before).matters == matters
