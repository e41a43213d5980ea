"""Findings of one cause: which rules share one, what stands, and what comments, selectors and fixes do."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest

from memlint import catalogue
from memlint.commands.batch import Mode, Task, process_text
from memlint.edit.apply import fix_text
from memlint.edit.ignores import with_ignores
from memlint.engine import check as engine
from memlint.engine import one_cause
from memlint.finding import Applicability, FileReport, Finding, Fix, Severity, Span
from memlint.source.notebook import Notebook

EVERY = frozenset(rule.code for rule in catalogue.load())
HEAD = "import torch\nfrom torch import nn\nfrom torch.utils.data import DataLoader\n"
TRAIN = """
def train(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
"""


def check(text: str, codes: Collection[str] = EVERY, path: str = "train.py") -> tuple[Finding, ...]:
    chosen = frozenset(codes)
    report = engine.check(text, path, engine.Checks(chosen, chosen, path))
    assert not report.failed
    return report.findings


def groups(text: str, codes: Collection[str]) -> set[tuple[str, ...]]:
    """For each finding its code and those of its secondary places."""
    return {(f.code, *sorted(other.code for other in f.secondary)) for f in check(text, codes)}


EVALUATIONS = {
    "a sum": """
def evaluate(model, loader):
    model.eval()
    total = 0
    for x, y in loader:
        total += nn.functional.cross_entropy(model(x), y)
    return float(total)
""",
    "a list": """
@torch.enable_grad()
def predict(net, batches: DataLoader):
    net.eval()
    found = []
    for batch in batches:
        found.append(net(batch))
    return torch.cat(found).argmax(1).tolist()
""",
    "two networks": """
def validate(encoder, decoder, val_loader, criterion):
    encoder.eval(), decoder.eval()
    losses = []
    for x, y in val_loader:
        z = encoder(x)
        losses.append(criterion(decoder(z), y))
    print(sum(losses) / len(losses))
""",
    "a method": """
class Trainer:
    def __init__(self, model, loader):
        self.model, self.loader, self.val_loss = model, loader, 0.0

    def validate(self):
        self.model.eval()
        for x, y in self.loader:
            out = self.model(x)
            self.val_loss += nn.functional.mse_loss(out, y)
        return self.val_loss / len(self.loader)
""",
    "a meter": """
class Meter:
    def __init__(self):
        self.total = 0

    def update(self, value):
        self.total += value


def test(model, test_loader):
    model.eval()
    meter = Meter()
    for x, y in test_loader:
        meter.update(nn.functional.mse_loss(model(x), y))
    print(meter.total)
""",
    "a helper": """
def loss_of(model, batch):
    x, y = batch
    return nn.functional.mse_loss(model(x), y)


def evaluate(model, loader):
    model.eval()
    losses = []
    for batch in loader:
        losses.append(loss_of(model, batch))
    return torch.stack(losses).mean().item()
""",
}


@pytest.mark.parametrize("name", EVALUATIONS)
def test_what_keeps_the_graphs_of_an_evaluation_is_a_place_of_it(name: str) -> None:
    found = check(HEAD + EVALUATIONS[name], ("MEM101", "MEM102", "MEM105", "MEM201"))
    assert [f.code for f in found] == ["MEM201"]
    (kept,) = found[0].secondary
    assert kept.code in ("MEM101", "MEM102", "MEM105")
    assert found[0].severity is kept.severity is Severity.ERROR


STATES = {
    "a name": """
def evaluate(loader, hidden):
    rnn = nn.GRU(8, 8)
    rnn.eval()
    for x in loader:
        out, hidden = rnn(x, hidden)
        print(out.mean().item())
""",
    "an LSTM": """
def validate(val_loader):
    lstm = nn.LSTM(8, 8)
    lstm.eval()
    state = None
    for batch in val_loader:
        out, state = lstm(batch, state)
        print(out.argmax(-1).tolist())
""",
    "a cell": """
cell = nn.GRUCell(8, 8)
cell.eval()
h = torch.zeros(4, 8)
for batch in DataLoader(torch.randn(64, 8), batch_size=4):
    h = cell(batch, h)
    print(h.argmax(1).tolist())
""",
    "a method": """
class Stream:
    def __init__(self):
        self.rnn = nn.RNN(8, 8)
        self.state = None

    def evaluate(self, loader):
        self.rnn.eval()
        for x in loader:
            out, self.state = self.rnn(x, self.state)
            print(out.max().item())
""",
    "a test beside training": TRAIN
    + """

def test(test_loader):
    rnn = nn.GRU(8, 8)
    rnn.eval()
    h = torch.zeros(1, 4, 8)
    correct = 0
    for x, y in test_loader:
        out, h = rnn(x, h)
        correct += (out[-1].argmax(1) == y).sum().item()
    return correct
""",
}


@pytest.mark.parametrize("name", STATES)
def test_a_state_that_an_evaluation_carries_is_a_place_of_it(name: str) -> None:
    assert groups(HEAD + STATES[name], ("MEM106", "MEM201")) == {("MEM201", "MEM106")}


VOLATILE = "from torch.autograd import Variable\n"
OLD = {
    "both inputs": """
def test(model, loader):
    model.eval()
    for x, y in loader:
        x, y = Variable(x, volatile=True), Variable(y, volatile=True)
        print(nn.functional.nll_loss(model(x), y).data.item())
""",
    "one input": """
def validate(net, val_loader):
    net.eval()
    for batch, _ in val_loader:
        batch = Variable(batch.cuda(), volatile=True)
        print(net(batch).argmax(1).tolist())
""",
    "a method": """
class Tester:
    def evaluate(self, loader):
        self.model.eval()
        for x, _ in loader:
            data = Variable(x, volatile=True)
            print(self.model(data).max().item())
""",
    "two networks": """
def test(encoder, head, loader):
    encoder.eval(), head.eval()
    for x, y in loader:
        x = Variable(x, volatile=True)
        print((head(encoder(x)).argmax(1) == y).sum().item())
""",
    "a helper": """
def predicted(model, x):
    return model(x).argmax(1)


def test(model, loader):
    model.eval()
    for x, y in loader:
        x = Variable(x, volatile=True)
        print((predicted(model, x) == y).sum().item())
""",
}


@pytest.mark.parametrize("name", OLD)
def test_volatile_inputs_are_places_of_the_evaluation_that_they_are_for(name: str) -> None:
    found = check(HEAD + VOLATILE + OLD[name], ("MEM201", "MEM902"))
    assert [f.code for f in found] == ["MEM201"]
    assert {other.code for other in found[0].secondary} == {"MEM902"}


LATE = {
    "a function": """
def fit(loader, val_loader):
    model = nn.Linear(4096, 4096)
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(3):
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            for x, y in val_loader:
                print(nn.functional.mse_loss(model(x), y).item())
""",
    "a script": """
model = nn.Sequential(nn.Linear(4096, 4096), nn.ReLU(), nn.Linear(4096, 1))
optimizer = torch.optim.Adam(model.parameters())
loader = DataLoader(torch.randn(64, 4096), batch_size=4)
for epoch in range(3):
    for x in loader:
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        for x in loader:
            print(model(x).mean().item())
""",
    "functions": """
def train_epoch(model, loader, optimizer):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@torch.no_grad()
def evaluate(model, loader):
    for x, y in loader:
        print(nn.functional.mse_loss(model(x), y).item())


def main(loader):
    model = nn.Linear(4096, 4096)
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(3):
        train_epoch(model, loader, optimizer)
        evaluate(model, loader)
""",
    "a method": """
class Trainer:
    def __init__(self, loader, val_loader):
        self.model = nn.Linear(4096, 4096)
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self.loader, self.val_loader = loader, val_loader

    def run(self):
        for epoch in range(3):
            for x, y in self.loader:
                loss = nn.functional.mse_loss(self.model(x), y)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            with torch.no_grad():
                for x, y in self.val_loader:
                    print(nn.functional.mse_loss(self.model(x), y).item())
""",
    "the model's": """
def fit(loader, val_loader):
    model = nn.Linear(4096, 4096)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x), y)
            model.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            for x, y in val_loader:
                print(nn.functional.mse_loss(model(x), y).item())
