"""Findings in the code of other files: each is reported at the call that leads there."""

from __future__ import annotations

from pathlib import Path

import libcst as cst
import pytest

from memlint.analysis.imported import Project
from memlint.analysis.model import ScriptModel
from memlint.engine import check as engine
from memlint.project.modules import Modules
from tests.test_project import findings, write

SETTINGS = """
import os


def choose(gpu):
    os.environ["CUDA_VISIBLE_DEVICES"] = str(gpu)


def tune():
    os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"
"""

HELPERS = """
import torch


class Best:
    def __init__(self):
        self.score, self.weights = 0.0, None

    def look(self, score, model):
        if score > self.score:
            self.score, self.weights = score, model.state_dict()


def half(width):
    return torch.nn.Linear(width, 1).cuda().half()


def fit(net, optimizer, batches):
    total = 0
    for batch in batches:
        optimizer.zero_grad()
        loss = net(batch).float().mean()
        loss.backward(retain_graph=True)
        total += loss
    return total
"""

USES = """
import torch
from helpers import Best, fit, half
from settings import choose, tune

net = torch.nn.Linear(4, 1).cuda()
optimizer = torch.optim.Adam(net.parameters(), 1e-3)
best = Best()
for epoch in range(10):
    for batch in torch.randn(50, 8, 4).cuda():
        optimizer.zero_grad()
        net(batch).mean().backward()
        optimizer.step()
    {line}
net.load_state_dict(best.weights)
"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("choose(1)", [("MEM503", 14)]),
        ("tune()", [("MEM502", 14)]),
        ("best.look(float(net(torch.ones(4).cuda())), net)", [("MEM704", 14)]),
        ("print(fit(net, optimizer, torch.randn(5, 4).cuda()))", [("MEM101", 14)]),
        ("best.look(0.0, half(3))", [("MEM704", 14)]),
        ("print(half(3))", []),
    ],
)
def test_what_the_line_of_another_file_does_wrong_is_said_at_its_call(
    tmp_path: Path, line: str, expected: list[tuple[str, int]]
) -> None:
    write(tmp_path, settings=SETTINGS, helpers=HELPERS, train=USES.format(line=line))
    asked = {"MEM101", "MEM301", "MEM502", "MEM503", "MEM704"}
    assert [f for f in findings(tmp_path, "train.py") if f[0] in asked] == expected


def test_a_factory_of_another_file_needs_no_loop_around_its_call(tmp_path: Path) -> None:
    script = USES.replace("torch.nn.Linear(4, 1).cuda()", "half(4)").format(line="pass")
    write(tmp_path, settings=SETTINGS, helpers=HELPERS, train=script)
    assert ("MEM301", 6) in findings(tmp_path, "train.py")


STEPS = """
import torch


def plain(model, optimizer):
    def update(batch):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()

    return update


def mixed(model, optimizer, scaler=None):
    def update(batch):
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = model(batch).mean()
        if scaler:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
        else:
            loss.backward()
            optimizer.step()

    return update


def trainer(model, optimizer, mode=None, scaler=None):
    return mixed(model, optimizer, scaler) if mode == "amp" else plain(model, optimizer)
"""

TRAINS = """
import torch
from steps import mixed, trainer

net = torch.nn.Linear(4, 1).cuda()
optimizer = torch.optim.Adam(net.parameters(), 1e-3)
update = {line}
for batch in torch.randn(50, 8, 4).cuda():
    update(batch)
"""


@pytest.mark.parametrize("line", ["trainer(net, optimizer)", "mixed(net, optimizer, make())"])
def test_what_the_arguments_may_rule_out_is_not_said_at_the_call(line: str, tmp_path: Path) -> None:
    write(tmp_path, steps=STEPS, train=TRAINS.format(line=line))
    assert findings(tmp_path, "train.py") == []


HALF = """
def half_if(net, kind="fp32"):
    if kind == "fp16":
        net.half()
    return net
"""

TRAINS_HALF = """
import torch
from casts import half_if

