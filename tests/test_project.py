"""Imports that lead to modules of the project: what is seen through them, and what is not guessed."""

from __future__ import annotations

import ast
import json
import shutil
from pathlib import Path

import pytest

from memlint import catalogue
from memlint.analysis.interpret import machine
from memlint.engine import across
from memlint.engine import check as engine
from memlint.finding import Severity
from memlint.project import base_calls, modules
from memlint.project.dependencies import Dependencies
from memlint.project.import_statements import imports_of
from memlint.project.modules import Modules
from memlint.project.outline import Outline

METERS = """
class AverageMeter:
    def __init__(self):
        self.sum, self.count = 0, 0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n


class Scalars:
    def __init__(self):
        self.rows = []

    def update(self, value):
        self.rows.append(float(value))
"""

ENGINE = """
import torch


def train_step(model, batch, optimizer):
    loss = model(batch).mean()
    loss.backward()
    optimizer.step()
    return loss


def clear(optimizer):
    optimizer.zero_grad()


def evaluate(model, loader):
    model.eval()
    total = 0
    for batch in loader:
        total += model(batch).mean()
    return total
"""

SCRIPT = """
import torch
{imports}

model = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
meter = {meter}()
for batch in torch.randn(50, 8, 4):
    optimizer.zero_grad()
    loss = model(batch).mean()
    loss.backward()
    optimizer.step()
    meter.update(loss)
"""


def findings(folder: Path, name: str) -> list[tuple[str, int]]:
    """Code and line of everything that is reported in one file of a project, advice left out."""
    path = folder / name
    codes = frozenset(rule.code for rule in catalogue.load())
    report = engine.check(
        path.read_text(), str(path), engine.Checks(codes, frozenset(), name, root=str(folder))
    )
    assert not report.failed
    return [(finding.code, finding.span.line) for finding in report.findings]


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


TYPES = """
import torch


class Table:
    def __init__(self, rows):
        self.rows = rows

    def __call__(self, batch):
        return batch @ self.rows


class Named(Table):
    name = ""


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.head = torch.nn.Linear(64, 10)

    def forward(self, batch):
        return self.head(batch)
"""

PREDICTION = """
import torch
{imports}


def predictions(model: {annotation}, test_loader):
    found = []
    for batch in test_loader:
        found.append(model(batch.cuda()).argmax(1).cpu())
    return found
"""


@pytest.mark.parametrize(
    ("imports", "annotation", "expected"),
    [
        ("from types_here import Table", "Table", []),
        ("from types_here import Named as Chosen", "Chosen", []),
        ("import types_here", "types_here.Table", []),
        ("from types_here import Net", "Net", [("MEM201", 9)]),
        ("import types_here as t", "t.Net", [("MEM201", 9)]),
        ("from types_here import Table", "Table | None", []),
        ("from typing import Optional; from types_here import Table", "Optional[Table]", []),
        ("from typing import Sequence; from types_here import Named", "Named | Sequence[Named]", []),
        ("from types_here import Net, Table", "Table | Net", [("MEM201", 9)]),
        ("from types_here import Absent, Table", "Table | Absent", [("MEM201", 9)]),
        ("from types_here import Absent", "Absent", [("MEM201", 9)]),
        ("from package_out_of_view import Table", "Table", [("MEM201", 9)]),
    ],
)
def test_a_parameter_is_what_its_annotation_says_and_not_its_name(
    tmp_path: Path, imports: str, annotation: str, expected: list[tuple[str, int]]
) -> None:
    write(tmp_path, types_here=TYPES, run=PREDICTION.format(imports=imports, annotation=annotation))
    assert findings(tmp_path, "run.py") == expected


@pytest.mark.parametrize(("annotation", "expected"), [("Table", []), ("Net", [("MEM201", 9)])])
def test_an_annotation_tells_what_a_caller_gives_without_knowing_it(
    tmp_path: Path, annotation: str, expected: list[tuple[str, int]]
) -> None:
    script = PREDICTION.format(imports=f"from types_here import {annotation}", annotation=annotation)
    caller = "\n\ndef main(tables, test_loader):\n    for t in tables:\n        predictions(t, test_loader)\n"
    write(tmp_path, types_here=TYPES, run=script + caller)
    assert findings(tmp_path, "run.py") == expected


