"""Safe fixes change no result: scripts that invite a wrong fix, checked, fixed and run before and after."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache

import pytest

from memlint import catalogue
from memlint.edit.apply import fix_text
from memlint.engine import check as engine
from memlint.finding import Applicability, Finding, each

EVERY = frozenset(rule.code for rule in catalogue.load())
HEAD = """\
import functools
import torch
from torch import nn
import torch.nn.functional as F
from data import loader
torch.manual_seed(0)
model = nn.Linear(4, 40)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
"""
STEP = """\
    opt.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    opt.step()
"""
LATE = """\
    out = model(x)
    loss = F.cross_entropy(out, y)
{between}    opt.zero_grad()
    loss.backward()
    opt.step()
"""
TRAIN_THEN_TEST = """\
    for x, y in batches:
        sgd.zero_grad()
        F.cross_entropy(net(x), y).backward()
        sgd.step()
    with torch.no_grad():
        for x, y in batches:
            print(net(x).sum())
"""
WIDE = """\
head = nn.Linear(4, 40000)
sgd = torch.optim.SGD(head.parameters(), lr=0.1)
for x, y in loader:
    sgd.zero_grad()
    logits = head(x)
    loss = F.cross_entropy(logits, y)
"""


def check(text: str) -> tuple[Finding, ...]:
    report = engine.check(text, "t.py", engine.Checks(EVERY, EVERY, "t.py"))
    assert not report.failed
    return report.findings


@cache
def findings(text: str) -> tuple[Finding, ...]:
    return tuple(each(check(HEAD + text)))


def late(between: str = "", before: str = "") -> str:
    return f"{before}for x, y in loader:\n{LATE.format(between=between)}print(model.weight.sum().item())\n"


def sliced(after: str, before: str = "", line: str = "kept.append(wide(x).view(-1, 8, 8)[:, 3])") -> str:
    loop = f"with torch.no_grad():\n    for x, y in loader:\n        {line}\n"
    return f"{before}wide = nn.Linear(4, 64)\nkept = []\n{loop}{after}"


def summed(after: str, kept: str = "total += loss", start: str = "total = 0") -> str:
    return f"{start}\nfor x, y in loader:\n{STEP}    {kept}\n{after}"


METER = """\
class Meter:
    def __init__(self): self.sum, self.kept = 0, []
    def add(self, value):
        self.sum = self.sum + value
        self.kept.append(value)
meter = Meter()
"""

EVALUATED = """\
batches = list(loader)
def evaluate(net):
    net.eval()
    scores = []
    for x, y in batches:
        out = net(x)
        scores.append(F.cross_entropy(out, y))
        {inside}
    net.train()
    return torch.stack(scores).mean()
for x, y in batches:
    opt.zero_grad()
    F.cross_entropy(model(x), y).backward()
    opt.step()