net = {line}
optimizer = torch.optim.Adam(net.parameters(), 1e-3)
for batch in torch.randn(50, 8, 4).cuda():
    optimizer.zero_grad()
    net(batch).mean().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("arguments", "expected"), [(", 'fp16'", [("MEM301", 5)]), (", 'fp32'", []), ("", []), (", read()", [])]
)
def test_what_a_literal_of_the_call_decides_is_said_at_the_call(
    arguments: str, expected: list[tuple[str, int]], tmp_path: Path
) -> None:
    line = f"half_if(torch.nn.Linear(4, 1).cuda(){arguments})"
    write(tmp_path, casts=HALF, train=TRAINS_HALF.format(line=line))
    assert findings(tmp_path, "train.py") == expected


TEMPLATE = """
class Scorer:
    def score(self, words, state):
        raise NotImplementedError

    def score_all(self, words, states):
        scores, after = [], []
        for word, state in zip(words, states):
            score, state = self.score(word, state)
            scores.append(score)
            after.append(state)
        return scores, after
"""

SUBCLASS = """
import torch
from template import Scorer


class Decoder(torch.nn.Module, Scorer):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(512, 20000)

    def forward(self, words):
        return self.layer(words)

    def score(self, words, state):
        scores = torch.log_softmax(self.forward(words.unsqueeze(0)), dim=-1)
        return scores[:, -1], state
"""


def test_a_run_that_begins_in_another_file_has_no_call_in_this_one(tmp_path: Path) -> None:
    """A base class calls what its subclass here defines: what it does with the result is not said here."""
    write(tmp_path, template=TEMPLATE, mine=SUBCLASS)
    model = ScriptModel.parse(SUBCLASS, str(tmp_path / "mine.py"), None, Project(Modules(tmp_path)))
    assert model.trace.loops
    assert model.cross_module is not None
    (node,) = (n for unit in model.cross_module.units.values() for n in unit.names.every(cst.FunctionDef)[1:])
    frames = model.machine.frames_of(node)
    assert frames
    assert [model.home_call(frame) for frame in frames] == [None] * len(frames)


EVALUATES = """
import torch


def score(net, loader):
    net.eval()
    return [net(x).argmax(1).tolist() for x in loader]
"""

CALLS_UNDER_NO_GRAD = """
import torch
from score import score


def test_score():
    net = torch.nn.Linear(4, 2)
    with torch.no_grad():
        assert len(score(net, [torch.ones(3, 4)])) == 1
"""


@pytest.mark.parametrize(("caller", "expected"), [("tests__test_score", ["MEM201"]), ("main", [])])
def test_a_test_does_not_show_that_a_function_is_harmless(
    caller: str, expected: list[str], tmp_path: Path
) -> None:
    called = "score_all" if caller == "main" else "test_score"
    script = f"{CALLS_UNDER_NO_GRAD}\n\n{called}()\n".replace("def test_score", f"def {called}")
    write(tmp_path, score=EVALUATES, **{caller: script})
    assert [code for code, _ in findings(tmp_path, "score.py")] == expected


STARTS = """
import torch


def score(net, x):
    return net(x).argmax(1).tolist()


def main(paths):
    net = torch.nn.Linear(4, 2)
    net.eval()
    for path in paths:
        print(score(net, torch.load(path)))
"""

STARTER = """
import sys

from work import main

if __name__ == "__main__":
    main(sys.argv[1:])
"""


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        (STARTER, ["MEM201"]),
        ("import work\n\nwork.main(['a.pt'])\n", ["MEM201"]),
        (f"import torch\n{STARTER}".replace("    main(s", "    with torch.no_grad():\n        main(s"), []),
    ],
)
def test_a_file_without_torch_does_not_show_that_a_function_is_harmless(
    start: str, expected: list[str], tmp_path: Path
) -> None:
    """What only starts a script, `__main__` of a package or a command, has no events of its own."""
    write(tmp_path, work=STARTS, start=start)
    assert [code for code, _ in findings(tmp_path, "work.py")] == expected


LONG = """
import torch


def fit(net, loader, optimizer, epochs):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    run_epochs(net, loader, optimizer, epochs)


def run_epochs(net, loader, optimizer, epochs):
    '{TEXT}'
    for epoch in range(epochs):
        run_batches(net, loader, optimizer)


def run_batches(net, loader, optimizer):
    for x, y in loader:
        loss = torch.nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
"""