FILTERS = """
import pywt
import torch
from torch import nn


class BaseModule(nn.Module):
    \"\"\"{base_text}\"\"\"

    def __init__(self):
        super().__init__()
        self.register_forward_hook(print)

    def forward(self, x):
        raise NotImplementedError


class Blur(BaseModule):
    def forward(self, x):
        return torch.nn.functional.avg_pool2d(x, 3)


class Layer(BaseModule):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)

    def forward(self, x):
        return self.inner(x)


class Filter(BaseModule):
    \"\"\"{text}\"\"\"

    def __init__(self, physics=None, make=None):
        super().__init__()
        self.physics = physics
        {own}

    def forward(self, x):
        return {result}
"""

RUN = """
import torch
from filters import Filter

found = []
{start}
    model = Filter(){use}
    for x in loader:
        found.append(model(x))
"""

MADE_HERE = RUN.format(start="for loader in torch.load('images.pt'):", use=".eval()")
CALLED_FROM_ELSEWHERE = RUN.format(start="def evaluate(loader):", use="\n    model.eval()")


@pytest.mark.parametrize("length", [10, 12_000], ids=["short", "long"])
@pytest.mark.parametrize(
    ("own", "result", "silent"),
    [
        ("self.size = 3", "torch.nn.functional.avg_pool2d(x, self.size)", True),
        ("self.kind = pywt.Wavelet('db4')", "x * self.kind.dec_len", True),
        ("self.size = torch.Size((1, 3))", "x.view(self.size)", True),
        ("self.size = 3", "x - self.physics.A_adjoint(x)", True),
        ("self.layer = nn.Linear(4, 4)", "self.layer(x)", False),
        ("self.scale = nn.Parameter(torch.ones(4))", "x * self.scale", False),
        ("self.inner = make()", "self.inner.forward(x)", False),
        ("self.distance = nn.MSELoss()", "self.distance(x, x + 1)", True),
        ("self.distance = PerceptualLoss()", "self.distance(x, x + 1)", False),
    ],
)
def test_a_network_of_another_file_without_weights_records_nothing_however_long_it_is(
    tmp_path: Path, own: str, result: str, silent: bool, length: int
) -> None:
    filters = FILTERS.format(text="t" * length, base_text="", own=own, result=result)
    write(tmp_path, filters=filters, run=MADE_HERE)
    assert (findings(tmp_path, "run.py") == []) is silent


@pytest.mark.parametrize(
    ("own", "silent"),
    [
        ("self.parts = nn.ModuleList([Blur(), Blur()])", True),
        ("self.parts = nn.ModuleList(Blur() for _ in range(3))", True),
        ("self.parts = nn.ModuleList([Layer() for _ in range(3)])", False),
        ("self.parts = nn.ModuleList([Blur(), physics])", False),
        ("self.parts = nn.ModuleList(make)", False),
    ],
)
def test_a_list_of_modules_without_weights_has_none(tmp_path: Path, own: str, silent: bool) -> None:
    filters = FILTERS.format(text="", base_text="", own=own, result="self.parts[0](x)")
    write(tmp_path, filters=filters, run=MADE_HERE)
    assert (findings(tmp_path, "run.py") == []) is silent


@pytest.mark.parametrize(
    ("base", "silent"),
    [
        ("nn.Module", True),
        ("nn.Module, Generic[T]", True),
        ("Known", True),
        ("nn.Module, make_base()", False),
        ("nn.Module, BASES['block']", False),
        ("nn.Module, Known if FAST else Slow", False),
        ("Mixed", False),
    ],
)
def test_a_class_with_a_base_that_cannot_be_read_may_have_weights(
    tmp_path: Path, base: str, silent: bool
) -> None:
    known = "class Known(nn.Module):\n    pass\n\n\nclass Mixed(nn.Module, make_base()):\n    pass\n\n\n"
    imports = (
        "from typing import Generic, TypeVar\n\nimport torch\nfrom torch import nn\n\nT = TypeVar('T')\n"
    )
    own = "    def forward(self, x):\n        return torch.nn.functional.avg_pool2d(x, 3) * self.size\n"
    write(tmp_path, filters=f"{imports}{known}class Filter({base}):\n{own}", run=CALLED_FROM_ELSEWHERE)
    assert (findings(tmp_path, "run.py") == []) is silent