""",
}


@pytest.mark.parametrize("name", LATE)
def test_one_late_zero_grad_is_one_finding(name: str) -> None:
    found = groups(HEAD + LATE[name], ("MEM114", "MEM122"))
    assert found == {("MEM114", "MEM122")}


FROZEN = {
    "a list": "    kept.append(teacher(x))\n",
    "a sum": "    seen = seen + teacher(x)\n",
    "a name": "    target = teacher(x)\n    kept.append(target)\n",
    "a part": "    kept.append(teacher(x)[:, 0])\n",
    "a dict": "    by_step[step] = teacher(x).mean()\n",
}
"""What a training loop keeps of a frozen network."""

DISTILLATION = """
student, teacher = nn.Linear(8, 4), nn.Linear(8, 4)
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
kept, by_step, seen = [], {{}}, 0
for step, x in enumerate(DataLoader(torch.randn(64, 8), batch_size=4)):
    optimizer.zero_grad()
{body}    student(x).pow(2).mean().backward()
    optimizer.step()
print(len(kept), len(by_step), seen)
"""


@pytest.mark.parametrize("name", FROZEN)
def test_what_keeps_the_graphs_of_a_frozen_network_is_a_place_of_its_forward(name: str) -> None:
    text = HEAD + DISTILLATION.format(body=FROZEN[name])
    (found,) = check(text, ("MEM101", "MEM102", "MEM203"))
    assert found.code == "MEM203"
    assert [other.code for other in found.secondary] == ["MEM101" if name == "a sum" else "MEM102"]


MIXED = """
kept = []