USES_LONG = """
import torch
from work import fit


def main(net, loader):
    fit(net, loader, None, 10)
"""


@pytest.mark.parametrize("text", ["short", "long " * 2000])
def test_a_run_that_had_no_time_to_come_there_shows_nothing(text: str, tmp_path: Path) -> None:
    """What the function of a finding does is not known to a file whose run does not get as far as that."""
    write(tmp_path, work=LONG.replace("{TEXT}", text), use=USES_LONG)
    assert [code for code, _ in findings(tmp_path, "work.py")] == ["MEM121"]


METERS = """
class Meter:
    def __init__(self, name, form=":f"):
        self.name = name
        self.form = form
        self.reset()

    def reset(self):
        self.value = 0
        self.mean = 0
        self.sum = 0
        self.count = 0

    def update(self, value, n=1):
        self.value = value
        self.sum += value * n
        self.count += n
        self.mean = self.sum / self.count
"""

MEASURES = """
import torch
from meters import Meter


def train(model, criterion, optimizer, loader):
    times, waits = Meter("time"), Meter("wait", ":.3f")
    losses = Meter("loss", ":.4e")
    first, fifth = Meter("top 1"), Meter("top 5")
    for x, y in loader:
        waits.update(1.0)
        loss = criterion(model(x), y)
        losses.update(loss, len(x))
        first.update(0.5)
        fifth.update(0.7)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        times.update(2.0)
    return losses.mean
"""


@pytest.mark.parametrize(
    ("meters", "measures", "expected"),
    [
        (METERS, MEASURES, ["MEM105"]),
        (METERS.replace("sum += value * n", "sum += float(value) * n"), MEASURES, []),
        (METERS, MEASURES.replace("update(loss,", "update(loss.item(),"), []),
    ],
)
def test_several_meters_of_another_file(
    meters: str, measures: str, expected: list[str], tmp_path: Path
) -> None:
    """Making them takes a part of what may be run of other files; what they do with a loss is still seen."""
    meters = meters.replace("self.value = value\n", "self.value = float(value)\n") if not expected else meters
    write(tmp_path, meters=meters, train=measures)
    assert [code for code, _ in findings(tmp_path, "train.py")] == expected


LABELLER = """
import torch
from torch import nn


class Labeller(nn.Module):
    def label_sentences(self, sentences, size):
        self.eval()
        labels = []
        for start in range(0, len(sentences), size):
            output = self(sentences[start : start + size])
            labels.extend(output.argmax(dim=1).tolist())
        return labels
"""

QUIET = """
import torch


class Processor:
    def __init__(self, pipeline):
        self.model = pipeline.trainer.model

    def process(self, sentences):
        with torch.no_grad():
            return self.model.label_sentences(sentences, 8)
"""


@pytest.mark.parametrize(
    ("others", "count"),
    [
        ({"use": QUIET}, 0),
        ({"use": QUIET.replace("with torch.no_grad():", "if sentences:")}, 1),
        ({"use": QUIET, "more": "def run(m, s):\n    return m.label_sentences(s, 2)\n"}, 1),
        ({"use": QUIET, "pool": "def run(m, pool, s):\n    return pool.map(m.label_sentences, s)\n"}, 1),
        ({"use": QUIET, "other": "class Plain:\n    def label_sentences(self, s):\n        return s\n"}, 1),
        ({"use": QUIET, "tests__test_it": "def test_it(m):\n    assert m.label_sentences([1], 1)\n"}, 0),
        ({}, 1),
    ],
)
def test_calls_of_a_method_by_its_name_show_it_harmless(
    others: dict[str, str], count: int, tmp_path: Path
) -> None:
    """Where the objects are unknown, calls of a method are found by its name, which one class has."""
    write(tmp_path, labeller=LABELLER, **others)
    assert [code for code, _ in findings(tmp_path, "labeller.py")] == ["MEM201"] * count


DECODE = """
import torch


def decode(model, pieces):
    '''{0}'''
    model.eval()
    found = []
    for piece in pieces:
        found.append(model(piece).argmax(dim=1).tolist())
    return found
""".replace("{0}", "How a piece is decoded. " * 500)