print({shown})
"""
SAFE = {
    "a meter": ("MEM105", METER + summed("print(float(meter.sum))\n", "meter.add(loss)")),
    "a sum": ("MEM101", summed("print(float(total))\n")),
    "a sum in a text with a format": ("MEM101", summed('print("%.4f" % total)\n')),
    "a first value without detach": (
        "MEM101",
        summed("print(float(total))\n", "total = loss if total is None else total + loss", "total = None"),
    ),
    "a sum beside a question for frozen parameters": (
        "MEM101",
        summed("print(float(total), sum(p.numel() for p in model.parameters() if p.requires_grad))\n"),
    ),
    "a list that ends as a number": (
        "MEM102",
        summed("print(torch.stack(kept).mean().item())\n", "kept.append(loss)", "kept = []"),
    ),
    "a late zero_grad": ("MEM122", late()),
    "a late zero_grad and clipping after the backward": (
        "MEM122",
        late().replace("    opt.step", "    nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n    opt.step"),
    ),
    "views that are joined": ("MEM104", sliced("print(torch.cat(kept).sum())\n")),
    "views that are moved and joined": (
        "MEM104",
        sliced("rows = [k.cpu() for k in kept]\nprint(torch.stack(rows).mean())\n"),
    ),
    "views whose elements are read": ("MEM104", sliced("print(len(kept), kept[0], float(kept[1][0, 2]))\n")),
    "outputs alive in backward": (
        "MEM112",
        f"{WIDE}    loss.backward()\n    sgd.step()\nprint(head.bias.sum().item())\n",
    ),
    "gradients that stay in the function": (
        "MEM114",
        "def fit():\n    net = nn.Linear(4, 400000)\n    batches = list(loader)\n"
        f"    sgd = torch.optim.SGD(net.parameters(), lr=0.1)\n{TRAIN_THEN_TEST}fit()\n",
    ),
    "an evaluation that is printed as a number": (
        "MEM201",
        EVALUATED.format(inside="", shown="evaluate(model).item()"),
    ),
    "a gradient of data that nothing reads": (
        "MEM128",
        f"for x, y in loader:\n    x.requires_grad_()\n{STEP}print(model.weight.sum().item())\n",
    ),
}

NORMS = "def norms(): return [p.grad.norm() for p in model.parameters() if p.grad is not None]\n"
NOT_SAFE = {
    "the mean of an evaluation is printed": ("MEM201", EVALUATED.format(inside="", shown="evaluate(model)")),
    "outputs of an evaluation are printed": (
        "MEM201",
        EVALUATED.format(inside="print(out)", shown="evaluate(model).item()"),
    ),
    "what a meter holds is printed": ("MEM105", METER + summed("print(meter.sum)\n", "meter.add(loss)")),
    "what a meter holds is given back and printed": (
        "MEM105",
        METER + "def total():\n    return meter.sum\n" + summed("print(total())\n", "meter.add(loss)"),
    ),
    "what a meter holds is asked for its graph": (
        "MEM105",
        METER + summed("print([v.requires_grad for v in meter.kept])\n", "meter.add(loss)"),
    ),
    "gradients that a caller may read": (
        "MEM114",
        "def fit(batches):\n    net = nn.Linear(4, 400000)\n"
        f"    sgd = torch.optim.SGD(net.parameters(), lr=0.1)\n{TRAIN_THEN_TEST}    return net\n",
    ),
    "gradients that who has the trainer may read": (
        "MEM114",
        "class Trainer:\n    def __init__(self):\n        self.net = nn.Linear(4, 400000)\n"
        "        self.sgd = torch.optim.SGD(self.net.parameters(), lr=0.1)\n    def fit(self, batches):\n"
        + TRAIN_THEN_TEST.replace("net(", "self.net(")
        .replace("sgd.", "self.sgd.")
        .replace("    ", "        "),
    ),
    "a sum that is asked for its graph": ("MEM101", summed("print(total.grad_fn is None)\n")),
    "a sum that is asked whether it requires grad": ("MEM101", summed("print(total.requires_grad)\n")),
    "a list that is printed joined": (
        "MEM102",
        summed("print(torch.stack(kept).mean())\n", "kept.append(loss)", "kept = []"),
    ),
    "a list whose last entry is printed": (
        "MEM102",
        summed('print(f"{kept[-1]}")\n', "kept.append(loss)", "kept = []"),
    ),
    "a list whose mean is printed": (
        "MEM102",
        summed("print(sum(kept) / len(kept))\n", "kept.append(loss)", "kept = []"),
    ),
    "gradients read by the name of the attribute": (
        "MEM122",
        late(
            "    log(model)\n",
            "def log(m): print([getattr(p, 'grad', None) is None for p in m.parameters()])\n",
        ),
    ),
    "gradients measured between": (
        "MEM122",
        late("    print(float(nn.utils.clip_grad_norm_(model.parameters(), 9.0)))\n"),
    ),
    "gradients measured by a function of the file": (
        "MEM122",
        late("    print(grad_norm(model))\n", "from tools import grad_norm\n"),
    ),
    "gradients measured by a function that a function of the file calls": (
        "MEM122",
        late("    report(3)\n", f"{NORMS}def report(n): print(n, norms())\n"),
    ),
    "gradients measured by what a function is given": (
        "MEM122",
        f"{NORMS}def fit(report):\n    for x, y in loader:\n"
        + LATE.format(between="    report()\n").replace("    ", "        ")
        + "fit(lambda: print(norms()))\n",
    ),
    "a function out of view gets the network": (
        "MEM122",
        late("    show(model)\n", "from tools import show\n"),
    ),
    "a hook sees the network before each forward": (
        "MEM122",
        late(before="model.register_forward_pre_hook(lambda m, x: print(m.weight.grad is None))\n"),
    ),
    "a view that is summed": ("MEM104", sliced("print(kept[0].sum())\n")),
    "views that are averaged one by one": ("MEM104", sliced("for k in kept:\n    print(torch.mean(k))\n")),
    "views that a product reads": ("MEM104", sliced("print(kept[0] @ kept[1].T)\n")),
    "a view that a network reads": ("MEM104", sliced("print(nn.Linear(8, 2)(kept[0]))\n")),
    "views that a function of the file averages": (
        "MEM104",
        sliced("def mean(): return kept[-1].mean()\nprint(mean())\n"),
    ),
    "views that are averaged under another name": (
        "MEM104",
        sliced("rows = []\nfor k in kept:\n    rows.append(k)\nprint(rows[0].mean())\n"),
    ),
    "views that code out of view gets": ("MEM104", sliced("show(kept)\n", "from tools import show\n")),
    "who waits for the variable to go": (
        "MEM112",
        f"import weakref\n{WIDE}    seen = weakref.ref(logits)\n    loss.backward()\n"
        "    print(seen() is None)\n    sgd.step()\n",
    ),
    "a network that asks for the grad mode": (
        "MEM201",
        "class Net(nn.Linear):\n    def forward(self, x):\n"
        "        return super().forward(x) * (2 if torch.is_grad_enabled() else 1)\nnet = Net(4, 40)\n"
        f"sgd = torch.optim.SGD(net.parameters(), lr=0.1)\nbatches = list(loader)\n{TRAIN_THEN_TEST}"
        "net.eval()\nfor x, y in batches:\n    print(F.cross_entropy(net(x), y).item())\n",
    ),
    "a network that keeps what it makes first": (
        "MEM201",
        "class Net(nn.Linear):\n    table = None\n    def forward(self, x):\n"
        "        if self.table is None:\n            self.table = self.weight.T @ self.weight\n"
        "        return super().forward(x @ self.table)\nnet = Net(4, 40)\n"
        f"sgd = torch.optim.SGD(net.parameters(), lr=0.1)\nbatches = list(loader)\n{TRAIN_THEN_TEST}"
        "net.eval()\nfor x, y in batches:\n    print(F.cross_entropy(net(x), y).item())\n",
    ),
    "a network that asks its input for requires_grad": (
        "MEM128",
        "class Net(nn.Linear):\n    def forward(self, x):\n"
        "        return super().forward(x) * (2 if x.requires_grad else 1)\nnet = Net(4, 40)\n"
        f"for x, y in loader:\n    x.requires_grad_()\n{STEP.replace('model(', 'net(')}",
    ),
}

TEACHER = (
    "teacher = nn.Linear(4, 40)\nalpha = nn.Parameter(torch.ones(1))\n"
    "opt.add_param_group({'params': [alpha]})\n"
)
DISTILLED = (
    "{before}for x, y in loader:\n    s = model(x)\n    {line}\n    opt.zero_grad()\n"
    "    loss.backward()\n    opt.step()\nprint(model.weight.sum().item())\n"
)
MIXED = {
    "an expression": "loss = (s - teacher(x).detach()).pow(2).mean()",
    "a parameter": "t = alpha * teacher(x).detach(); loss = (s - t).pow(2).mean()",
    "a function of the file": "loss = gap(s, teacher(x).detach())",
    "a tuple": "pair = (s * 2, teacher(x).detach()); loss = (pair[0] - pair[1]).pow(2).mean()",
    "two targets": "loss = gap_is = (s - teacher(x).detach()).abs().mean()",
}

CACHED = {
    "an attribute": "    if state.h is None:\n        state.h = base(x[:1]).tanh()\n    h = state.h\n",
    "an entry": "    if 'h' not in memo:\n        memo['h'] = base(x[:1]).tanh()\n    h = memo['h']\n",
    "a name": "    if h is None:\n        h = base(x[:1]).tanh()\n",
    "one of two names": "    if h is None:\n        out, h = model(x), base(x[:1]).tanh()\n",
    "an expression": "    h = base(x[:1]).tanh() if h is None else h\n",
    "or": "    memo['h'] = memo.get('h') or base(x[:1]).tanh()\n    h = memo['h']\n",
    "setdefault": "    h = memo.setdefault('h', base(x[:1]).tanh())\n",
    "a cached function": "    h = anchor(4)\n",
    "a handler": (
        "    try:\n        h = memo['h']\n    except KeyError:\n        h = memo['h'] = base(x[:1]).tanh()\n"
    ),
}

KEPT_BY_NETWORK = {
    "an attribute": (
        "    def forward(self, x):\n        if self.h is None:\n"
        "            self.h = self.base(x[:1]).tanh()\n"
        "        return self.head(x) + self.h\n"
    ),
    "an attribute that may be absent": (
        "    def forward(self, x):\n        if not hasattr(self, 'first'):\n"
        "            self.first = self.base(x[:1]).tanh()\n        return self.head(x) + self.first\n"
    ),
    "a property": (
        "    @functools.cached_property\n    def h2(self):\n"
        "        return self.base(torch.ones(1, 4)).tanh()\n"
        "    def forward(self, x):\n        return self.head(x) + self.h2\n"
    ),
}

SHARED_LINES = {
    "MEM205": (
        "net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 40)); net.head = nn.Linear(40, 40); "
        "part = torch.optim.SGD(net.head.parameters(), lr=0.1)\n"
        "for x, y in loader:\n    part.zero_grad()\n"
        "    F.cross_entropy(net(x), y).backward()\n    part.step()\n"
    ),
    "MEM121": (
        "for x, y in loader:\n"
        "    loss = F.cross_entropy(model(x), y); loss.backward(); opt.step(); x = None\n"
    ),
}

RUNNER = """
import io, json, sys, types
from contextlib import redirect_stdout
import torch
torch.set_num_threads(1)
printed = []
for script in json.load(sys.stdin):
    torch.manual_seed(1)
    batches = [(torch.randn(4, 4), torch.randint(0, 40, (4,))) for _ in range(3)]
    sys.modules["data"] = types.ModuleType("data")
    sys.modules["data"].loader = batches
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(script, "t.py", "exec"), {"__name__": "__main__"})
    printed.append(out.getvalue())