def test_bases_of_a_class_are_read_when_enough_has_been_read_otherwise(tmp_path: Path) -> None:
    own, result = "self.size = 3", "torch.nn.functional.avg_pool2d(x, self.size)"
    filters = FILTERS.format(text="t" * 7_500, base_text="t" * 2_000, own=own, result=result)
    filters = filters.replace("raise NotImplementedError", "return self.run(x)")
    own_forward = f"forward(self, x):\n        return {result}"
    assert filters.count(own_forward) == 1
    filters = filters.replace(own_forward, own_forward.replace("forward", "run"))
    write(tmp_path, filters=filters, run=CALLED_FROM_ELSEWHERE)
    assert findings(tmp_path, "run.py") == []


@pytest.mark.parametrize(
    ("imports", "meter", "expected"),
    [
        ("from utils.meters import AverageMeter", "AverageMeter", [("MEM105", 13)]),
        ("from utils.meters import AverageMeter as Meter", "Meter", [("MEM105", 13)]),
        ("import utils.meters", "utils.meters.AverageMeter", [("MEM105", 13)]),
        ("import utils.meters as m", "m.AverageMeter", [("MEM105", 13)]),
        ("from utils import meters", "meters.AverageMeter", [("MEM105", 13)]),
        ("from utils.meters import *", "AverageMeter", [("MEM105", 13)]),
        ("from utils import AverageMeter", "AverageMeter", [("MEM105", 13)]),
        ("from utils.meters import Scalars", "Scalars", []),
        ("import utils.meters", "utils.meters.Scalars", []),
    ],
)
def test_a_class_of_another_module_is_known(
    tmp_path: Path, imports: str, meter: str, expected: list[tuple[str, int]]
) -> None:
    write(tmp_path, utils__meters=METERS, train=SCRIPT.format(imports=imports, meter=meter))
    (tmp_path / "utils" / "__init__.py").write_text("from .meters import AverageMeter\n")
    assert findings(tmp_path, "train.py") == expected


def test_relative_imports_lead_to_the_modules_of_the_package(tmp_path: Path) -> None:
    script = SCRIPT.format(imports="from .meters import AverageMeter", meter="AverageMeter")
    write(tmp_path, pack____init__="", pack__meters=METERS, pack__train=script)
    assert findings(tmp_path, "pack/train.py") == [("MEM105", 13)]
    nested = SCRIPT.format(imports="from ..meters import AverageMeter", meter="AverageMeter")
    write(tmp_path, pack__runs____init__="", pack__runs__train=nested)
    assert findings(tmp_path, "pack/runs/train.py") == [("MEM105", 13)]


def test_what_cannot_be_found_is_unknown_and_no_error_rests_on_it(tmp_path: Path) -> None:
    script = SCRIPT.format(imports="from elsewhere import Meter", meter="Meter")
    step = """
from elsewhere import optimizer, train_step, loader

history, total = [], 0
for batch in loader:
    total += train_step(batch, optimizer)
    history.append(train_step(batch, optimizer))
"""
    write(tmp_path, train=script, step=step)
    codes = frozenset(rule.code for rule in catalogue.load())
    for name in ("train.py", "step.py"):
        path = tmp_path / name
        checks = engine.Checks(codes, frozenset(), name, root=str(tmp_path))
        report = engine.check(path.read_text(), str(path), checks)
        assert [f for f in report.findings if f.severity is Severity.ERROR] == []


LOOP = """
import torch
from engine import {names}

model = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in torch.randn(50, 8, 4):
    {body}
"""


def test_what_a_helper_does_is_reported_at_the_call_in_the_loop(tmp_path: Path) -> None:
    write(tmp_path, engine=ENGINE)
    write(tmp_path, train=LOOP.format(names="train_step", body="train_step(model, batch, optimizer)"))
    assert findings(tmp_path, "train.py") == [("MEM121", 8)]
    assert ("MEM121", 7) not in findings(tmp_path, "engine.py")


def test_what_a_helper_clears_is_cleared(tmp_path: Path) -> None:
    body = "clear(optimizer); train_step(model, batch, optimizer)"
    write(tmp_path, engine=ENGINE, train=LOOP.format(names="clear, train_step", body=body))
    assert findings(tmp_path, "train.py") == []


def test_callers_in_other_files_decide(tmp_path: Path) -> None:
    write(tmp_path, engine=ENGINE)
    alone = findings(tmp_path, "engine.py")
    assert alone != []
    under = "with torch.no_grad():\n    print(evaluate(model, torch.randn(5, 3, 4)))"
    script = f"import torch\nfrom engine import evaluate\n\nmodel = torch.nn.Linear(4, 2)\n{under}\n"
    write(tmp_path, main=script)
    engine.modules_below.cache_clear()
    assert findings(tmp_path, "engine.py") == []
    write(tmp_path, other=script.replace("with torch.no_grad():", "if True:"))
    engine.modules_below.cache_clear()
    assert findings(tmp_path, "engine.py") == alone