VIDEO = """
import torch
from decode import decode


def process(model, videos):
    with torch.no_grad():
        for video in videos:
            run(model, video)


def run(model, video):
    return evaluate(model, video.pieces)


def evaluate(model, pieces):
    return decode(model, pieces)
"""


@pytest.mark.parametrize(
    ("video", "count"),
    [
        (VIDEO, 0),
        (VIDEO.replace("with torch.no_grad():", "if videos:"), 1),
        (VIDEO + "\n\ndef again(model, pieces):\n    return evaluate(model, pieces)\n", 1),
        (VIDEO + "\n\nEVALUATORS = [evaluate]\n", 1),
        (VIDEO.replace("return evaluate(model, video.pieces)", "return run(model, video)"), 1),
    ],
)
def test_callers_of_callers_show_it_harmless(video: str, count: int, tmp_path: Path) -> None:
    """A function too long to be run for other files is called by one that is called under no_grad only."""
    write(tmp_path, decode=DECODE, video=video)
    assert [code for code, _ in findings(tmp_path, "decode.py")] == ["MEM201"] * count


TRAINER = """
import torch


class Trainer:
    '{long}'

    def measure(self, net, loader):
        net.eval()
        return [net(x).argmax(1).tolist() for x in loader]
""".replace("{long}", "What all trainers share. " * 500)

EXTENDED = """
import torch
from trainer import Trainer


class Longest(Trainer):
    def run(self, make):
        assert False, "too long to be followed"
        with torch.no_grad():
            return self.measure(make(), make())
"""

OPEN = EXTENDED.replace("with torch.no_grad():", "if make:")


@pytest.mark.parametrize(
    ("others", "count"),
    [
        ({"longest": EXTENDED}, 0),
        ({"longest": OPEN}, 1),
        ({"longest": EXTENDED, "shorter": OPEN}, 1),
        ({"longest": EXTENDED + "\n    def measure(self, net, loader):\n        return []\n"}, 1),
        (
            {"longest": EXTENDED, "plain": "class Plain:\n    def measure(self, net):\n        return net\n"},
            0,
        ),
        (
            {
                "longest": EXTENDED.replace("import Trainer", "import Trainer as Base").replace(
                    "(Trainer)", "(Base)"
                )
            },
            0,
        ),
        ({"longest": EXTENDED, "tests__test_it": OPEN.replace("Longest", "TestTrainer")}, 0),
        (
            {
                "longest": EXTENDED
                + "\n    def measure(self, net, loader):\n        with torch.no_grad():\n"
                + "            return super().measure(net, loader)\n"
            },
            0,
        ),
    ],
)
def test_classes_that_extend_it_show_a_method_harmless(
    others: dict[str, str], count: int, tmp_path: Path
) -> None:
    """Where the run does not come to the calls, those on `self` in classes of other files are read."""
    write(tmp_path, trainer=TRAINER, **others)
    assert [code for code, _ in findings(tmp_path, "trainer.py")] == ["MEM201"] * count


OWN = """
import torch


class Trainer:
    def run(self, net, loader):
        raise NotImplementedError
        {switch}
            self.measure(net, loader)

    def measure(self, net, loader):
        net.eval()
        return [net(x).argmax(1).tolist() for x in loader]
"""


@pytest.mark.parametrize(("switch", "count"), [("with torch.no_grad():", 0), ("if loader:", 1)])
def test_a_class_that_the_run_leaves_early_calls_its_own_method(
    switch: str, count: int, tmp_path: Path
) -> None:
    write(tmp_path, trainer=OWN.replace("{switch}", switch))
    assert [code for code, _ in findings(tmp_path, "trainer.py")] == ["MEM201"] * count


MEMORY = """
from collections import deque


class Memory:
    def __init__(self, size):
        self.buffer = deque(maxlen=size)

    def add(self, item):
        self.buffer.append(item)
"""

USES_MEMORY = """
import torch
from memory import Memory


def collect(net, loader, sizes):
    for size in sizes:
        memory = Memory(size)
        for batch in loader:
            loss = net(batch).mean()
            loss.backward()
            memory.{call}
    return memory
"""


