"""Generated giants: scripts that train and are deep, long, wide or wound up, and projects of many modules."""

from __future__ import annotations

from collections.abc import Callable

Files = dict[str, str]
"""Texts by path, as one project."""

HEAD = """\
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = [torch.randn(8, 4) for _ in range(100)]
losses = []
total = 0.0
"""
STEP = """\
optimizer.zero_grad()
loss = model(x).mean()
loss.backward()
optimizer.step()
total += loss
losses.append(loss)
"""
TRAINING = "for x in loader:\n    " + STEP.replace("\n", "\n    ").rstrip() + "\n"


def indented(text: str, depth: int = 1) -> str:
    """The lines of a text, `depth` levels deeper."""
    return "".join(f"{'    ' * depth}{line}\n" for line in text.splitlines())


def _nested(openers: list[str], inner: str = STEP) -> Files:
    lines = "".join(indented(opener, depth) for depth, opener in enumerate(openers))
    return {"train.py": HEAD + lines + indented(inner, len(openers))}


def _script(text: str) -> Files:
    return {"train.py": HEAD + text}


def _elif_chain() -> Files:
    branches = "".join(f"elif x.shape[0] == {n}:\n    losses.append(model(x) + {n})\n" for n in range(500))
    return _script("for x in loader:\n" + indented(f"if x is None:\n    pass\n{branches}" + STEP))


def _arms(count: int, body: str) -> Files:
    """One `if` with many arms around what a loop does with each batch, behind a backward."""
    arms = "".join(f"elif mode == {n}:\n    {body}\n" for n in range(count))
    before = "loss = model(x).mean()\nloss.backward()\nif mode is None:\n    pass\n"
    return _script("for x in loader:\n" + indented(f"{before}{arms}else:\n    optimizer.step()\n"))