def train(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        kept.append(loss)


def evaluate(model, loader):
    model.eval()
    for x, y in loader:
        print(model(x).argmax(1).tolist())
"""


def test_what_comes_from_elsewhere_stays_a_finding_of_its_own() -> None:
    assert groups(HEAD + MIXED, ("MEM102", "MEM201")) == {("MEM102",), ("MEM201",)}


def test_two_evaluations_each_have_their_finding() -> None:
    text = HEAD + EVALUATIONS["a helper"] + """

def test(model, test_loader):
    model.eval()
    total = 0
    for batch in test_loader:
        total += loss_of(model, batch)
    print(total)
"""  # fmt: skip
    found = check(text, ("MEM101", "MEM102", "MEM201"))
    assert [f.code for f in found] == ["MEM201", "MEM201"]
    assert [[other.code for other in f.secondary] for f in found] == [["MEM102"], ["MEM101"]]


def test_a_cause_that_is_not_selected_or_suppressed_lets_its_effects_come_forward() -> None:
    text = HEAD + EVALUATIONS["a list"]
    assert groups(text, ("MEM102",)) == {("MEM102",)}
    assert groups(text, ("MEM201",)) == {("MEM201",)}
    line = "        found.append(net(batch))"
    codes = ("MEM102", "MEM201")
    ignoring = {code: text.replace(line, f"{line}  # memlint: ignore[{code}]") for code in codes}
    both = ("MEM002", *codes)
    assert groups(ignoring["MEM201"], both) == {("MEM102",)}
    assert groups(ignoring["MEM102"], both) == {("MEM201",)}
    assert groups(text.replace(line, f"{line}  # memlint: ignore[MEM102, MEM201]"), both) == set()


def test_added_comments_silence_a_cause_and_its_effects() -> None:
    text = HEAD + EVALUATIONS["a sum"]
    codes = ("MEM101", "MEM201")
    ignored, written = with_ignores(text, check(text, codes), "")
    assert [finding.code for finding in written] == ["MEM201"]
    assert check(ignored, codes) == ()


SCORED = """
def classes_of(model, groups):
    model.eval()
    found = []
    for length in groups.keys():
        found.append(model(groups[length]).argmax(1).tolist())
    return found


def score(model, dev):
    found = classes_of(model, dev)
    return confusion(found, dev)


def train(trainer, batches, dev):
    model, optimizer = trainer.model, trainer.optimizer
    for number, (x, y) in enumerate(batches):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
        if number % 100 == 0:
            print(score(model, dev))
            model.train()
"""


@pytest.mark.parametrize(
    "callers",
    [
        "",
        "\ndef main(args):\n    trainer = load(args)\n    train(trainer, args.batches, args.dev)\n"
        "    print(classes_of(trainer.model, args.dev), score(trainer.model, args.dev))\nmain(1)\n",
        "\ndef last(trainer, dev):\n    return score(trainer.model, dev)\n",
    ],
)
def test_what_is_reported_in_a_function_is_not_told_again_where_it_is_called(callers: str) -> None:
    found = check(HEAD + SCORED + callers, ("MEM201",))
    assert [(HEAD + SCORED).splitlines()[f.span.line - 1].strip()[:12] for f in found] == ["found.append"]


def test_fingerprints_are_those_of_the_findings_alone() -> None:
    text = HEAD + EVALUATIONS["a list"]
    (found,) = check(text, ("MEM102", "MEM201"))
    apart = [check(text, (code,))[0].fingerprint for code in ("MEM201", "MEM102")]
    assert [found.fingerprint, found.secondary[0].fingerprint] == apart


@pytest.mark.parametrize("text", [*EVALUATIONS.values(), *STATES.values(), *LATE.values()])
@pytest.mark.parametrize("unsafe", [False, True])
def test_the_fix_of_a_cause_leaves_nothing_of_its_effects(text: str, unsafe: bool) -> None:
    codes = ("MEM101", "MEM102", "MEM105", "MEM106", "MEM114", "MEM122", "MEM201")
    fixed = fix_text(HEAD + text, "train.py", lambda new: check(new, codes), unsafe=unsafe)
    assert not fixed.refused
    left = check(fixed.text, codes)
    again = fix_text(fixed.text, "train.py", lambda new: check(new, codes), unsafe=unsafe)
    assert again.text == fixed.text
    fixing = {finding.code for finding in fixed.applied}
    assert "MEM201" not in fixing or not any(f.code in ("MEM101", "MEM102", "MEM105", "MEM201") for f in left)


def test_where_a_cause_has_no_safe_fix_that_of_an_effect_is_applied() -> None:
    text = HEAD + EVALUATIONS["a sum"]
    codes = ("MEM101", "MEM201")
    safe, unsafe = (fix_text(text, "t.py", lambda new: check(new, codes), unsafe=u) for u in (False, True))
    assert [f.code for f in unsafe.applied] == ["MEM201"]
    assert ".detach()" not in unsafe.text
    assert [f.code for f in safe.applied] == ["MEM101"]
    assert ".detach()" in safe.text


UNPACKED = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.split = nn.LSTM(8, 8)

    def forward(self, x):
        {line}
        return {value}
"""


@pytest.mark.parametrize(
    ("line", "value", "found"),
    [
        ("self.out, self.state = self.split(x)", "self.out.mean()", {("MEM120", "MEM120")}),
        ("(self.a, self.b), rest = self.split(x), x", "rest", {("MEM120", "MEM120")}),
        ("self.a = self.split(x)[0]", "self.a.mean()", {("MEM120",)}),
        ("self.a = self.b = self.split(x)[0]", "self.b.mean()", {("MEM120", "MEM120")}),
        ("self.out, rest = self.split(x)", "self.out.mean()", {("MEM120",)}),
    ],
)
def test_attributes_that_one_statement_fills_are_one_finding(
    line: str, value: str, found: set[tuple[str, ...]]
) -> None:
    assert groups(HEAD + UNPACKED.format(line=line, value=value), ("MEM120",)) == found


GROWTH = """
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
{lines}
strategy = tf.distribute.MirroredStrategy()
"""
GROW = "tf.config.experimental.set_memory_growth(gpus[0], True)"
LIMIT = (
    "tf.config.set_logical_device_configuration("
    "gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=1024)])"
)


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (f"{GROW}\n{LIMIT}", {("MTF103", "MTF102")}),
        (f"{LIMIT}\n{GROW}", {("MTF103", "MTF102")}),
        (f"if gpus:\n    {GROW}\n    {LIMIT}", {("MTF103", "MTF102")}),
        (GROW, {("MTF102",)}),
        (LIMIT, set()),
    ],
)
def test_growth_without_effect_is_not_also_said_to_be_uneven(lines: str, found: set[tuple[str, ...]]) -> None:
    assert groups(GROWTH.format(lines=lines), ("MTF102", "MTF103")) == found