@pytest.mark.parametrize("call", ["evaluate", "engine.evaluate"])
def test_a_call_to_which_no_run_comes_decides_as_it_is_written(tmp_path: Path, call: str) -> None:
    write(tmp_path, engine=ENGINE)
    alone = findings(tmp_path, "engine.py")
    imports = "import torch\nimport engine\nfrom engine import evaluate\n\n"
    body = f"    if kind == 1:\n        return\n    raise ValueError\n    {call}(model, loader)\n"
    script = f"{imports}@torch.no_grad()\ndef run(model, loader, kind):\n{body}"
    write(tmp_path, main=script)
    engine.modules_below.cache_clear()
    assert findings(tmp_path, "engine.py") == []
    write(tmp_path, other=script.replace("@torch.no_grad()", ""))
    engine.modules_below.cache_clear()
    assert findings(tmp_path, "engine.py") == alone
    renamed = script.replace("import evaluate", "import evaluate as measure").replace(f"{call}(", "measure(")
    renamed = renamed.replace("@torch.no_grad()", "")
    for other in ("from engine import evaluate\n\nCALLS = [evaluate]\n", renamed):
        write(tmp_path, other=other)
        engine.modules_below.cache_clear()
        assert findings(tmp_path, "engine.py") == alone


METHODS = """
import torch
from engine import evaluate
from tools import Trainer


class Own:
    def evaluate(self, loader):
        return len(loader)

    def run(self, loader):
        self.evaluate(loader)
        return self.evaluate


def main(model, loader, trainer):
    trainer.evaluate(loader)
    Own().evaluate(loader)
    Trainer.evaluate(loader)
    {use}
"""


@pytest.mark.parametrize(
    ("use", "silent"),
    [
        ("model.evaluate(loader)", True),
        ("print(model.evaluate)", True),
        ("import tools; tools.evaluate(loader)", True),
        ("import engine; engine.evaluate(model, loader)", False),
        ("import engine as e; e.evaluate(model, loader)", False),
        ("import engine; print(engine.evaluate)", False),
        ("evaluate(model, loader)", False),
    ],
)
def test_a_method_of_the_same_name_is_another_function(tmp_path: Path, use: str, silent: bool) -> None:
    write(tmp_path, engine=ENGINE, tools="class Trainer:\n    pass\n\n\ndef evaluate(x):\n    return x\n")
    body = "    if kind == 1:\n        return\n    raise ValueError\n    evaluate(model, loader)\n"
    quiet = f"@torch.no_grad()\ndef run(model, loader, kind):\n{body}"
    imports = "import torch\nfrom engine import evaluate\n\n\n"
    write(tmp_path, main=imports + quiet, other=METHODS.format(use=f"return\n    {use}"))
    assert (findings(tmp_path, "engine.py") == []) is silent


def test_the_text_under_check_counts_and_not_what_is_on_disk(tmp_path: Path) -> None:
    write(
        tmp_path,
        engine=ENGINE,
        train=LOOP.format(names="train_step", body="train_step(model, batch, optimizer)"),
    )
    shifted = "\n\n\n" + ENGINE.replace("optimizer.step()", "optimizer.step(); optimizer.zero_grad()")
    path = tmp_path / "engine.py"
    codes = frozenset(rule.code for rule in catalogue.load())
    checks = engine.Checks(codes, frozenset(), "engine.py", root=str(tmp_path))
    engine.check(shifted, str(path), checks)
    assert findings(tmp_path, "train.py") == [("MEM121", 8)]


def test_modules_that_import_each_other_come_to_an_end(tmp_path: Path) -> None:
    first = (
        "import torch\nfrom b import g\n\n\ndef f(n):\n    return g(n)\n\n\nfor i in range(3):\n    f(i)\n"
    )
    second = "import torch\nfrom a import f\n\n\ndef g(n):\n    return f(n)\n"
    write(tmp_path, a=first, b=second)
    assert findings(tmp_path, "a.py") == []
    assert findings(tmp_path, "b.py") == []