@pytest.mark.parametrize("call", ["add(loss)", "buffer.append(loss)", "other.append(loss)"])
def test_lists_of_an_object_whose_class_is_in_another_file(call: str, tmp_path: Path) -> None:
    """The lines of a class are looked up in its own file, whichever file's code runs."""
    write(tmp_path, memory=MEMORY, main=USES_MEMORY.format(call=call))
    assert "MEM004" not in {code for code, _ in findings(tmp_path, "main.py")}


METERS = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)

    def forward(self, x):
        return self.layer(x)

    def guess(self, x):
        self.eval()
        return self.layer(x)


class Meter:
    def __init__(self):
        self.seen = []

    def see(self, value):
        self.seen.append(value)
"""

USES_METERS = """
import torch
from meters import Meter, Net

net, meter = Net().cuda(), Meter()
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for x in torch.randn(9, 8, 4).cuda():
    loss = net(x).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    meter.see(loss)


def test(net, batches):
    return sum(net.guess(x).sum().item() for x in batches)


print(test(net, torch.randn(9, 8, 4).cuda()))
"""


def test_what_a_finding_shows_in_another_file_is_named_with_its_place(tmp_path: Path) -> None:
    write(tmp_path, lib__meters=METERS, main=USES_METERS.replace("from meters", "from lib.meters"))
    path = tmp_path / "main.py"
    codes = frozenset({"MEM105", "MEM201"})
    report = engine.check(
        path.read_text(), str(path), engine.Checks(codes, frozenset(), "main.py", root=str(tmp_path))
    )
    notes = {(f.code, f.span.line, n.text) for f in report.findings for n in f.notes if n.kind == "note"}
    assert notes >= {
        ("MEM105", 12, "`self.seen` keeps what it is given: lib/meters.py:24"),
        ("MEM201", 16, "the forward pass that it runs: lib/meters.py:16"),
    }


RECORDS = """
import json

from torch.utils.data import Dataset


class Records(Dataset):
    def __init__(self, path):
        self.told = json.load(open(path))

    def __len__(self):
        return len(self.told)

    def __getitem__(self, i):
        return len(self.told[i]["tokens"])
"""

TWO_SETS = """
from torch.utils.data import DataLoader
from records import Records

train = Records("train.json")
test = Records("test.json")
for batch in DataLoader(train, 32, num_workers={train}):
    print(batch.float().mean())
for batch in DataLoader(test, 32, num_workers={test}):
    print(batch.float().mean())
"""


@pytest.mark.parametrize(("train", "test", "line"), [(0, 4, 6), (4, 0, 5)])
def test_data_sets_of_another_file_are_named_where_the_one_of_the_loader_is_made(
    train: int, test: int, line: int, tmp_path: Path
) -> None:
    write(tmp_path, records=RECORDS, main=TWO_SETS.format(train=train, test=test))
    assert [f for f in findings(tmp_path, "main.py") if f[0] == "MEM402"] == [("MEM402", line)]


FEATURES = """
import numpy as np
from factory import create_model, create_loader

loader = create_loader()
model = create_model()
features = np.zeros((0, 8))
for batch in loader:
    found = model.module.encode_features(batch["image"], batch["inst"])
    features = np.append(features, found[0], axis=0)
np.save("features.npy", features)
"""

ENCODERS = """
import torch
from abc import abstractmethod


class Model(torch.nn.Module):
    @abstractmethod
    def encode_features(self, image, inst):
        pass


class Plain(Model):
    def encode_features(self, image, inst):
        image = image.cuda()
        with torch.no_grad():
            return self.encoder.forward(image, inst)


class Other(Model):
    @torch.inference_mode()
    def encode_features(self, image, inst):
        return self.encode(image) + self.net(inst)
"""

FACTORY = """
import torch
import encoders
from settings import options


def create_model():
    return torch.nn.DataParallel(getattr(encoders, options.model)(options))


def create_loader():
    return options.loader()
