"""Repositories as people unpack them, and library code in them: what other modules say counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlint.analysis.interpret import weights
from memlint.commands.batch import project_of
from tests.test_project import findings, write

MODES = """
from contextlib import contextmanager

import torch


@contextmanager
def evaluating(*nets):
    training = [net for net in nets if net.training]
    try:
        {switch}
            yield [net.eval() for net in nets]
    finally:
        for net in training:
            net.train()
"""

FINDER = """
import torch
from toolbox.costly import prepare
from toolbox.modes import evaluating


class Finder:
    def __init__(self, model, criterion):
        self.model, self.criterion = model, criterion

    def validate(self, batches):
        prepare(self)
        total = 0
        with evaluating(self.model):
            for inputs, labels in batches:
                total += self.criterion(self.model(inputs), labels).item()
        return total
"""

COSTLY = "def prepare(finder):\n" + "".join(
    f"    finder.optimizer_{n} = [finder.loss_{n} for _ in range({n})]\n" for n in range(120)
)
"""It uses up what may be read and run of other modules for a function that nothing calls."""


@pytest.mark.parametrize(("switch", "codes"), [("with torch.no_grad():", set()), ("if True:", {"MEM201"})])
def test_a_context_manager_of_another_module_is_read_whatever_else_was(
    tmp_path: Path, switch: str, codes: set[str]
) -> None:
    write(tmp_path, toolbox__modes=MODES.format(switch=switch), toolbox__costly=COSTLY)
    write(tmp_path, toolbox__finder=FINDER)
    (tmp_path / "toolbox" / "__init__.py").write_text("")
    assert {code for code, _ in findings(tmp_path, "toolbox/finder.py")} == codes


FREEZING = """
def {name}(parameters, flag=True):
    for parameter in parameters:
        {line}
"""

ENERGY = """
import torch
from torch import nn
from toolbox.costly import prepare
from toolbox.freezing import {name}


class Energy:
    def __init__(self):
        self.net = nn.Linear(8, 1)

    def fit(self, loader):
        prepare(self)
        weights = list(self.net.parameters())
        optimizer = torch.optim.Adam(weights)
        {name}(weights, False)
        sizes = []
        for real, fake in loader:
            {name}(weights, {trains})
            size = self.net(real).square()
            loss = size.mean() + self.net(fake).mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            sizes.append(size.mean())
        print(sum(sizes))
"""


@pytest.mark.parametrize(("trains", "codes"), [("True", {"MEM102"}), ("False", set())])
@pytest.mark.parametrize(
    ("name", "line"),
    [("requires_grad", "parameter.requires_grad = flag"), ("toggle", "parameter.requires_grad_(flag)")],
)
def test_a_function_of_another_module_that_freezes_is_run_whatever_else_was(
    tmp_path: Path, name: str, line: str, trains: str, codes: set[str]
) -> None:
    write(tmp_path, toolbox__freezing=FREEZING.format(name=name, line=line), toolbox__costly=COSTLY)
    write(tmp_path, toolbox__energy=ENERGY.format(name=name, trains=trains))
    (tmp_path / "toolbox" / "__init__.py").write_text("")
    assert {code for code, _ in findings(tmp_path, "toolbox/energy.py")} & {"MEM102"} == codes


@pytest.mark.parametrize(
    ("files", "given", "root"),
    [
        (("pack/__init__.py", "pack/deep/__init__.py"), None, "repo"),
        (("pack/__init__.py", "setup.py"), None, "repo"),
        (("pack/deep/requirements.txt",), None, "repo/pack/deep"),
        ((), None, "repo/pack/deep"),
        ((), "repo", "repo"),
        (("pack/__init__.py", "pack/deep/__init__.py"), "repo/pack/deep", "repo"),
        (("pyproject.toml",), "repo/pack", "repo"),
    ],
)
def test_an_unpacked_archive_has_a_root(
    tmp_path: Path, files: tuple[str, ...], given: str | None, root: str
) -> None:
    folder = tmp_path / "repo" / "pack" / "deep"
    folder.mkdir(parents=True)
    for name in files:
        (tmp_path / "repo" / name).write_text("")
    assert project_of(folder, tmp_path / given if given else None) == tmp_path / root


POSTERIOR = """
class Posterior:
    def __init__(self, mvn, kind="normal"):
        self.mvn = mvn
"""

PROCESS = """
import torch
from posteriors import Posterior


