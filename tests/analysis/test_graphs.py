"""Why a value carries a graph, or why it does not: a small script, the reason asserted."""

from __future__ import annotations

import libcst as cst
import pytest

from memlint.analysis.model import ScriptModel
from memlint.analysis.training.graphs import Why, graph_of, is_wasted, wants_input_gradients

SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
weight = torch.zeros(3, requires_grad=True)
kept = []
for x, y in DataLoader(data):
    {grad}out = net(x)
    {last}
"""


@pytest.mark.parametrize(
    ("last", "why"),
    [
        ("kept.append(out)", Why.FORWARD),
        ("kept.append(out * 2)", Why.FORWARD),
        ("kept.append((y, out.mean()))", Why.FORWARD),
        ("kept.append((weight**2).sum())", Why.WEIGHTS),
        ("kept.append(elsewhere(y))", Why.UNSEEN),
        ("kept.append(env.step(y))", Why.ENVIRONMENT),
    ],
)
def test_the_reason_of_a_graph(last: str, why: Why) -> None:
    model = ScriptModel.parse(SCRIPT.format(last=last, grad=""))
    (store,) = model.trace.stores.values()
    assert graph_of(model, store.value, store.ids).why is why


def test_a_graph_from_a_forward_names_the_forward() -> None:
    model = ScriptModel.parse(SCRIPT.format(last="kept.append(out)", grad=""))
    (store,) = model.trace.stores.values()
    graph = graph_of(model, store.value, store.ids)
    assert graph.carried
    assert graph.certain
    assert [f.code for f in graph.forwards] == ["net"]


@pytest.mark.parametrize("reads", ["print(out.numpy())", "np.asarray(out, dtype=float)", "a = np.array(out)"])
def test_what_is_read_as_numbers_has_no_graph(reads: str) -> None:
    script = "import numpy as np" + SCRIPT.format(last=f"kept.append(out)\n    {reads}", grad="")
    model = ScriptModel.parse(script)
    (store,) = model.trace.stores.values()
    graph = graph_of(model, store.value, store.ids)
    assert graph.why is Why.READ_AS_NUMBERS
    assert not graph.carried


@pytest.mark.parametrize(
    ("last", "wasted"),
    [("print(out)", True), ("out.mean().backward()", False), ("print(out.numpy())", False)],
)
def test_a_forward_is_wasted_where_no_backward_goes_through_it(last: str, wasted: bool) -> None:
    model = ScriptModel.parse(SCRIPT.format(last=last, grad=""))
    (forward,) = model.trace.forwards.values()
    assert is_wasted(model, forward) is wasted


def test_a_forward_under_no_grad_wastes_nothing() -> None:
    model = ScriptModel.parse(SCRIPT.format(last="print(out)", grad="with torch.no_grad(): "))
    (forward,) = model.trace.forwards.values()
    assert not is_wasted(model, forward)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x.requires_grad_()", True),
        ("x.requires_grad = True", True),
        ("torch.autograd.grad(loss, x)", True),
        ("torch.zeros(3, requires_grad=True)", True),
        ("x.requires_grad_(False)", False),
        ("x.requires_grad = False", False),
        ("loss.backward(create_graph=False)", False),
        ("print('requires_grad')", False),
    ],
)
def test_code_that_differentiates_with_respect_to_inputs(code: str, expected: bool) -> None:
    model = ScriptModel.parse(f"import torch\ndef attack(x):\n    {code}\n")
    assert wants_input_gradients(model, [model.names.every(cst.FunctionDef)[0]]) is expected