@pytest.mark.parametrize(
    ("importer", "dotted", "place", "rest"),
    [
        ("train.py", "utils.meters.Meter", "utils/meters.py", "Meter"),
        ("train.py", "utils.Meter", "utils/__init__.py", "Meter"),
        ("utils/meters.py", ".log.write", "utils/log.py", "write"),
        ("utils/meters.py", "..train.main", "train.py", "main"),
        ("utils/meters.py", "utils.log.write", "utils/log.py", "write"),
        ("tools/run.py", "lib.deep.f", "src/lib/deep.py", "f"),
        ("train.py", "torch.nn.Linear", None, None),
        ("train.py", "nothing.here", None, None),
    ],
)
def test_where_an_import_leads(
    tmp_path: Path, importer: str, dotted: str, place: str | None, rest: str | None
) -> None:
    for name in ("train.py", "utils/__init__.py", "utils/meters.py", "utils/log.py", "tools/run.py",
                 "src/lib/__init__.py", "src/lib/deep.py", "torch/nn.py"):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    found = Modules(tmp_path).locate(tmp_path / importer, dotted, Dependencies())
    assert found == (None if place is None else (tmp_path / place, rest))


AVERAGE = """
import torch


def follow(average, model, rate=0.99):
    for old, new in zip(average, model.parameters()):
        old.mul_(rate).add_(new, alpha=1 - rate)
"""

FOLLOWS = """
import torch
from average import follow

model = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
average = [p.detach().clone() for p in model.parameters()]
for batch in torch.randn(50, 8, 4):
    optimizer.zero_grad()
    model(batch).mean().backward()
    optimizer.step()
    {call}
"""


@pytest.mark.parametrize(
    ("call", "codes"),
    [
        ("follow(average, model)", {"MEM107"}),
        ("with torch.no_grad():\n        follow(average, model)", set()),
    ],
)
def test_a_helper_is_judged_by_the_grad_mode_of_its_caller(
    tmp_path: Path, call: str, codes: set[str]
) -> None:
    write(tmp_path, average=AVERAGE, train=FOLLOWS.format(call=call))
    found = findings(tmp_path, "average.py") + findings(tmp_path, "train.py")
    assert {code for code, _ in found} == codes


PICTURES = """
import json

import torch
from PIL import Image
from torch.utils.data import Dataset


class Pictures(Dataset):
    def __init__(self, index):
        self.rows = json.load(open(index))
        self.seen = {}

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        if i not in self.seen:
            self.seen[i] = Image.open(self.rows[i]["path"]).convert("RGB")
        return self.seen[i]


def resume(model, path):
    state = torch.load(path)
    model.load_state_dict(state["model"])
"""

TRAINING = """
import torch
from data import Pictures, resume
from torch.utils.data import DataLoader

model = torch.nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
resume(model, "last.pt")
for batch in DataLoader(Pictures("train.json"), 8, num_workers={workers}):
    optimizer.zero_grad()
    model(batch).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("workers", "found"), [(4, {"MEM402", "MEM411", "MEM701"}), (0, {"MEM401", "MEM701"})]
)
def test_data_sets_and_checkpoints_of_other_modules_are_seen(
    tmp_path: Path, workers: int, found: set[str]
) -> None:
    write(tmp_path, data=PICTURES, train=TRAINING.format(workers=workers))
    asked = {"MEM401", "MEM402", "MEM411", "MEM701"}
    assert {code for code, _ in findings(tmp_path, "train.py")} & asked == found


STEPS = """
import tensorflow as tf


@tf.function
def train_step(x, number):
    return x * number


