"""What grows from step to step as a verdict of its own: the line, the holder, the bytes; and what is none."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from memlint.commands import replay as command
from memlint.report.session.growth_words import about_leak, grown, host_growth, is_leak, leak_in_words
from memlint.runtime.parent.replay import Replayed
from memlint.runtime.parent.verdicts.leaks import Reply, explain, leaks_of
from memlint.session import Growth, Holder, Leak
from tests.runtime.made import arm, finding
from tests.runtime.support import finding as at
from tests.runtime.support import measure, needs_torch, replay, script
from tests.runtime.test_session import a_session

pytestmark = pytest.mark.usefixtures("torch_once")

BASE = """
import collections, copy, dataclasses, functools, queue, threading
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.seen = nn.Linear(8, 8), {}

    def forward(self, x):
        if self.training:
            self.seen[len(self.seen)] = x.detach() * 2  # net[1].seen
        return self.layer(x)

net = nn.Sequential(nn.Linear(8, 8), Block())
opt = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9)
def step():
    loss = net(torch.randn(4, 8)).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
def new():
    return None
"""

HOLDERS = """
@dataclasses.dataclass(slots=True)
class State:
    history: list = dataclasses.field(default_factory=list)

class Store:
    rows = {}

@functools.cache
def cached(number):
    return torch.zeros(64)  # cached

def default(value, *, cache=[]):
    cache.append(value)

def closure():
    hidden = []
    return lambda value: hidden.append(value)

def check(value):
    big = value * 2  # errors
    raise ValueError("nan")

def produce():
    kept = []
    while True:
        kept.append((yield))

class Recorder:
    def __init__(self):
        self.outs = collections.defaultdict(list)

    def __call__(self, module, args, output):
        self.outs["fc"].append(output.detach() * 2)  # recorder.outs['fc']

hist, rows, metrics, errors, gens, total = [], [], {"a": [], "b": []}, [], [], 0
state, local, line, simple = State(), threading.local(), queue.Queue(), queue.SimpleQueue()
window, limited, slots = collections.deque(maxlen=1000), queue.Queue(1000), [None] * 500
local.h, add, recorder, generator = [], closure(), Recorder(), produce()
next(generator)
net[0].register_forward_hook(recorder)
catted = torch.zeros(0, 16)
for i in range(12):
    hist.append(torch.zeros(64))  # hist
    rows.append({"step": i, "y": torch.zeros(64)})  # rows
    metrics["b"].append([torch.zeros(64)])  # metrics['b']
    Store.rows[i] = torch.zeros(64)  # Store.rows
    cached(i)
    default(torch.zeros(64))  # cache
    add(torch.zeros(64))  # hidden
    try:
        check(torch.zeros(64))  # errors
    except ValueError as error:
        errors.append(error)
    generator.send(torch.zeros(64))  # generator.gi_frame.f_locals['kept']
    state.history.append(torch.zeros(64))  # state.history
    local.h.append(torch.zeros(64))  # local.h
    line.put(torch.zeros(64))  # line.queue
    simple.put(torch.zeros(64))  # simple
    window.append(torch.zeros(64))  # window
    limited.put(torch.zeros(64))  # limited.queue
    slots[i] = torch.zeros(64)  # slots
    weight = torch.ones(64, requires_grad=True)  # total
    total = total + (weight * torch.zeros(64)).sum()  # total
    catted = torch.cat([catted, torch.zeros(4, 16)])  # catted
    step()
"""

HARMLESS = """
class Normalize(nn.Module):
    def forward(self, x):
        return (x - 0.13) / 0.31

class Data(torch.utils.data.Dataset):
    transform, encoder, cache = Normalize(), nn.Linear(8, 8).requires_grad_(False), {}
    def __len__(self):
        return 400
    def __getitem__(self, i):
        self.cache.setdefault(i % 8, torch.randn(8))
        return self.encoder(self.transform(self.cache[i % 8]))

net[1].eval()
window, full, epoch, swa, prefetched = collections.deque(maxlen=4), {}, [], None, collections.deque()
ema = [p.detach().clone() for p in net.parameters()]
preloaded = [torch.zeros(64) for _ in range(40)]
adam = None

@functools.lru_cache(maxsize=3)
def recent(number):
    return torch.zeros(64)

for i, batch in enumerate(torch.utils.data.DataLoader(Data(), batch_size=8)):
    window.append(torch.zeros(64))
    full.setdefault(i % 5, torch.zeros(64))
    epoch = [torch.zeros(64), *epoch] if i % 8 else []
    recent(i)
    ema = [0.9 * e + 0.1 * p.detach() for e, p in zip(ema, net.parameters())]
    swa = copy.deepcopy(ema) if i == 12 else swa
    preloaded[i] = torch.zeros(64)
    prefetched.append(torch.zeros(64))
    if len(prefetched) > 3:
        prefetched.popleft()
    if i in (6, 12, 18):
        extra = nn.Linear(8, 8)
        opt.add_param_group({"params": extra.parameters()})
    if i >= 6:
        extra(torch.randn(4, 8)).sum().backward()
    with torch.no_grad():
        torch.stack([net(batch) for _ in range(9)])
    step()
