"""The role of an expression and its evidence: a small script, kind and evidence asserted."""

from __future__ import annotations

import libcst as cst
import pytest

from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import role_of, role_of_class, tensor_attributes, why_forward

MADE = """
import torch
from torch import nn
from torch.utils.data import DataLoader
{before}
{name}
"""


def last_expression(model: ScriptModel) -> cst.BaseExpression:
    return model.names.every(cst.Expr)[-1].value


@pytest.mark.parametrize(
    ("before", "name", "kind", "evidence"),
    [
        ("thing = nn.Linear(4, 1)", "thing", "module", "value"),
        ("thing = DataLoader(data)", "thing", "loader", "value"),
        ("thing = torch.optim.SGD(w, lr=0.1)", "thing", "optimizer", "value"),
        ("class Net(nn.Module): pass\nthing = Net()", "thing", "module", "value"),
        ("other = nn.Linear(4, 1)\nthing = other", "thing", "module", "value"),
        ("print(thing.param_groups)", "thing", "optimizer", "use"),
        ("for p in self.thing.parameters(): print(p)", "self.thing", "module", "use"),
        ("", "val_loader", "loader", "name"),
        ("", "self.optimizer_g", "optimizer", "name"),
        ("model = DataLoader(data)", "model", "loader", "value"),
    ],
)
def test_the_role_comes_from_the_strongest_evidence(before: str, name: str, kind: str, evidence: str) -> None:
    model = ScriptModel.parse(MADE.format(before=before, name=name))
    role = role_of(model, last_expression(model))
    assert role is not None
    assert (role.kind, role.evidence) == (kind, evidence)


@pytest.mark.parametrize("name", ["thing", "model_name", "num_workers", "thing[0]"])
def test_nothing_tells(name: str) -> None:
    model = ScriptModel.parse(MADE.format(before="", name=name))
    assert role_of(model, last_expression(model)) is None


FORWARD = """
import torch
from torch import nn
{before}
def run(x):
    return {call}(x)
"""


@pytest.mark.parametrize(
    ("before", "call", "evidence", "word"),
    [
        ("thing = nn.Linear(4, 1)", "thing", "value", "torch.nn.Linear"),
        ("", "model", "name", "model"),
        ("thing = load()\nthing.eval()", "thing", "use", "thing"),
    ],
)
def test_why_a_call_was_taken_for_a_forward(before: str, call: str, evidence: str, word: str) -> None:
    model = ScriptModel.parse(FORWARD.format(before=before, call=call))
    (forward,) = model.trace.forwards.values()
    (role,) = why_forward(model, forward)
    assert (role.kind, role.evidence) == ("module", evidence)
    assert f"`{word}`" in role.reason


def test_a_loader_of_another_library_is_taught_by_its_path() -> None:
    text = "from torch_geometric.loader import DataLoader\nthing = DataLoader(data)\nthing\n"
    model = ScriptModel.parse(text)
    role = role_of(model, last_expression(model))
    assert role is not None
    assert (role.kind, role.reason) == ("loader", "`torch_geometric.loader.DataLoader` makes it")


@pytest.mark.parametrize(
    ("bases", "role"),
    [
        ("(nn.Module)", "module"),
        ("(nn.Linear)", "module"),
        ("(torch.utils.data.Dataset)", "dataset"),
        ("(dict)", "instance"),
        ("", "instance"),
    ],
)
def test_the_role_of_a_class_comes_from_its_bases(bases: str, role: str) -> None:
    model = ScriptModel.parse(f"import torch\nfrom torch import nn\nclass Thing{bases}:\n    pass\n")
    assert role_of_class(model, model.names.every(cst.ClassDef)[0]) == role


@pytest.mark.parametrize(
    ("value", "keeps"),
    [
        ("torch.zeros(8)", True),
        ("nn.Linear(8, 8).eval()", True),
        ("torch.load(path)", True),
        ("model.eval()", True),
        ("model", False),
        ("torch.zeros(8).tolist()", False),
        ("torch.device('cuda')", False),
        ("{}", False),
    ],
)
@pytest.mark.parametrize("made", ["", "Thing('a', thing)"])
def test_what_objects_of_a_class_keep(value: str, keeps: bool, made: str) -> None:
    model = ScriptModel.parse(
        f"import torch\nfrom torch import nn\nclass Thing:\n    def __init__(self, path, model):\n"
        f"        self.kept = {value}\n{made}\n"
    )
    assert bool(tensor_attributes(model, model.names.every(cst.ClassDef)[0])) is keeps