HEADS = """
import torch
from torchvision.models import resnet50
from data import loader

net = resnet50(weights="DEFAULT")
{freeze}
net.fc = torch.nn.Linear(2048, 10)
optimizer = torch.optim.Adam(net.fc.parameters())
for x, y in loader:
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("freeze", "found"),
    [
        ("for p in net.parameters():\n    p.require_grad = False", {("MEM908", "MEM205")}),
        ("for _, p in net.named_parameters():\n    p.requires_grads = False", {("MEM908", "MEM205")}),
        (
            "for m in net.children():\n    for p in m.parameters():\n        p.require_grad = False",
            {("MEM908", "MEM205")},
        ),
        ("net.require_grad = False", {("MEM908", "MEM205")}),
        ("for p in net.parameters():\n    p.require_grad = True", {("MEM908",), ("MEM205",)}),
        ("", {("MEM205",)}),
        ("for p in net.parameters():\n    p.requires_grad = False", set()),
    ],
)
def test_what_a_typo_leaves_unfrozen_is_one_finding(freeze: str, found: set[tuple[str, ...]]) -> None:
    assert groups(HEADS.format(freeze=freeze), ("MEM205", "MEM908")) == found


# --- several files ------------------------------------------------------------------------------------

LOADS = """
import torch
from torch import nn
from files import read