def limit():
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
"""


def test_traced_functions_of_other_modules_are_seen(tmp_path: Path) -> None:
    script = "import tensorflow as tf\nfrom steps import limit, train_step\n\nlimit()\n"
    loop = "for i in range(100):\n    train_step(tf.ones(3), i)\n"
    write(tmp_path, steps=STEPS, train=script + loop)
    assert findings(tmp_path, "train.py") == [("MTF110", 6)]


def test_a_function_made_in_one_module_may_be_kept_by_another(tmp_path: Path) -> None:
    makers = "def scaled(by):\n    def apply(x, factor=by):\n        return x * factor\n    return apply\n"
    registry = "def enter(table, made):\n    for number in range(9):\n        table[number] = made\n"
    start = "from makers import scaled\nfrom registry import enter\nfrom utils.meters import AverageMeter"
    script = SCRIPT.format(imports=start, meter="AverageMeter")
    script = script.replace("for batch", "table = {}\nfor batch") + "    enter(table, scaled(loss))\n"
    write(tmp_path, makers=makers, registry=registry, utils__meters=METERS, train=script)
    assert ("MEM105", 16) in findings(tmp_path, "train.py")


@pytest.mark.parametrize("name", ["smart_inference_mode", "evaluating"])
def test_a_decorator_that_is_too_far_away_may_do_anything(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes = f"import torch\n\ndef {name}():\n    def decorate(f):\n        return torch.no_grad()(f)\n"
    script = f"import torch\nfrom modes import {name}\n\nnet = torch.nn.Linear(4, 2)\n\n@{name}()\n"
    script += "def evaluate(loader):\n    net.eval()\n    total = 0\n"
    script += "    for x in loader:\n        total += net(x).mean()\n"
    write(tmp_path, modes=f"{modes}    return decorate\n", train=f"{script}    return total\n")
    for fuel in range(6):
        monkeypatch.setattr(machine, "CROSS_MODULE_FUEL", fuel)
        across.parsed.cache_clear()
        assert findings(tmp_path, "train.py") == []


SWITCHING = """import torch

class State:
    def __init__(self, net):
        self.net = net

    def training(self, mode):
        torch.set_grad_enabled(mode)
        self.net.train(mode)
"""

SWITCHED = """import torch
from state import State

class Trainer:
    def __init__(self, net):
        self.net = net

    def validate(self, loader):
        self.net.eval()
        return sum(self.net(x).mean().item() for x in loader)

    def fit(self, loader, optimizer):
        state = State(self.net)
        for x in loader:
            optimizer.zero_grad()
            self.net(x).mean().backward()
            optimizer.step()
        state.training({mode})
        return self.validate(loader)