def _long_function(lines: int) -> Files:
    body = "".join(f"y{n} = model(x) * {n}\nlosses.append(y{n})\n" for n in range(lines // 2))
    return _script("def train():\n" + indented("for x in loader:\n" + indented(body + STEP)))


def _same_name() -> Files:
    return _script(
        "for x in loader:\n" + "    x = x * 2 if x.mean() > 0 else x + 1\n" * 10_000 + indented(STEP)
    )


def _functions(count: int) -> Files:
    """Functions that each call the next one; the last one trains."""
    calls = "".join(f"def f{n}(x):\n    y = model(x)\n    return f{n + 1}(y)\n\n" for n in range(count))
    return _script(
        f"{calls}def f{count}(x):\n    losses.append(x)\n    return x\n\nfor x in loader:\n    f0(x)\n"
    )


def _calling_each_other(count: int) -> Files:
    """Functions that each call three others, themselves in the end."""
    calls = "".join(
        f"def f{n}(x):\n    losses.append(model(x))\n"
        f"    return f{(n + 1) % count}(x) + f{(n * 7 + 3) % count}(x) + f{(n * 11 + 5) % count}(x)\n\n"
        for n in range(count)
    )
    return _script(f"{calls}for x in loader:\n" + indented("loss = f0(x).mean()\nloss.backward()\n"))


def _classes(count: int, *, chain: bool) -> Files:
    text = ""
    for n in range(count):
        base = f"Net{n - 1}" if chain and n else "nn.Module"
        text += f"class Net{n}({base}):\n" + indented(
            f"def __init__(self):\n    super().__init__()\n    self.layer = nn.Linear(4, {n + 1})\n"
            "    self.kept = []\n\n"
            "def forward(self, x):\n    self.kept.append(self.layer(x))\n    return self.kept[-1]\n\n"
        )
    return _script(f"{text}model = Net{count - 1}()\n" + TRAINING)


def _methods(count: int) -> Files:
    methods = "".join(
        f"def m{n}(self, x):\n    self.seen{n} = model(x)\n    self.rows.append(self.seen{n})\n"
        f"    return self.m{(n + 1) % count}(x)\n\n"
        for n in range(count)
    )
    return _script("class Trainer:\n" + indented("rows = []\n\n" + methods) + "Trainer().m0(loader[0])\n")


def _layers(count: int) -> Files:
    """Networks on one object, of which each takes what the one before gave."""
    made = "".join(f"self.a{n} = nn.Linear(4, 4)\n" for n in range(count))
    used = "".join(f"x = self.a{n}(x)\n" for n in range(count))
    run = "def run(self):\n" + indented("for x in loader:\n" + indented(used + "losses.append(x)\n"))
    body = indented("def __init__(self):\n" + indented(made) + run)
    return _script(f"class Chain:\n{body}Chain().run()\n")


def _handlers(count: int) -> Files:
    handled = "try:\n    x = model(x)\nexcept ValueError:\n    losses.append(x)\n" * count
    return _script("for x in loader:\n" + indented(handled + STEP))


def _tried_steps(count: int) -> Files:
    """Training steps one after the other in one loop, each in a `try` of its own."""
    tried = f"try:\n{indented(STEP)}except RuntimeError:\n    losses.append(loss)\n"
    return _script("for x in loader:\n" + indented(tried * count))


def _branches(count: int) -> Files:
    branches = "".join(f"if flag{n}:\n    x = model(x)\n" for n in range(count))
    return _script("for x in loader:\n" + indented(branches + STEP))


def _optimizers(count: int) -> Files:
    made = "".join(
        f"m{n} = nn.Linear(4, 1)\no{n} = torch.optim.SGD(m{n}.parameters(), lr=0.1)\n" for n in range(count)
    )
    used = "".join(f"l{n} = m{n}(x).mean()\nl{n}.backward()\no{n}.step()\n" for n in range(count))
    return _script(f"{made}for x in loader:\n" + indented(used))


def _aliases(count: int) -> Files:
    names = "".join(f"a{n + 1} = a{n}\n" for n in range(count))
    return _script(f"a0 = losses\n{names}for x in loader:\n    a{count}.append(model(x).mean())\n")


def _cyclic(count: int) -> Files:
    """Modules of which each imports the next ones, the last the first."""
    made = {
        f"part{n}.py": f"import part{(n + 1) % count} as other\nfrom part{(n * 7 + 3) % count} import *\n"
        f"import torch\nrows{n} = []\n\ndef keep{n}(x):\n    rows{n}.append(x)\n"
        f"    return other.keep{(n + 1) % count}(x)\n"
        for n in range(count)
    }
    train = HEAD + "import part0\nfor x in loader:\n    part0.keep0(model(x))\n"
    return {**made, "train.py": train}


def _project(count: int) -> Files:
    """A package of many small modules that import one another, with a script for each hundred."""
    made = {"pyproject.toml": '[project]\nname = "p"\nversion = "0"\n', "p/__init__.py": ""}
    for n in range(count):
        made[f"p/m{n}.py"] = (
            f"from p.m{max(0, n - 1)} import *\nfrom p.m{n // 2} import Net{n // 2} as Half\n"
            "import torch\n\n\n"
            f"class Net{n}(torch.nn.Module):\n    def forward(self, x):\n        return x * {n}\n\n\n"
            f"def step{n}(model, x, rows):\n    rows.append(model(x))\n"
        )
    for n in range(0, count, 100):
        made[f"train{n}.py"] = (
            HEAD + f"from p.m{n} import step{n}\nfor x in loader:\n    step{n}(model, x, losses)\n"
        )
    return made


GIANTS: dict[str, Callable[[], Files]] = {
    "95 nested if": lambda: _nested(["for x in loader:", *[f"if x.sum() > {n}:" for n in range(94)]]),
    "20 nested loops": lambda: _nested([f"for x in loader[{n}:]:" for n in range(20)]),
    "20 nested with": lambda: _nested(["for x in loader:", *["with torch.enable_grad():"] * 19]),
    "20 nested try": lambda: _nested_try(19),
    "90 nested functions": lambda: _nested([f"def f{n}(x):" for n in range(90)]),
    "90 nested lambdas": lambda: _script(f"f = {'lambda x: ' * 90}losses.append(model(x))\n"),
    "190 brackets": lambda: _script(f"y = {'(' * 190}model(loader[0]){')' * 190}\n{TRAINING}"),
    "80 calls in calls": lambda: _script(f"y = {'model(' * 80}loader[0]{')' * 80}\n{TRAINING}"),
    "900 attributes": lambda: _script(f"y = model{'.layer' * 900}\n{TRAINING}"),
    "500 additions": lambda: _script(f"y = {' + '.join(['model(loader[0])'] * 500)}\n{TRAINING}"),
    "50,000 additions": lambda: _script(f"y = {' + '.join(['1'] * 50_000)}\n{TRAINING}"),
    "500 elif": _elif_chain,
    "400 arms around an output that is kept": lambda: _arms(400, "losses.append(model(x))"),
    "400 arms around a step": lambda: _arms(400, "optimizer.step()"),
    "function of 10,000 lines": lambda: _long_function(10_000),
    "script of 50,000 lines": lambda: _script(TRAINING * 7143),
    "one name bound 10,000 times": _same_name,
    "1,000 functions in a chain": lambda: _functions(1000),
    "300 functions that call one another": lambda: _calling_each_other(300),
    "1,000 classes": lambda: _classes(1000, chain=False),
    "1,000 classes in a chain": lambda: _classes(1000, chain=True),
    "1,000 methods in a ring": lambda: _methods(1000),
    "5,000 names for one list": lambda: _aliases(5000),
    "1,000 loops that train": lambda: _script(TRAINING * 1000),
    "list of 50,000 numbers": lambda: _script("rows = [\n" + "    1.5,\n" * 50_000 + f"]\n{TRAINING}"),
    "line of 1 MB": lambda: _script(f"rows = [{'1.5, ' * 200_000}]\n{TRAINING}"),
    "string of 10 MB": lambda: _script(f"text = '''\n{'model ' * 1_700_000}\n'''\n{TRAINING}"),
    "call with 2,000 arguments": lambda: _script(
        f"def f({', '.join(f'a{n}' for n in range(2000))}):\n    return a0\n\n"
        f"for x in loader:\n    losses.append(f({', '.join(['model(x)'] * 2000)}))\n"
    ),
    "match with 1,000 cases": lambda: _script(
        "for x in loader:\n    match x.shape[0]:\n"
        + "".join(f"        case {n}:\n            losses.append(model(x))\n" for n in range(1000))
        + indented(STEP)
    ),
    "2,000 layers in a chain": lambda: _layers(2000),
    "500 handlers": lambda: _handlers(500),
    "2,000 handlers": lambda: _handlers(2000),
    "400 training steps in try": lambda: _tried_steps(400),
    "800 method calls in a chain": lambda: _script(f"y = model(loader[0]){'.relu()' * 800}\n{TRAINING}"),
    "2,000 branches": lambda: _branches(2000),
    "200 optimizers in one loop": lambda: _optimizers(200),
    "500 optimizers in one loop": lambda: _optimizers(500),
    "list of 10,000 forward passes": lambda: _script(
        "rows = [\n" + "    model(loader[0]),\n" * 10_000 + f"]\n{TRAINING}"
    ),
    "dictionary updated 10,000 times": lambda: _script(
        "kept = {}\nfor x in loader:\n" + "    kept.update(a=model(x))\n" * 10_000 + indented(STEP)
    ),
    "200 modules in a ring": lambda: _cyclic(200),
    "project of 5,000 modules": lambda: _project(5000),
}


def _nested_try(depth: int) -> Files:
    text = STEP
    for n in range(depth):
        text = f"try:\n{indented(text)}except ValueError as e{n}:\n    losses.append(model(x))\n"
    return _script("for x in loader:\n" + indented(text))