"""


@needs_torch
def test_every_holder_of_what_a_line_leaves_behind_has_its_name(tmp_path: Path) -> None:
    path = script(tmp_path, BASE + HOLDERS)
    found = measure(path, tmp_path / "w", steps=30, look=True)
    source = [line.rpartition("  # ")[2] for line in path.read_text(encoding="utf-8").splitlines()]
    held = [row for row in found.holders if row.device == "cpu"]
    names = {row.line: row.name for row in held}
    assert {number: source[number - 1] for number in names} == names
    marked = [line for line in path.read_text(encoding="utf-8").splitlines() if "  # " in line]
    assert len(names) == len(marked)
    exact = {row.line: row.bytes_per_step for row in found.growth}
    large = {number for number, size in exact.items() if size != 256}
    assert {source[number - 1]: exact[number] for number in large} == {
        "net[1].seen": 128,
        "recorder.outs['fc']": 128,
    }
    what = {row.name: (row.what, row.scope, row.bound) for row in held}
    assert what["metrics['b']"] == ("list with 12 entries", "", "")
    assert what["cached"][0] == "lru_cache of maxsize None with 12 entries"
    assert what["cache"][1] == "default argument of default()"
    assert what["hidden"][1] == "in the closure of <lambda>()"
    assert what["total"][0] == "tensor of shape [] with its autograd graph"
    assert {name: bound for name, (_, _, bound) in what.items() if bound} == {
        "window": "deque of maxlen 1000",
        "limited.queue": "queue of maxsize 1000",
        "slots": "list of 500 slots, 488 of them empty",
    }


@needs_torch
def test_what_fills_up_is_replaced_or_dropped_is_no_leak(tmp_path: Path) -> None:
    path = script(tmp_path, BASE + HARMLESS)
    found = measure(path, tmp_path / "w", steps=60, look=True)
    assert len(found.steps) > 20
    assert [(row.line, row.bytes) for row in found.growth if not row.within] == []


@needs_torch
def test_the_variable_of_a_function_that_has_returned_is_found_as_its_loop_ends(tmp_path: Path) -> None:
    loop = """
def main():
    history = []
    for _ in range(11):
        history.append(torch.zeros(256))
        step()
net[1].eval()
main()
"""
    path = script(tmp_path, BASE + loop)
    session = replay(path, tmp_path / "w", [], steps=30).session
    (leak,) = session.leaks
    (holder,) = leak.holders
    assert (leak.bytes_per_step, leak.steps, leak.of) == (1024, 7, 7)
    assert (holder.name, holder.scope, holder.what) == ("history", "local of main()", "list with 11 entries")
    assert [run.name for run in session.arms] == ["original"]


TRIALS = """
import torch
from torch import nn

class Study:
    def __init__(self):
        self.trials = []

    def run(self, objective):
        for number in range(8):
            self.trials.append(objective(number))

def objective(number):
    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(6):
        optimizer.zero_grad()
        model(torch.randn(4, 64)).square().mean().backward()
        optimizer.step()
    return {"number": number, "model": model, "optimizer": optimizer}

def main():
    study = Study()
    study.run(objective)