class Process(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.kernel = torch.nn.Linear(3, 3)

    def forward(self, points):
        return self.kernel(points)

    def posterior(self, points):
        self.eval()
        return Posterior({value})
"""


@pytest.mark.parametrize(
    ("value", "codes"),
    [
        ("self(points)", set()),
        # A getter: its graph is gone before the caller goes on.
        ("self(points).detach()", set()),
        ("[self(row).argmax().item() for row in points]", {"MEM201"}),
    ],
)
def test_what_an_object_holds_leaves_with_it(tmp_path: Path, value: str, codes: set[str]) -> None:
    write(tmp_path, posteriors=POSTERIOR, process=PROCESS.format(value=value))
    assert {code for code, _ in findings(tmp_path, "process.py")} == codes


HOOKED = """
import torch


class Hooked:
    def __init__(self, model, backward):
        self.model, self.backward = model, backward

    def __call__(self, images):
        self.model.eval()
        logits = self.model(images)
        if self.backward:
            logits[:, 0].sum().backward()
        return logits.argmax(1)


class Activations:
    def __init__(self, model):
        self.hooked = Hooked(model, backward=False)

    def __call__(self, images):
        return self.hooked(images)


class Gradients:
    def __init__(self, model):
        self.hooked = Hooked(model, backward={backward})

    def __call__(self, images):
        return self.hooked(images)


model = torch.nn.Linear(3, 2)
print(Activations(model)(torch.randn(4, 3)), Gradients(model)(torch.randn(4, 3)))
"""


@pytest.mark.parametrize(("backward", "codes"), [("True", set()), ("False", {"MEM201"})])
def test_a_line_that_one_caller_differentiates_is_no_waste(
    tmp_path: Path, backward: str, codes: set[str]
) -> None:
    write(tmp_path, maps=HOOKED.format(backward=backward))
    assert {code for code, _ in findings(tmp_path, "maps.py")} == codes


PREDICTS = """
import torch
from zoo import load


def evaluate(batches):
    model = load("model.pt")
    model.eval()
    for batch in torch.utils.data.DataLoader(batches):
        {call}
"""


@pytest.mark.parametrize(
    ("call", "codes"),
    [("model.extend_embedder_vocab(batch)", set()), ("print(model.embed(batch).argmax())", {"MEM201"})],
)
def test_a_method_called_for_its_effect_is_no_forward_pass(
    tmp_path: Path, call: str, codes: set[str]
) -> None:
    write(tmp_path, script=PREDICTS.format(call=call))
    assert {code for code, _ in findings(tmp_path, "script.py")} - {"MEM401"} == codes


def test_a_model_of_another_library_keeps_its_methods(tmp_path: Path) -> None:
    script = "import tensorflow as tf\n{made}\nmodel.evaluate_generator(batches)\n"
    other = "import chem\nmodel = chem.models.KerasModel(tf.keras.Sequential())"
    write(tmp_path, other=script.format(made=other))
    write(tmp_path, keras=script.format(made="model = tf.keras.Sequential()"))
    assert "MTF101" not in {code for code, _ in findings(tmp_path, "other.py")}
    assert "MTF101" in {code for code, _ in findings(tmp_path, "keras.py")}


AGENT = (
    """
import torch


class Agent:
    def act(self, observations):
        batch = self.batchify(observations)
        if self.is_training:
            return self.train_step(batch)
        {switch}
            return self.eval_step(batch)
"""
    + "    TEXTS = [\n"
    + "".join(f"        'a reply that nobody gives, number {n:04}',\n" for n in range(400))
    + "    ]\n"
)
"""A base class that is too long to be run."""

RANKER = """
import torch
from core.agent import Agent


class Middle(Agent):
    pass


class Quiet(Agent):
    @torch.no_grad()
    def act(self, observations):
        return super().act(observations)


class Ranker({base}):
    def eval_step(self, batch):
        self.model.eval()
        for candidates in torch.utils.data.DataLoader(batch):
            self.scores.append(self.model(candidates).argmax().item())
"""


@pytest.mark.parametrize(
    ("switch", "base", "codes"),
    [
        ("with torch.no_grad():", "Agent", set()),
        ("with torch.no_grad():", "Middle", set()),
        ("if observations:", "Agent", {"MEM201"}),
        ("if observations:", "Middle", {"MEM201"}),
        ("if observations:", "Quiet", set()),
        ("with torch.no_grad():", "torch.nn.Module", {"MEM201"}),
    ],
)
def test_a_base_class_too_long_to_run_still_says_that_it_calls_without_gradients(
    tmp_path: Path, switch: str, base: str, codes: set[str]
) -> None:
    write(tmp_path, core__agent=AGENT.replace("{switch}", switch), ranker=RANKER.format(base=base))
    assert {code for code, _ in findings(tmp_path, "ranker.py")} - {"MEM401"} == codes


PARTS = "import torch\ndef make(n):\n    k = 0\n" + "    k += 1\n" * 500 + "    return torch.nn.Linear(n, 1)"
"""A function of which so much is run that nothing is left for the base class."""


def test_a_base_class_that_was_read_but_not_run_says_so_too(tmp_path: Path) -> None:
    agent = AGENT.partition("    TEXTS")[0].replace("{switch}", "with torch.no_grad():")
    made = "    def __init__(self):\n        self.model, self.scores = make(3), []\n\n    def eval_step"
    ranker = RANKER.format(base="Agent").replace("    def eval_step", made)
    ranker = ranker.replace("import torch\n", "import torch\nfrom core.parts import make\n")
    write(tmp_path, core__agent=agent, core__parts=PARTS, ranker=ranker)
    assert "MEM201" not in {code for code, _ in findings(tmp_path, "ranker.py")}


MADE = """
from core.parts import {names}
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
{made}
    def forward(self, x):
        return x
"""

RUN = """
import torch
from core.net import Net

net = Net()
net.eval()
for x in torch.load("batches.pt"):
    print(net(x).sum().item())
"""


def test_what_a_class_makes_is_looked_at_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each definition read leaves less that may be read, so the order may not depend on the hash seed."""
    asked: list[str] = []

    def ask(*given: object) -> bool:
        asked.append(str(given[2]))
        return True

    monkeypatch.setattr(weights, "_is_weightless_class", ask)
    names = ["Zeta", "Alpha", "Mu", "Beta", "Xi", "Gamma", "Rho", "Delta"]
    made = "".join(f"        self.part{n} = {name}()\n" for n, name in enumerate(names))
    write(tmp_path, core__parts="", core__net=MADE.format(names=", ".join(names), made=made), script=RUN)
    findings(tmp_path, "script.py")
    assert set(asked) == set(names)
    assert asked[: len(names)] == sorted(names)


POTENTIAL = """
import torch
from torch import nn
from torch.autograd import grad


class Base(nn.Module):
    def derivatives(self, energy, inputs):
        {derive}

    def step(self, loss, optimizer):
        loss.backward()
        optimizer.step()


class Potential(Base):
    def __init__(self, net):
        super().__init__()
        self.net = net

    @classmethod
    def load(cls, path):
        return cls(torch.load(path, map_location="cpu"))

    def forward(self, places, cell):
        energy = self.net(places)
        forces = self.{runs}(energy, places)
        return energy, forces

    def shifted(self, energy, places):
        return energy.sum(-1)
"""

COMPARED = """
from torch.utils.data import DataLoader
from potential import Potential


def load(path, device):
    return Potential.load(path).to(device).eval()


def evaluate(path, data, device):
    potential = load(path, device)
    total = 0.0
    for places, cell, expected in DataLoader(data, batch_size=8):
        energy, forces = potential(places.to(device), cell)
        total += float((expected - forces.cpu()).abs().sum())
    return total
"""


@pytest.mark.parametrize(
    ("derive", "runs", "codes"),
    [
        ("return -grad(energy.sum(), inputs, create_graph=self.training)[0]", "derivatives", set()),
        ("return -torch.func.grad(self.net)(inputs)", "derivatives", set()),
        ("energy.sum().backward()\n        return -inputs.grad", "derivatives", set()),
        ("return -grad(energy.sum(), inputs)[0]", "shifted", {"MEM201"}),
    ],
)
def test_a_network_of_another_file_that_differentiates_as_it_runs_needs_its_graph(
    tmp_path: Path, derive: str, runs: str, codes: set[str]
) -> None:
    write(tmp_path, potential=POTENTIAL.format(derive=derive, runs=runs), compared=COMPARED)
    assert {code for code, _ in findings(tmp_path, "compared.py")} & {"MEM201"} == codes


DECODER = """
import torch


class DiffusionDecoder:
    def __init__(self, model):
        self.model = model

    def decode(self, spectra, masks, precursors, size=20):
        self.model.eval()
        found = []
        for start in range(0, len(spectra), size):
            batch = spectra[start : start + size]
            found.extend(self.model(batch, masks, precursors).argmax(-1).tolist())
        return found


class Residues:
    def decode(self, sequence, reverse=False):
        return [self.names[i] for i in sequence]
"""
PREDICTOR = """
import torch


class Predictor:
    def predict(self):
        for batch in self.loader:
            {switch}
                found = self.get_predictions(batch)
            self.write(found)
"""
OF_DIFFUSION = """
from base import Predictor
from registry import make


class DiffusionPredictor(Predictor):
    def setup(self):
        self.decoder = make("diffusion", self.model)

    def get_predictions(self, batch):
        found = self.decoder.decode(spectra=batch[0], masks=batch[1], precursors=batch[2])
        return found, [self.residues.decode(seq, reverse=True) for seq in batch[3]]
"""
ALOUD = """
def score(decoder, spectra, masks, precursors):
    return decoder.decode(spectra, masks, precursors)
"""


@pytest.mark.parametrize(
    ("switch", "scripts", "codes"),
    [
        ("with torch.no_grad():", {}, set()),
        ("if True:", {}, {"MEM201"}),
        ("with torch.no_grad():", {"scoring": ALOUD}, {"MEM201"}),
        ("with torch.no_grad():", {"texts": ALOUD.replace("spectra, masks, precursors", "seq")}, set()),
    ],
)
def test_a_method_called_in_methods_that_a_base_class_covers(
    tmp_path: Path, switch: str, scripts: dict[str, str], codes: set[str]
) -> None:
    write(tmp_path, decoding=DECODER, base=PREDICTOR.format(switch=switch), predict=OF_DIFFUSION, **scripts)
    assert {code for code, _ in findings(tmp_path, "decoding.py")} == codes