print(json.dumps(printed))
"""


def run(scripts: Sequence[str]) -> list[str]:
    """What each script prints, all of them run in one other process."""
    done = subprocess.run(
        [sys.executable, "-c", RUNNER],
        input=json.dumps(scripts),
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    printed: list[str] = json.loads(done.stdout)
    return printed


@pytest.mark.parametrize(("code", "text"), SAFE.values(), ids=SAFE.keys())
def test_a_fix_that_changes_no_result_is_safe(code: str, text: str) -> None:
    assert code in {f.code for f in findings(text) if f.fix and f.fix.applicability is Applicability.SAFE}


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
def test_safe_fixes_change_nothing_that_is_printed() -> None:
    before = [HEAD + text for _, text in SAFE.values()]
    after = [fix_text(text, "t.py", check, unsafe=False).text for text in before]
    assert all(old != new for old, new in zip(before, after, strict=True))
    printed = run([*before, *after])
    assert printed[: len(before)] == printed[len(before) :]
    assert all(printed)


@pytest.mark.parametrize(("code", "text"), NOT_SAFE.values(), ids=NOT_SAFE.keys())
def test_a_fix_that_something_would_notice_is_not_safe(code: str, text: str) -> None:
    safe = {f.code for f in findings(text) if f.fix and f.fix.applicability is Applicability.SAFE}
    assert code not in safe


OWNED = (
    "class Trainer:\n    def __init__(self):\n        self.total = 0\n    def fit(self):\n"
    f"        for x, y in loader:\n{STEP.replace('    ', '            ')}            self.total += loss\n"
)
SHARED = f"def fit():\n    global total\n    for x, y in loader:\n{STEP.replace('    ', '        ')}"
AVERAGED = (
    "slow = [p.detach().clone() for p in model.parameters()]\n"
    f"for x, y in loader:\n{STEP}    slow = [0.9 * a + 0.1 * p for a, p in zip(slow, model.parameters())]\n"
)
TRAINER = "trainer = Trainer()\ntrainer.fit()\n"
NUMBERS = {
    "an attribute": ("MEM101", f"{OWNED}{TRAINER}print(trainer.total.item())\n"),
    "what a method gives": (
        "MEM101",
        f"{OWNED}    def mean(self):\n        return float(self.total)\n{TRAINER}print(trainer.mean())\n",
    ),
    "a global": ("MEM101", f"total = 0\n{SHARED}        total += loss\nfit()\nprint(float(total))\n"),
    "a dictionary": ("MEM101", summed("print({'loss': total.item()})\n")),
    "a pair in a text": ("MEM101", summed("print('%s %.3f' % ('loss', total))\n")),
    "averages": ("MEM107", f"{AVERAGED}print(float(slow[0].sum()))\n"),
}
TEXTS = {
    "an attribute": ("MEM101", f"{OWNED}{TRAINER}print(trainer.total)\n"),
    "an attribute in a method": (
        "MEM101",
        f"{OWNED}    def show(self):\n        print(self.total / 3)\n{TRAINER}trainer.show()\n",
    ),
    "a property": (
        "MEM101",
        f"{OWNED}    @property\n    def mean(self): return self.total\n{TRAINER}print(trainer.mean)\n",
    ),
    "a global": ("MEM101", f"total = 0\n{SHARED}        total += loss\nfit()\nprint(total)\n"),
    "another name": ("MEM101", summed("result = total\nprint(result)\n")),
    "a list": ("MEM101", summed("print([total, 3])\n")),
    "a list that is filled": ("MEM101", summed("sums = []\nsums.append(total)\nprint(sums)\n")),
    "a dictionary": ("MEM101", summed("sums = {'loss': total}\nprint(sums)\n")),
    "an entry": ("MEM101", summed("print(sums)\n", "sums['loss'] += loss", "sums = {'loss': 0}")),
    "a pair in a text": ("MEM101", summed("print('%d %s' % (3, total))\n")),
    "a function of the file": ("MEM101", summed("def show(value): print(value)\nshow(total)\n")),
    "a progress bar": (
        "MEM101",
        summed("", "total += loss; bar.set_postfix(loss=total)", "from tools import bar\ntotal = 0"),
    ),
    "averages": ("MEM107", f"{AVERAGED}print({{'slow': slow[0]}})\n"),
    "averages one by one": ("MEM107", f"{AVERAGED}for a in slow:\n    print(a)\n"),
}


@pytest.mark.parametrize(
    ("code", "text", "safe"),
    [*((*case, True) for case in NUMBERS.values()), *((*case, False) for case in TEXTS.values())],
    ids=[*(f"number: {name}" for name in NUMBERS), *(f"text: {name}" for name in TEXTS)],
)
def test_what_is_printed_as_a_tensor_keeps_its_graph(code: str, text: str, safe: bool) -> None:
    found = [f.fix for f in findings(text) if f.code == code]
    assert [fix is not None and fix.applicability is Applicability.SAFE for fix in found] == [safe]


SUM = "def run(model, loader, opt):\n    total = 0\n    for x, y in loader:\n" + STEP.replace("    ", " " * 8)
RETURNED = {
    "the sum": ("    return total\n", False),
    "a mean in a dictionary": ("    return {'loss': total / len(loader)}, 1\n", False),
    "the sum of each pass": ("    yield total\n", False),
    "a number": ("    return total.item() / len(loader)\n", True),
    "to a caller in view": ("    return total / len(loader)\nprint(run(model, loader, opt).item())\n", True),
}


@pytest.mark.parametrize(("after", "safe"), RETURNED.values(), ids=RETURNED.keys())
def test_a_sum_that_a_caller_out_of_view_gets_is_not_detached_as_safe(after: str, safe: bool) -> None:
    (plan,) = (f.fix for f in findings(f"{SUM}        total += loss\n{after}") if f.code == "MEM101")
    assert plan is not None
    assert (plan.applicability is Applicability.SAFE) is safe


GIVEN = {
    "a list": "show([model])",
    "a pair by keyword": "show(pair=(1, model))",
    "a dictionary of lists": "show({'nets': [model]})",
    "a list under a name": "show(nets)",
    "a parameter": "show(model.weight)",
    "a parameter under a name": "show(weight)",
    "parameters": "show(list(model.parameters()))",
    "parameters by name": "show(dict(model.named_parameters()))",
    "a method": "show(model.parameters)",
    "an object that has it": "show(holder)",
    "functools.partial": "functools.partial(show, model)()",
    "functools.partial from before": "bound()",
}


@pytest.mark.parametrize("call", GIVEN.values(), ids=GIVEN.keys())
def test_code_out_of_view_that_gets_at_the_network_may_read_its_gradients(call: str) -> None:
    before = (
        "from tools import show\nclass Holder:\n    def __init__(self, net):\n        self.net = net\n"
        "holder = Holder(model)\nnets, weight = [model], model.weight\n"
    )
    bound = "bound = functools.partial(show, nets=[model])\n" if call == "bound()" else ""
    plans = {
        line: {f.code: f.fix for f in findings(late(f"    {line}\n", before + bound))}["MEM122"]
        for line in (call, "show(x, [loss])")
    }
    safe = {
        line: plan is not None and plan.applicability is Applicability.SAFE for line, plan in plans.items()
    }
    assert safe == {call: False, "show(x, [loss])": not bound}


PINNED = (
    "from torch.utils.data import DataLoader\nfrom sets import rows\nnet = nn.Linear(4, 40).cuda()\n"
    "opt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
    "for batch in DataLoader(rows, 8, pin_memory=True):\n    x, y = batch\n    raw = x\n"
    "    x, y = x.cuda(), y.cuda()\n    opt.zero_grad()\n"
    "    nn.functional.cross_entropy(net(x), y).backward()\n    opt.step()\n    {after}\n"
)


@pytest.mark.parametrize(
    ("after", "safe"), [("print(raw.mean())", True), ("raw.mul_(0)", False), ("batch[0].zero_()", False)]
)
def test_a_batch_that_is_written_on_the_host_is_waited_for(after: str, safe: bool) -> None:
    (plan,) = (f.fix for f in findings(PINNED.format(after=after)) if f.code == "MEM410")
    assert plan is not None
    assert (plan.applicability is Applicability.SAFE) is safe


EARLIER = {
    "an object": ("watch = Watch(model)\n", "", False),
    "an object that is called": ("watch = Watch(model)\n", "watch(x)", False),
    "a call whose result is dropped": ("show(model)\n", "", False),
    "parameters": ("watch = Watch(model.parameters())\n", "", False),
    "an optimizer, used later": ("watch = Watch(opt)\n", "watch.show()", False),
    "an optimizer": ("plan = Watch(opt)\n", "", True),
    "data": ("watch = Watch(3)\n", "watch.show()", True),
}


@pytest.mark.parametrize(("made", "used", "safe"), EARLIER.values(), ids=EARLIER.keys())
def test_code_out_of_view_that_had_the_network_before_may_read_its_gradients(
    made: str, used: str, safe: bool
) -> None:
    text = late(f"    {used}\n" if used else "", f"from tools import Watch, show\n{made}")
    plan = {f.code: f.fix for f in findings(text)}["MEM122"]
    assert plan is not None
    assert (plan.applicability is Applicability.SAFE) is safe


@pytest.mark.parametrize("line", MIXED.values(), ids=MIXED.keys())
def test_a_teacher_is_not_put_under_no_grad_with_what_is_trained(line: str) -> None:
    before = f"{TEACHER}def gap(a, b): return (a - b).pow(2).mean()\n"
    mixed = DISTILLED.format(before=before, line=line.replace("; ", "\n    "))
    found = {f.code: f for f in findings(mixed)}
    assert found["MEM203"].fix is None
    apart = "t = teacher(x).softmax(-1).detach()\n    loss = gap(s, t)"
    plan = {f.code: f for f in findings(DISTILLED.format(before=before, line=apart))}["MEM203"].fix
    assert plan is not None
    assert plan.applicability is Applicability.SAFE


HANDED = {
    "a dictionary": ("parts", "for name, value in parts.items():\n            self.kept.append(value)"),
    "a pair": ("(loss, model(x))", "first, second = parts\n        self.kept.append(first)"),
    "keywords": ("**parts", "self.kept.extend(parts.values())"),
    "either": ("parts if len(x) > 3 else loss", "self.kept.append(parts['a'])"),
}


@pytest.mark.parametrize("name", HANDED)
def test_what_a_meter_keeps_a_part_of_is_not_detached_as_if_it_were_a_tensor(name: str) -> None:
    given, body = HANDED[name]
    star = "**" * given.startswith("**")
    text = (
        f"class Meter:\n    def __init__(self):\n        self.kept = []\n    def add(self, {star}parts):\n"
        f"        {body}\nmeter = Meter()\nfor x, y in loader:\n{STEP}"
        f"    parts = {{'a': loss}}\n    meter.add({given})\n"
    )
    assert [f.fix for f in findings(text) if f.code == "MEM105"] == [None]


SUMS = {
    "a term that is a number at times": ("total += F.mse_loss(model(a), b) if len(a) else 0", "", False),
    "a region that backward does not belong in": (
        "with torch.autocast('cpu'):\n            total += F.mse_loss(model(a), b)", "", False,
    ),
    "a total that is read afterwards": ("total += F.mse_loss(model(a), b)", "print(total.item())\n", False),
    "a total for backward only": ("total += F.mse_loss(model(a), b)", "", True),
}  # fmt: skip


@pytest.mark.parametrize("name", SUMS)
def test_a_summed_backward_is_split_only_where_each_part_can_run_it(name: str) -> None:
    line, after, is_split = SUMS[name]
    text = (
        "for x, y in loader:\n    opt.zero_grad()\n    total = 0\n"
        f"    for a, b in zip(x.chunk(2), y.chunk(2)):\n        {line}\n"
        f"    total.backward()\n    opt.step()\n{after}"
    )
    assert [f.fix is not None for f in findings(text) if f.code == "MEM118"] == [is_split]


def test_inputs_of_a_network_in_float64_are_not_made_float32() -> None:
    text = (
        "import numpy as np\nx = torch.from_numpy(np.random.rand(9, 4)).to('cuda')\n"
        "net = nn.Linear(4, 1){cast}.cuda()\nnet(x).sum().backward()\n"
    )
    wide, narrow = (findings(text.format(cast=cast)) for cast in (".double()", ""))
    assert {f.fix for f in wide if f.code == "MEM304"} == {None}
    assert None not in {f.fix for f in narrow if f.code == "MEM304"}
    default = "torch.set_default_dtype(torch.float64)\n" + text.format(cast="")
    assert {f.fix for f in findings(default) if f.code == "MEM304"} == {None}


def test_an_evaluation_loop_that_makes_a_penalty_is_not_put_under_no_grad() -> None:
    training = f"for x, y in loader:\n{STEP}model.eval()\nreg = right = 0\n"
    counted = "for x, y in loader:\n    right += (model(x).argmax(-1) == y).sum().item()\n"
    penalty = "    reg = reg + model.weight.norm()\nopt.zero_grad()\nreg.backward()\nopt.step()\n"
    right, wrong = findings(training + counted), findings(training + counted + penalty)
    assert {f.code: f.fix for f in right}["MEM201"] is not None
    assert {f.code: f.fix for f in wrong}["MEM201"] is None


@pytest.mark.parametrize("made", CACHED.values(), ids=CACHED.keys())
def test_a_graph_that_is_made_once_needs_retain_graph(made: str) -> None:
    text = (
        "base = nn.Linear(4, 40)\nmemo = {}\nh = None\nstate = type('State', (), {'h': None})()\n"
        "@functools.lru_cache\ndef anchor(n):\n    return base(torch.ones(1, n)).tanh()\n"
        f"for x, y in loader:\n{made}    opt.zero_grad()\n    loss = F.cross_entropy(model(x) + h, y)\n"
        "    loss.backward(retain_graph=True)\n    opt.step()\n"
    )
    assert "MEM108" not in {f.code for f in findings(text)}
    plain = text.replace(made, "    h = base(x[:1]).tanh()\n")
    assert "MEM108" in {f.code for f in findings(plain)}


@pytest.mark.parametrize("body", KEPT_BY_NETWORK.values(), ids=KEPT_BY_NETWORK.keys())
def test_a_graph_that_a_network_keeps_needs_retain_graph(body: str) -> None:
    text = (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.h = None\n"
        f"        self.base, self.head = nn.Linear(4, 40), nn.Linear(4, 40)\n{body}net = Net()\n"
        "for x, y in loader:\n    opt.zero_grad()\n    loss = F.cross_entropy(net(x), y)\n"
        "    loss.backward(retain_graph=True)\n    opt.step()\n"
    )
    assert "MEM108" not in {f.code for f in findings(text)}


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
def test_a_line_is_put_beside_the_right_part_of_a_shared_line() -> None:
    fixed = {code: fix_text(HEAD + text, "t.py", check, unsafe=True) for code, text in SHARED_LINES.items()}
    for code, got in fixed.items():
        assert code in {f.code for f in got.applied}
    run([got.text for got in fixed.values()])


@pytest.mark.parametrize("rest", ["opt.step()", "opt.step(); print(i)", "print(i); opt.step()"])
@pytest.mark.parametrize(
    ("header", "cleared"),
    [
        ("if i % 3 == 2:", ""),
        ("if i % 3 == 2:", "    opt.zero_grad()\n"),
        ("if i % 3 != 2: pass\n    else:", ""),
    ],
)
def test_a_window_on_one_line_clears_within_its_block(header: str, rest: str, cleared: str) -> None:
    text = (
        f"{HEAD}for i, (x, y) in enumerate(loader):\n{cleared}"
        f"    (F.cross_entropy(model(x), y) / 3).backward()\n    {header} {rest}\n"
    )
    fixed = fix_text(text, "t.py", check, unsafe=True).text
    assert fixed.count("zero_grad") == 1
    assert "opt.step()\n        opt.zero_grad()" in fixed


@pytest.mark.parametrize("comment", ["# noqa: B018", "# type: ignore[call]", "# for a picture"])
def test_a_note_to_another_tool_goes_with_its_line(comment: str) -> None:
    text = f"{HEAD}for x, y in loader:\n    x.requires_grad_()  {comment}\n{STEP}"
    fixed = fix_text(text, "t.py", check, unsafe=False).text
    assert "requires_grad_" not in fixed
    assert (comment in fixed) == (comment == "# for a picture")


@pytest.mark.parametrize("line", ["kept = out.retain_grad()", "print(out.retain_grad())"])
def test_a_gradient_that_the_line_goes_on_with_is_left_and_the_finding_says_why(line: str) -> None:
    loop = f"for x, y in loader:\n    out = model(x)\n    {line}\n"
    rest = "    opt.zero_grad()\n    nn.functional.cross_entropy(out, y).backward()\n    opt.step()\n"
    found = [f for f in findings(loop + rest) if f.code == "MEM128"]
    notes = [note.text for f in found for note in f.notes]
    assert [f.fix for f in found] == [None]
    assert any(text.startswith("no fix is offered: the line goes on") for text in notes)


@pytest.mark.parametrize("read", ["model.module.state_dict()", "net.module", "model.state_dict()"])
def test_a_wrapper_over_one_device_stays_where_lines_take_the_module_out(read: str) -> None:
    wrap = "model = torch.nn.DataParallel(model.cuda(), device_ids=[0])\nnet = model\n"
    step = "loss = F.cross_entropy(model(x.cuda()), y.cuda())\n    loss.backward()\n    opt.step()\n"
    loop = f"for x, y in loader:\n    opt.zero_grad()\n    {step}print({read})\n"
    found = [f for f in findings(wrap + loop) if f.code == "MEM601"]
    assert [f.fix is not None for f in found] == [".module" not in read]


@pytest.mark.parametrize(("name", "offered"), [("plot_function", []), ("metric_function", [True])])
def test_what_a_caller_gives_to_be_computed_may_need_the_graph(name: str, offered: list[bool]) -> None:
    text = (
        f"import torch\n\ndef frames(model, {name}, points):\n    model.eval()\n    found = []\n"
        f"    for point in points:\n        made = {name}(model(point), point)\n"
        "        found.append(made.detach().cpu().numpy())\n    return found\n"
    )
    found = [f for f in check(text) if f.code == "MEM201"]
    assert [f.fix is not None for f in found] == offered


def test_a_finding_without_a_fix_says_why_where_its_rule_has_one() -> None:
    silent = {
        (rule.code, example.title)
        for rule in catalogue.load()
        if rule.fix not in ("none", "display")
        for example in rule.bad
        for found in each(check(example.code))
        if found.code == rule.code and found.fix is None
        if not any(note.text.startswith("no fix is offered: ") for note in found.notes)
    }
    assert silent == set()