net = nn.Linear(4, 2).cuda()
net.load_state_dict(read("a.pt"))
"""


def reports(folder: Path, codes: Collection[str], **texts: str) -> list[FileReport]:
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text, "utf-8")
    chosen = frozenset(codes)
    checks = {name: engine.Checks(chosen, chosen, f"{name}.py", root=str(folder)) for name in texts}
    return [engine.check(text, str(folder / f"{n}.py"), checks[n]) for n, text in texts.items()]


def told(found: list[FileReport]) -> list[tuple[str, int, list[str]]]:
    """Name of the file, line and places of each finding."""
    findings = one_cause.across(found)
    return [
        (Path(f.path).stem, f.span.line, [f"{Path(o.path).stem}:{o.span.line}" for o in f.secondary])
        for report in findings
        for f in report.findings
    ]


def test_calls_of_one_helper_that_alone_can_be_fixed_are_one_finding(tmp_path: Path) -> None:
    files = "import torch\n\n\ndef read(path):\n    return torch.load(path)\n"
    twice = f"{LOADS}net.load_state_dict(read('b.pt'))\n"
    found = reports(tmp_path, ["MEM701"], a=LOADS, b=LOADS, c=twice, files=files)
    assert [len(report.findings) for report in found] == [1, 1, 1, 0]
    assert told(found) == [("a", 7, ["b:7", "c:7", "c:8"])]


def test_each_load_of_its_own_stays_a_finding(tmp_path: Path) -> None:
    text = LOADS.replace("from files import read\n", "").replace("read(", "torch.load(")
    assert len(told(reports(tmp_path, ["MEM701"], a=text, b=text))) == 2


def made(path: str, line: int, code: str, causes: tuple[str, ...], *, fix: bool = False) -> Finding:
    span = Span(line, 5, line, 20)
    title = Fix(Applicability.SAFE, "fix it", ()) if fix else None
    return Finding(
        code, "x", Severity.WARNING, "text", path, span, f"{path}{line}{code}", fix=title, causes=causes
    )


def joined(*findings: Finding) -> list[tuple[str, int, list[tuple[str, int]]]]:
    found = one_cause.joined(findings)
    return [(f.path, f.span.line, [(o.path, o.span.line) for o in f.secondary]) for f in found]


def test_of_a_caller_and_its_callee_the_callee_stands() -> None:
    callee = made("/p/b.py", 3, "MEM201", ("/p/b.py:3:9",), fix=True)
    caller = made("/p/a.py", 8, "MEM201", ("/p/b.py:3:9",), fix=True)
    assert joined(caller, callee) == [("/p/b.py", 3, [("/p/a.py", 8)])]


def test_calls_that_lead_to_the_same_code_of_another_file_are_one_finding() -> None:
    first = made("/p/a.py", 8, "MEM201", ("/p/c.py:3:9 <- /p/a.py:8:5",), fix=True)
    second = made("/p/b.py", 8, "MEM201", ("/p/c.py:3:9 <- /p/b.py:8:5 <- /p/b.py:20:1",), fix=True)
    other = made("/p/b.py", 9, "MEM201", ("/p/c.py:5:9 <- /p/b.py:9:5",), fix=True)
    assert joined(first, second, other) == [("/p/a.py", 8, [("/p/b.py", 8)]), ("/p/b.py", 9, [])]


DETECT = """
import torch