"""


@pytest.mark.parametrize(
    ("encoders", "count"),
    [
        (ENCODERS, 0),
        (ENCODERS.replace("    @torch.inference_mode()\n", ""), 1),
        (ENCODERS.replace("with torch.no_grad():", "if image.is_cuda:"), 1),
        (ENCODERS.replace("return self.encoder.forward(image, inst)", "return self.encoder(image) + 1"), 0),
        (ENCODERS.replace("image = image.cuda()", "image = self.net(image)"), 1),
        (ENCODERS.replace("def encode_features", "def encode"), 1),  # none is in view
    ],
)
def test_all_methods_of_a_name_run_without_recording(tmp_path: Path, encoders: str, count: int) -> None:
    """An object out of view has one of the methods of this name, and each of them records nothing."""
    write(tmp_path, use=FEATURES, factory=FACTORY, encoders=encoders)
    found = [code for code, _ in findings(tmp_path, "use.py")]
    assert found.count("MEM201") == count


RANGES = """
import numpy as np


class Range:
    def __init__(self, size):
        self.chances = np.ones(size)

    def state_dict(self):
        return {"chances": self.chances.copy()}

    def load_state_dict(self, state):
        self.chances = state["chances"]
"""

TRIALS = """
import torch
from ranges import Range


class Worker:
    def __init__(self, size):
        self.hands = Range(size)
        self.best_state = None

    def search(self, net, actions):
        for action in actions:
            self.best_state = self.hands.state_dict()
            with torch.no_grad():
                print(net(action).max().item())
            self.hands.load_state_dict(self.best_state)
"""


@pytest.mark.parametrize(
    ("ranges", "count"),
    [(RANGES, 0), (RANGES.replace("class Range:", "import torch\nclass Range(torch.nn.Module):"), 1)],
)
def test_the_state_of_another_object_is_no_weights(tmp_path: Path, ranges: str, count: int) -> None:
    write(tmp_path, use=TRIALS, ranges=ranges)
    assert [code for code, _ in findings(tmp_path, "use.py")].count("MEM704") == count


SWITCHES = """
import contextlib
import torch


class Mode:
    def __init__(self, net, *, train, grad):
        self.net, self.train = net, train
        self.switch = torch.enable_grad() if grad else torch.no_grad()

    def __enter__(self):
        self.net.train(self.train)
        self.switch.__enter__()

    def __exit__(self, *error):
        self.switch.__exit__(*error)


class Measuring(Mode):
    def __init__(self, net, *, grad=False):
        super().__init__(net, train=False, grad=grad)


@contextlib.contextmanager
def measuring(net):
    net.eval()
    with torch.inference_mode():
        yield
    net.train()


@contextlib.contextmanager
def timed(net):
    net.eval()
    yield
"""

MEASURED = """
import torch


class Pair(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.maker, self.judge = torch.nn.Linear(8, 8), torch.nn.Linear(8, 1)

    def measure_all(self, loader, part, runner):
        marks = []
        for batch in loader:
            marks.append(self.judge(self.maker(batch.cuda())).mean().item())
        return sum(marks) / len(marks)


class Wrapped:
    def measure_all(self, loader, part, runner):
        return self.core.measure_all(loader, part, runner)
"""

RUNNER = """
import switches
from switches import Measuring, measuring, timed


class Runner:
    def marks(self, part):
        with Measuring(self.model, grad=self.wants_grad):
            return self.model.measure_all(self.loader, part, self)
"""


@pytest.mark.parametrize(
    ("runner", "count"),
    [
        (RUNNER, 0),
        (RUNNER.replace("Measuring(self.model, grad=self.wants_grad)", "measuring(self.model)"), 0),
        (RUNNER.replace("with Measuring(", "with open(self.log) as log, switches.Measuring("), 0),
        (RUNNER.replace("Measuring(self.model, grad=self.wants_grad)", "timed(self.model)"), 1),
        (RUNNER.replace("Measuring(self.model, grad=self.wants_grad)", "open(self.log) as log"), 1),
        (f"{RUNNER}\n    def fit(self):\n        print(self.model.measure_all(self.loader, 1, self))\n", 1),
    ],
)
def test_a_context_manager_of_the_project_may_switch_gradients_off(
    tmp_path: Path, runner: str, count: int
) -> None:
    """A class or function of another file that enters no_grad for the block, whatever it is called."""
    write(tmp_path, switches=SWITCHES, use=MEASURED, runner=runner)
    assert [code for code, _ in findings(tmp_path, "use.py")].count("MEM201") == count