"""


@pytest.mark.parametrize(("mode", "wanted"), [(False, []), (True, [("MEM201", 10)])])
def test_a_switch_of_the_grad_mode_is_seen_however_much_was_read_before(
    tmp_path: Path, mode: bool, wanted: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, state=SWITCHING, train=SWITCHED.format(mode=mode))
    for fuel in range(6):
        monkeypatch.setattr(machine, "CROSS_MODULE_FUEL", fuel)
        across.parsed.cache_clear()
        assert findings(tmp_path, "train.py") == wanted


def test_a_lambda_in_a_class_of_a_third_module_is_read_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards = "from dataclasses import dataclass, field\n\n@dataclass\nclass Card:\n    name: str\n"
    cards += '    units: dict = field(default_factory=lambda: {"energy": "eV"})\n'
    hub = 'from cards import Card\n\ndef fetch(name):\n    return Card(name).units["energy"]\n'
    script = "import torch\nfrom hub import fetch\n\nnet = torch.nn.Linear(4, 2)\ntotal = 0\n"
    script += "for x in torch.randn(9, 4):\n    loss = net(x).sum()\n    loss.backward()\n    total += loss\n"
    write(tmp_path, cards=cards, hub=hub, train=f"{script}print(fetch('a'), total)\n")
    for fuel in range(6):
        monkeypatch.setattr(machine, "CROSS_MODULE_FUEL", fuel)
        across.parsed.cache_clear()
        assert ("MEM101", 9) in findings(tmp_path, "train.py")


@pytest.mark.parametrize("mark", ["", "pyproject.toml"])
def test_who_imports_a_file_is_not_looked_for_in_other_repositories(tmp_path: Path, mark: str) -> None:
    importing = "from helper import step\nstep()\n"
    files = {"helper.py": "def step(): ...\n", "use.py": importing, "inner/a/use.py": importing}
    apart = {"cloned/.git/HEAD": "", "cloned/use.py": importing}
    parts = {"part/pyproject.toml": "", "part/use.py": importing, **({mark: ""} if mark else {})}
    for name, text in {**files, **apart, **parts}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = Modules(tmp_path).importers(tmp_path / "helper.py", [["step"]], Dependencies())
    # A project may consist of projects; a folder that is none itself holds them by chance.
    expected = ["inner/a/use.py", *(["part/use.py"] if mark else []), "use.py"]
    assert [path.relative_to(tmp_path).as_posix() for path in found] == expected


@pytest.mark.parametrize(("user", "reads"), [("", 0), ("import torch\n", 1)])
def test_who_uses_a_helper_is_parsed_only_where_that_could_tell_something(
    tmp_path: Path, user: str, reads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = "    for x in data:\n        total += criterion(x)\n"
    helper = f"def train(data, criterion):\n    total = 0\n{loop}"
    uses = {f"use_{n}": f"{user}from helper import train\ntrain()\n" for n in range(20)}
    write(tmp_path, helper=helper, **uses)
    read, parsed = list[Path](), Outline.read

    def counted(path: Path) -> Outline | None:
        read.append(path)
        return parsed(path)

    monkeypatch.setattr(Outline, "read", counted)
    findings(tmp_path, "helper.py")
    assert len([path for path in read if path.name.startswith("use")]) == reads


def test_a_file_is_read_once_for_all_that_its_callers_could_take_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = "".join(f"        y{n} = model(x)\n        losses.append(y{n})\n" for n in range(5))
    body = f"(model, loader, losses):\n    model.eval()\n    for x in loader:\n{kept}"
    functions = "".join(f"\n\ndef evaluate{n}{body}" for n in range(5))
    write(tmp_path, run=f"import torch{functions}")
    read, parsed = list[str](), base_calls.parsed

    def counted(text: str) -> ast.Module:
        read.append(text)
        return parsed(text)

    monkeypatch.setattr(base_calls, "parsed", counted)
    assert len(findings(tmp_path, "run.py")) == 5
    assert len(read) == 1


def test_a_file_is_used_by_those_that_have_a_word_of_each_group(tmp_path: Path) -> None:
    write(
        tmp_path,
        helper="def step(): ...\n",
        both="from helper import step\nloss.backward()\n",
        comment="from helper import step  # not backward\n",
        one="from helper import step\n",
        torch="import torch\nfrom helper import step\n",
        other="import torch\nfrom helper import other\n",
    )
    modules, log, helper = Modules(tmp_path), Dependencies(), tmp_path / "helper.py"
    assert [p.stem for p in modules.importers(helper, [["step"], ["backward"]], log)] == ["both"]
    assert [p.stem for p in modules.importers(helper, [["step"]], log, ["torch"])] == ["torch"]
    assert Dependencies.from_json(json.loads(json.dumps(log.as_json()))) == log
    assert Modules(tmp_path).still_hold(log)
    # A file that had none of the words may get one.
    write(tmp_path, one="from helper import step\nloss.backward()\n")
    assert not Modules(tmp_path).still_hold(log)


def test_import_statements_are_found_wherever_a_line_begins_with_one(tmp_path: Path) -> None:
    text = "x = 1; import no\n  from a import (b,\n   c)  # import no\nimport d, e.f # no\n#import no\n"
    text += (
        "important = 'from no import no'\nfrom .important import imported\r\n\timport g as h\nfrom i import *"
    )
    write(tmp_path, text=text)
    expected = ["a.b", "a.c", "d", "e.f", ".important.imported", "g", "as", "h", "i"]
    assert imports_of(tmp_path / "text.py") == expected


@pytest.mark.parametrize(
    "stars", [".core .tensor", ".core .tensor .made", "..fast.core . .made", ".core .. .made"]
)
def test_modules_without_a_file_pass_nothing_on(
    tmp_path: Path, stars: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(modules, "MOST_PARTS", 8)  # doubling paths are too many then, but end
    package = tmp_path / "fast"
    package.mkdir()
    lines = [f"from {star} import *\n" for star in stars.split()]
    (package / "__init__.py").write_text("".join(lines))
    (package / "made.py").write_text("def ones(): ...\n")
    found, log = Modules(tmp_path), Dependencies()
    assert found.resolve(tmp_path / "use.py", "fast.zeros", log) is None
    ones = found.resolve(tmp_path / "use.py", "fast.ones", log)
    assert (ones is not None) == (".made" in stars)
    assert len(log.located) < 20


def test_outlines_that_were_let_go_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, copied = Path("fixtures/project").resolve(), tmp_path / "project"
    names = [str(path.relative_to(folder)) for path in sorted(folder.rglob("*.py"))]
    whole = [findings(folder, name) for name in names]
    assert any(whole)
    shutil.copytree(folder, copied)
    read: list[Path] = []
    monkeypatch.setattr(modules, "MOST_OUTLINES", 1)
    monkeypatch.setattr(Outline, "read", lambda path, before=Outline.read: read.append(path) or before(path))
    assert [findings(copied, name) for name in names] == whole
    assert len(read) > len(set(read))