def detect(net, image):
    net.eval()
    return net(image.cuda()).argmax(1).cpu().numpy()
"""
CALLS = """
import torch
from detect import detect

net = torch.nn.Linear(4, 2).cuda()
"""


def test_each_call_that_leads_to_another_file_gets_its_own_fix(tmp_path: Path) -> None:
    uses = CALLS + "".join(
        f"def watch_{n}(camera):\n    for _ in range(100):\n        print(detect(net, camera.read()))\n"
        for n in range(30)
    )
    (report, _) = reports(tmp_path, ["MEM201"], uses=uses, detect=DETECT)
    (found,) = report.findings
    assert len(found.secondary) == 29
    chosen = frozenset(["MEM201"])
    path, checks = str(tmp_path / "uses.py"), engine.Checks(chosen, chosen, "uses.py", root=str(tmp_path))
    result = fix_text(uses, path, lambda text: engine.check(text, path, checks).findings, unsafe=True)
    assert (result.text.count("no_grad"), len(result.applied), result.refused) == (30, 30, "")


def test_an_effect_with_a_further_cause_stays_apart() -> None:
    cause = made("/p/a.py", 3, "MEM201", ("/p/a.py:3:5",))
    effect = made("/p/a.py", 4, "MEM102", ("/p/a.py:3:5", "/p/a.py:1:1"))
    assert len(joined(cause, effect)) == 2
    assert len(joined(cause, made("/p/a.py", 4, "MEM102", ("/p/a.py:3:5",)))) == 1
    assert len(joined(cause, made("/p/a.py", 4, "MEM112", ("/p/a.py:3:5",)))) == 2
    assert len(joined(cause, made("/p/a.py", 4, "MEM102", ()))) == 2


def test_a_cause_is_as_severe_as_its_worst_effect() -> None:
    cause = made("/p/a.py", 3, "MEM201", ("/p/a.py:3:5",))
    effect = replace(made("/p/a.py", 4, "MEM102", ("/p/a.py:3:5",)), severity=Severity.ERROR)
    (found,) = one_cause.joined([cause, effect])
    assert (found.code, found.severity) == ("MEM201", Severity.ERROR)


def test_no_rule_is_an_effect_of_its_own_effects() -> None:
    leads = {rule.code: rule.effect_of - {rule.code} for rule in catalogue.load()}
    for code in leads:
        above, seen = set(leads[code]), set[str]()
        while above:
            seen |= above
            above = {cause for rule in above for cause in leads[rule]} - seen
        assert code not in seen


ONE_FUNCTION = """
def translate(encoder, decoder, source, limit):
    encoder.eval()
    words = [encoder(chunk.cuda()).argmax(-1).tolist() for chunk in source.split(8)]
    token = torch.zeros(1).cuda()
    while len(words) < limit:
        token = decoder(token).argmax(-1)
        words.append(token.item())
    return words
"""


def test_an_evaluation_in_several_loops_is_one_finding() -> None:
    (found,) = check(HEAD + ONE_FUNCTION, ("MEM201",))
    assert [(f.code, f.span.line) for f in (found, *found.secondary)] == [("MEM201", 7), ("MEM201", 10)]


def test_evaluations_in_a_function_that_trains_stay_apart() -> None:
    loops = """    model.eval()
    for x, y in DataLoader(data):
        print(model(x).argmax(1).tolist())
    for x, y in DataLoader(other):
        print(model(x).argmax(1).tolist())
"""
    found = check(HEAD + TRAIN.replace("optimizer):", "optimizer, data, other):") + loops, ("MEM201",))
    assert [len(f.secondary) for f in found] == [0, 0]


def test_two_branches_that_keep_one_loader_are_one_finding() -> None:
    text = HEAD + """from itertools import cycle
def search(dataset, other, shown):
    loader, second = DataLoader(dataset), DataLoader(other)
    if shown:
        batches = iter(cycle(loader))
    else:
        batches = cycle(loader)
    return batches, cycle(second)
"""  # fmt: skip
    found = check(text, ("MEM404",))
    assert [(f.span.line, [o.span.line for o in f.secondary]) for f in found] == [(8, [10]), (11, [])]


CACHES = """
import functools
class Block(nn.Module):
    @functools.lru_cache
    def frames(self, count):
        return count // 2