main()
"""


@needs_torch
def test_networks_that_trials_leave_behind_are_held_by_the_list_of_trials(tmp_path: Path) -> None:
    session = replay(script(tmp_path, TRIALS), tmp_path / "w", [], steps=60).session
    names = {(holder.name, holder.scope) for leak in session.leaks for holder in leak.holders}
    assert names == {("study.trials", "local of main()")}


STEP = "optimizer step at a.py:9"


def rows(*sizes: int, device: str = "cuda:0") -> tuple[Growth, ...]:
    return tuple(
        Growth("a.py", n, STEP, size, -(-size // 512) * 512, 8, 8, 8 * size, 3, False, device)
        for n, size in enumerate(sizes, 1)
    )


def holder(line: int, name: str, bound: str = "") -> Holder:
    return Holder("a.py", line, "cuda:0", name, "", "list with 8 entries", bound, 1, 1)


def test_lines_whose_bytes_end_in_one_object_are_one_leak() -> None:
    grown_arm = arm(growth=rows(3000, 1000, 4))
    several = leaks_of(grown_arm, [holder(1, "kept"), holder(2, "kept"), holder(3, "losses")])
    assert [(leak.line, leak.bytes_per_step, len(leak.rows)) for leak in several] == [(1, 4000, 2), (3, 4, 1)]
    on_cpu = arm(growth=rows(3000, 4, device="cpu"))
    assert [leak.bytes_per_step for leak in leaks_of(on_cpu, [])] == [3004]
    assert leaks_of(arm(growth=rows(4, device="cpu")), []) == ()
    within = replace(rows(3000)[0], within=True)
    assert leaks_of(arm(growth=(within,)), []) == ()


def test_a_confirmed_finding_at_the_line_or_with_a_fix_that_helps_explains_a_leak() -> None:
    grown_arm = arm(growth=rows(3000))
    (leak,) = leaks_of(grown_arm, [])
    confirmed, refuted = a_session().findings[1].verdict, a_session().findings[0].verdict
    here = replace(finding("GROWTH"), span=replace(finding("GROWTH").span, line=1, end_line=1))
    assert explain(leak, grown_arm, [Reply(here, confirmed)]).findings == ("f",)
    assert explain(leak, grown_arm, [Reply(here, refuted)]).findings == ()
    elsewhere = finding("PEAK")
    assert explain(leak, grown_arm, [Reply(elsewhere, confirmed)]).findings == ()
    fixed = replace(grown_arm, name="fix-1", growth=rows(1000))
    assert explain(leak, grown_arm, [Reply(elsewhere, confirmed, fixed)]).findings == ("f",)
    # What goes away lies elsewhere: these bytes are still there, on whatever line.
    both = replace(grown_arm, growth=rows(3000, 9000))
    still = replace(fixed, growth=(replace(rows(3000)[0], line=8),))
    assert explain(leak, both, [Reply(elsewhere, confirmed, still)]).findings == ()


def test_a_leak_is_told_with_its_bytes_its_line_and_its_holder() -> None:
    session = a_session()
    grown_arm = arm(growth=rows(1 << 20))
    (leak,) = leaks_of(grown_arm, [holder(1, "net.seen")])
    assert leak_in_words(session, leak) == "1 MiB per step, made at a.py:1"
    said = about_leak(session, leak)
    assert said[0] == "8 MiB left behind in 8 of the 8 steps seen"
    assert said[1] == "held by `net.seen`, a list with 8 entries"
    assert said[2] == "no rule of memlint knows this leak"
    linked = about_leak(session, replace(leak, findings=("f",)))
    assert "see MEM101 at train.py:9 below" in linked
    some = replace(leak.rows[0], steps=3)
    assert grown(some, grown_arm) == "a.py:1 left 8 MiB behind in 3 of 8 steps"
    bounded = replace(leak, bound="deque of maxlen 9")
    assert replace(session, leaks=(bounded,)).unbounded == ()
    assert replace(session, leaks=(leak, bounded)).unbounded == (leak,)


@needs_torch
def test_a_tensor_is_found_beside_many_whose_graphs_hold_more() -> None:
    import torch

    from memlint.runtime.child.attribution.retainers import MOST_TENSORS, holders_of
    from memlint.runtime.child.private import storage_key

    leaf, first, second, kept = torch.ones(4, requires_grad=True), torch.ones(4), torch.ones(4), torch.ones(4)
    graphs, plain = [leaf * first * second for _ in range(2 * MOST_TENSORS)], [kept]
    alive = [(storage_key(t.untyped_storage()), i) for i, t in enumerate((first, second, kept))]
    left = {("a.py", 1, "cpu"): [0, 1], ("a.py", 2, "cpu"): [2]}
    found = holders_of(left, lambda index: 16, alive, lambda path: path == __file__)
    names = {holder.line: holder.names for holder in found}
    assert len(graphs) > len(plain)
    assert "plain[0]" in names[2]


@needs_torch
def test_a_leak_that_a_secondary_place_speaks_of_is_known(tmp_path: Path) -> None:
    text = """
        kept, seen = [], []
        for _ in range(30):
            step()
            out = net(torch.randn(4, 8))
            kept.append(out)
            seen.append(out.detach().repeat(8, 1))
        """
    path = script(tmp_path, BASE + dedent(text))
    call = "out = net(torch.randn(4, 8))"
    cause = at(path, "MEM201", "PEAK", call, f"with torch.no_grad(): {call}")
    lines = ("kept.append(out)", "seen.append(out.detach().repeat(8, 1))")
    effects = [at(path, "MEM102", "GROWTH", line) for line in lines]
    session = replay(path, tmp_path / "w", [replace(cause, secondary=tuple(effects))], steps=30).session
    (judged,) = session.findings
    assert judged.verdict.status == "confirmed"
    told = {holder.name: leak.findings for leak in session.leaks for holder in leak.holders}
    assert effects[1].fingerprint in told["seen"]


def test_a_leak_alone_is_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    options = Namespace(
        no_source=False, output=None, html=None, output_format="json", quiet=True, color="never"
    )
    (leak,) = leaks_of(arm(growth=rows(3000)), [])

    def code(*leaks: Leak) -> int:
        session = replace(a_session(), findings=(), leaks=leaks)
        return command._conclude(options, Replayed(session, "", ""))

    assert (code(), code(leak), code(replace(leak, bound="deque of maxlen 9"))) == (0, 1, 0)
    assert '"bytes_per_step": 3000' in capsys.readouterr().out


OPTIMIZERS = """
import torch

