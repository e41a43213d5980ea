"""Whatever the flow of control in a script: every rule comes to an end, and so does every fix."""

from __future__ import annotations

import ast
import itertools
import textwrap
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memlint import catalogue
from memlint.commands.batch import Mode, Task, process_text
from memlint.engine import check as engine
from memlint.engine.check import Checks
from memlint.source.text import Source

CODES = frozenset(rule.code for rule in catalogue.load())

HEAD = """
import copy, itertools, sys
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
from torch.amp import GradScaler, autocast

class Meter:
    def __init__(self):
        self.rows, self.sum = [], 0
    def update(self, value, n=1):
        self.sum += value * n
        self.rows.append(value)

class Rows(Dataset):
    def __init__(self):
        self.rows = [{"x": i} for i in range(1000)]
    def __len__(self):
        return len(self.rows)
    def __getitem__(self, i):
        return self.rows[i]

net, critic, teacher = nn.Linear(3, 1), nn.LSTM(3, 3), nn.Linear(3, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scaler, meter = GradScaler(), Meter()
loader = DataLoader(Rows(), batch_size=4)
rows, table, total, best, h, i, x, loss = [], {}, 0, None, None, 0, torch.ones(2, 3), torch.ones(1)
"""

SIMPLE = """
loss = net(x).mean()
loss = loss + teacher(x).sum()
loss.backward()
loss.backward(retain_graph=True)
optimizer.step()
optimizer.zero_grad()
scaler.scale(loss).backward()
scaler.step(optimizer)
scaler.update()
rows.append({"v": loss, "n": 1})
rows.append(x[0])
rows += [loss]
rows = [r for r in rows if r is not None]
rows.clear()
del rows[:]
del loss
table[i] = loss
table["last"] = {"v": [loss]}
table.setdefault(i, []).append(loss)
total += loss
total = total * 0.9 + loss
total, i = 0, i + 1
meter.update(loss)
meter.rows = []
meter = Meter()
out, h = critic(x, h)
h = h.detach()
x = rows.pop()
x = next(iter(loader))
best = copy.deepcopy(net.state_dict())
best = net.state_dict()
torch.save(rows, "rows.pt")
net.load_state_dict(torch.load("net.pt"))
net.eval()
net.train()
net.half()
torch.cuda.empty_cache()
torch.set_grad_enabled(False)
handle = net.register_forward_hook(lambda m, a, o: rows.append(o))
y = torch.zeros(3).cuda()
print(loss, total)
assert loss
global_step = yield_ = lambda: loss
pass
""".strip().splitlines()

ENDS = ["continue", "break", "return rows", "return", "raise ValueError(loss)", "sys.exit()"]

OPENERS = """
with torch.no_grad():
with autocast("cuda"):
with torch.enable_grad(), torch.autograd.detect_anomaly():
if loss > 1:
if i % 4 == 0:
if isinstance(x, torch.Tensor):
for i, x in enumerate(loader):
for x in itertools.cycle(loader):
for epoch in range(3):
while rows:
while True:
def helper(x, out=rows):
class Inner(nn.Module):
@torch.no_grad()\ndef evaluate(x):
async def serve(x):
match x:\n    case None:
""".strip().splitlines()


def joined(parts: list[str]) -> str:
    return "".join(parts)


def block(opener: str, body: str) -> str:
    opener = opener.replace("\\n", "\n")
    depth = "        " if "\n    " in opener else "    "
    return f"{opener}\n{textwrap.indent(body, depth).rstrip()}\n"


def suites(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Statements around statements."""
    body = st.lists(inner, min_size=1, max_size=4).map(joined)
    opened = st.builds(block, st.sampled_from(OPENERS), body)
    doubled = st.builds(
        lambda kind, a, b: block("if total:", a) + block(kind, b),
        st.sampled_from(["else:", "elif loss > 2:", "elif i:"]), body, body,
    )  # fmt: skip
    otherwise = st.builds(lambda a, b: block("for x in loader:", a) + block("else:", b), body, body)
    tried = st.builds(
        lambda a, how, b, last: block("try:", a) + block(how, b) + (block("finally:", last) if last else ""),
        body, st.sampled_from(["except RuntimeError as error:", "except:", "finally:"]), body, st.just(""),
    )  # fmt: skip
    both = st.builds(
        lambda a, b, c: block("try:", a) + block("except (ValueError, KeyError):", b) + block("finally:", c),
        body, body, body,
    )  # fmt: skip
    return opened | doubled | otherwise | tried | both


STATEMENTS = st.recursive(st.sampled_from([f"{line}\n" for line in SIMPLE + ENDS]), suites, max_leaves=12)
SCRIPTS = st.lists(STATEMENTS, min_size=1, max_size=6).map(joined)
PLACES = st.sampled_from(["", "def main():", "for epoch in range(9):", "class Trainer:", "while True:"])


KEEPS = [
    line
    for line in SIMPLE
    if line.startswith(("rows", "table", "total", "meter", "out", "best", "del", "x ="))
]
EXITS = ["", *ENDS]
LOOPS = ["for x in loader:", "while True:", "while rows:", "for epoch in range(3):\n  for x in loader:"]


def endings() -> Iterator[str]:
    """Ways in which the body of a loop comes to its end: none, one, or another on each path."""
    yield from EXITS
    for one, other in itertools.product(EXITS, ["", "continue", "break", "return rows"]):
        yield block("if i:", one or "pass") + block("else:", other or "pass")
        yield block("try:", one or "pass") + block("except OSError:", other or "pass")
        yield block("try:", one or "pass") + block("finally:", f"i += 1\n{other}")
        yield block("with torch.no_grad():", one or "pass") + other


def valid(text: str) -> bool:
    try:
        compile(text, "train.py", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


def placed(place: str, body: str) -> str:
    if place == "class Trainer:":
        return HEAD + block(place, block("def fit(self, rows, loader, net=net):", body))
    return HEAD + (block(place, body) if place else body)


CHECKS = Checks(CODES, CODES, "train.py")


def look(text: str) -> None:
    result = process_text(Source("train.py", text), Task("train.py", CHECKS, Mode(fix=True, unsafe=True)))
    assert not result.report.failed, text
    assert not [f for f in result.report.findings if f.code in ("MEM001", "MEM004")]
    ast.parse(result.after)


@pytest.mark.parametrize("keep", KEEPS)
def test_no_way_out_of_a_loop_stops_the_analysis(keep: str) -> None:
    """Each in a function of its own, in one script: a run goes through all of them."""
    loops, functions = itertools.cycle(LOOPS), []
    for number, ending in enumerate(endings()):
        step = f"loss = net(x).mean()\nloss.backward()\noptimizer.step()\n{keep}\n{ending}"
        loop = next(loops).replace("\n", "\n    ")
        depth = "        " if "\n" in loop else "    "
        body = f"{loop}\n{textwrap.indent(step, depth)}\n"
        text = block(f"def run{number}(rows, table, total, h, x, meter, best, i):", body)
        if valid(text):
            functions.append(text)
    assert len(functions) > 100
    report = engine.check(HEAD + "\n".join(functions), "train.py", CHECKS)
    assert not report.failed
    assert {finding.code for finding in report.findings}.isdisjoint({"MEM001", "MEM004"})


@settings(
    max_examples=60, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow, HealthCheck.data_too_large],
)  # fmt: skip
@given(st.builds(placed, PLACES, SCRIPTS).filter(valid))
def test_no_flow_of_control_stops_the_analysis(text: str) -> None:
    look(text)