class Whole(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range(4))
    @functools.lru_cache
    def frames(self, count):
        for block in self.blocks:
            count = block.frames(count)
        return count
class Alone(nn.Module):
    @functools.lru_cache
    def width(self, count):
        return count + 1
"""


def test_the_caches_of_parts_are_places_of_that_of_the_whole() -> None:
    found = check(HEAD + CACHES, ("MEM129",))
    assert [(f.span.line, [o.span.line for o in f.secondary]) for f in found] == [(14, [7]), (20, [])]


def test_places_in_a_notebook_count_in_their_cells() -> None:
    cells = [HEAD, "def evaluate(model, loader):\n    model.eval()\n    kept = []\n    for x in loader:\n"
             "        kept.append(model(x))\n    print(torch.cat(kept).argmax(1).tolist())\n"]  # fmt: skip
    book = {
        "cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None,
                   "source": cell.splitlines(keepends=True)} for cell in cells],
        "metadata": {}, "nbformat": 4, "nbformat_minor": 5,
    }  # fmt: skip
    source = Notebook.decode("book.ipynb", json.dumps(book).encode())
    chosen = frozenset(("MEM102", "MEM201"))
    task = Task("book.ipynb", engine.Checks(chosen, chosen, "book.ipynb"), Mode())
    (found,) = process_text(source, task).report.findings
    assert (found.code, found.cell, found.span.line) == ("MEM201", 2, 5)
    assert [(o.code, o.cell, o.span.line) for o in found.secondary] == [("MEM102", 2, 5)]


ARMS = {
    "MEM704": """
def train(model, optimizer, loader, epochs):
    model.cuda()
    best = 1e9
    for epoch in range(epochs):
        for x, y in loader:
            loss = model(x.cuda()).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch < 3:
            best_model = copy.deepcopy(model)
        elif loss.item() < best:
            best = loss.item()
            best_model = copy.deepcopy(model)
    return best_model
""",
    "MEM603": """
def wrap(net, on_cpu, rank):
    if on_cpu:
        net = nn.parallel.DistributedDataParallel(net)
    else:
        net = nn.parallel.DistributedDataParallel(net, device_ids=[rank])
    return net
""",
}


@pytest.mark.parametrize("code", ARMS)
def test_what_both_arms_of_a_condition_do_is_one_finding(code: str) -> None:
    assert groups(f"import copy\n{HEAD}{ARMS[code]}", {code}) == {(code, code)}


def test_two_networks_that_are_wrapped_are_two_findings() -> None:
    text = ARMS["MEM603"].replace("DistributedDataParallel(net, ", "DistributedDataParallel(other, ")
    assert len(check(HEAD + text, {"MEM603"})) == 2


def test_copies_under_two_names_are_two_findings() -> None:
    text = ARMS["MEM704"].replace("            best_model =", "            best_at_first =", 1)
    text = text.replace("return best_model", "return best_at_first, best_model")
    assert len(check(f"import copy\n{HEAD}{text}", {"MEM704"})) == 2


IDLE = """
def score(model, loader):
    torch.no_grad()
    hits = 0
    for x, y in loader:
        hits += (model(x).argmax(1) == y).sum().item()
    return hits
"""


def test_an_evaluation_below_a_context_without_effect_is_a_place_of_it() -> None:
    assert groups(HEAD + IDLE, {"MEM201", "MEM202"}) == {("MEM202", "MEM201")}


@pytest.mark.parametrize(
    "text",
    [
        IDLE.replace("no_grad", "enable_grad"),
        "def quiet():\n    torch.no_grad()\n" + IDLE.replace("torch.no_grad()", "model.eval()"),
    ],
)
def test_another_context_or_function_leaves_the_evaluation_alone(text: str) -> None:
    assert groups(HEAD + text, {"MEM201", "MEM202"}) == {("MEM201",), ("MEM202",)}


def test_moves_of_one_method_are_one_finding() -> None:
    text = f"""{HEAD}
class Rows(torch.utils.data.Dataset):
    def __getitem__(self, i):
        x = torch.from_numpy(self.x[i]).cuda()
        y = torch.from_numpy(self.y[i]).cuda()
        return x, y

loader = DataLoader(Rows(), num_workers=2)
"""
    (found,) = check(text, {"MEM407"})
    assert [other.code for other in found.secondary] == ["MEM407"]