model = torch.nn.Linear(64, 64)
optimizers = []
for epoch in range(8):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01 * 0.9**epoch)
    optimizers.append(optimizer)
    for _ in range(3):
        loss = model(torch.randn(4, 64)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""


@needs_torch
def test_the_state_of_optimizers_that_were_replaced_is_a_leak(tmp_path: Path) -> None:
    path = script(tmp_path, OPTIMIZERS)
    (leak,) = replay(path, tmp_path / "w", [], steps=60).session.leaks
    state = 2 * (64 * 64 + 64) * 4 + 2 * 4  # of one Adam: two moments, and a counter for each parameter
    assert (leak.line, leak.bytes, leak.holders[0].name) == (12, leak.steps * state, "optimizers")
    alone = script(tmp_path, OPTIMIZERS.replace("    optimizers.append(optimizer)\n", ""))
    assert replay(alone, tmp_path / "alone", [], steps=60).session.leaks == ()


def test_one_tensor_that_is_ever_larger_does_not_pile_up() -> None:
    session, replaced = a_session(), replace(rows(1000)[0], replaced=True)
    (leak,) = leaks_of(arm(growth=(replaced,)), [holder(1, "h")])
    assert not is_leak(leak)
    assert about_leak(session, leak)[0].startswith("7.812 KiB more than at first, in 8 of the 8 steps")
    said = "keeps 1000 B more after each step, in place of what it kept before (in 8 of 8 steps)"
    assert grown(replaced, arm()) == f"a.py:1 {said}"


def test_host_memory_that_a_finding_keeps_is_told_beside_the_tensors() -> None:
    session = a_session()
    (row, *_) = session.findings
    kept = replace(row, verdict=replace(row.verdict, status="host_only", bytes_per_step=7168))
    where = f"{row.finding['code']} at {row.finding['path']}:{row.finding['line']}"
    said = host_growth(replace(session, findings=(kept,)))
    assert said == [f"grows: 7 KiB of host memory per step ({where})"]
    refuted = replace(row, verdict=replace(kept.verdict, status="refuted"))
    assert host_growth(replace(session, findings=(refuted,))) == []


MAPS = """
import torch
from torch import nn

class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.maps = nn.Linear(64, 64), []

    def forward(self, x):
        weights = self.layer(x).softmax(1)
        self.maps.append(weights)
        return x * weights

net = nn.Sequential(Layer(), Layer())
opt = torch.optim.SGD(net.parameters(), 0.1)
for _ in range(16):
    loss = net(torch.randn(8, 64)).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


@needs_torch
def test_lists_of_several_modules_are_named_and_their_line_is_confirmed(tmp_path: Path) -> None:
    path = script(tmp_path, MAPS)
    maps = at(path, "MEM102", "GROWTH", "self.maps.append(weights)")
    session = replay(path, tmp_path / "w", [maps], steps=30).session
    names = {holder.name for leak in session.leaks for holder in leak.holders}
    assert names == {"net[0].maps", "net[1].maps"}
    verdict = session.findings[0].verdict
    assert (verdict.status, verdict.bytes_per_step) == ("confirmed", 2 * 8 * 64 * 4)


EVALUATED = """
import torch
from torch import nn

net = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 8))
def fit():
    opt, kept = torch.optim.Adam(net.parameters()), []
    for _ in range(2):
        for _ in range(8):
            loss = net(torch.randn(64, 64)).square().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
        for _ in range(9):
            kept.append(net(torch.randn(64, 64)))
        kept.clear()
fit()
"""


@needs_torch
def test_a_look_between_the_steps_keeps_nothing_alive(tmp_path: Path) -> None:
    path = script(tmp_path, EVALUATED)
    looked, plain = (measure(path, tmp_path / str(look), steps=16, look=look) for look in (True, False))
    assert "kept" in {row.name for row in looked.holders}
    assert (looked.peak, looked.growth, looked.kinds) == (plain.peak, plain.growth, plain.kinds)
    assert [step.bytes for step in looked.steps] == [step.bytes for step in plain.steps]
