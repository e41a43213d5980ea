"""Growth without a fixed script to compare with: what holds it, in small replays and at thresholds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memlint.finding import Span
from memlint.runtime.parent.verdicts.attribution import is_beside
from memlint.runtime.parent.verdicts.leaks import leaks_of
from memlint.runtime.parent.verdicts.mentions import Mentions, mentions
from memlint.runtime.parent.verdicts.verdict import judge
from memlint.session import NODES, Holder, Leak, Pile, Verdict
from tests.runtime.made import arm, evidence, hosts
from tests.runtime.made import finding as claim_of
from tests.runtime.support import finding, measure, needs_torch, replay, script

STEP = "optimizer step at a.py:9"

FEATURES = """
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 4))
    features = []
    model[1].register_forward_hook(lambda module, args, output: features.append(output))
    with torch.no_grad():
        for _ in range(20):
            model(torch.randn(128, 64)).argmax(1).sum().item()
    print(len(features))
"""


def held(*names: str, what: str = "list with 8 entries", device: str = "") -> Holder:
    return Holder("a.py", 5, device, names[0], "", what, "", 8, 8, names)


def judged(*holders: Holder, text: str = "losses.append(out.x)", others: str = "") -> Verdict:
    named = replace(claim_of("GROWTH"), span=Span(7, 1, 7, 1 + len(text)))
    original = arm(grows=5000, holders=holders)
    speaks_of = mentions(named, {"a.py": "\n" * 6 + text + others})
    leaks = leaks_of(original, holders)
    return judge(named, replace(evidence(original), mentions=speaks_of, leaks=leaks))


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_what_a_hook_stores_is_confirmed_without_a_fix(tmp_path: Path) -> None:
    path = script(tmp_path, FEATURES)
    stored = finding(path, "MEM110", "GROWTH", "features.append(output)")
    session = replay(path, tmp_path / "w", [stored], steps=30).session
    verdict = session.findings[0].verdict
    assert (verdict.status, verdict.bytes_per_step) == ("confirmed", 131_072)
    assert "held in `features`; this is by attribution" in verdict.reason
    assert [arm.name for arm in session.arms] == ["original"]
    (leak,) = session.leaks
    assert leak.findings == (stored.fingerprint,)


def test_what_two_optimizers_see_of_one_batch_is_counted_once() -> None:
    rows = arm(grows=5000).growth
    twice = tuple(replace(row, within=True, series=f"forward at a.py:{n}") for n in (3, 4) for row in rows)
    named = claim_of("GROWTH")
    found = judge(named, replace(evidence(arm(growth=twice)), lines=("a.py:7", "a.py:5")))
    assert (found.status, found.bytes_per_step) == ("confirmed", 5000)


TWO_FILLERS = """
for x in data:
    one = net(x)
    two = head(one)
    kept.append(one.detach())
    kept.append(two.detach())
"""


@pytest.mark.parametrize(("filler", "made_at", "per_step"), [(5, 3, 4096), (6, 4, 1024)])
def test_of_lines_that_fill_a_list_each_has_its_own_bytes(filler: int, made_at: int, per_step: int) -> None:
    row = replace(arm(grows=4096).growth[0], line=3, bytes=8 * 4096)
    rows = (row, replace(row, line=4, bytes_per_step=1024, block_bytes_per_step=1024, bytes=8 * 1024))
    holders = tuple(replace(held("kept"), line=line) for line in (3, 4))
    original = arm(growth=rows, holders=holders)
    named = replace(claim_of("GROWTH"), span=Span(filler, 5, filler, 28))
    speaks_of = mentions(named, {"a.py": TWO_FILLERS})
    there = replace(evidence(original), mentions=speaks_of, leaks=leaks_of(original, holders))
    found = judge(named, replace(there, lines=("a.py:7",)))
    assert (found.status, found.bytes_per_step) == ("confirmed", per_step)
    assert f"(made at a.py:{made_at}), held in `kept`, which a.py:{11 - filler} fills as well" in found.reason


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_a_line_that_holds_nothing_of_it_is_not_blamed(tmp_path: Path) -> None:
    path = script(
        tmp_path,
        FEATURES.replace("    features = []", "    others = []; others.append(1)\n    features = []"),
    )
    innocent = finding(path, "MEM110", "GROWTH", "others.append(1)")
    verdict = replay(path, tmp_path / "w", [innocent], steps=30).session.findings[0].verdict
    assert (verdict.status, verdict.bytes_per_step) == ("refuted", 0)
    assert "held in `features`, which is not what this line fills" in verdict.reason


KEPT_TWICE = """
    import torch
    from torch import nn

    net = nn.Sequential(nn.Linear(64, 256), nn.ReLU())
    head = nn.Linear(256, 4)
    optimizer = torch.optim.SGD([*net.parameters(), *head.parameters()], lr=0.1)
    history = []

    def forward(x):
        out = net(x)
        return out, head(out)

    def evaluate():
        outputs = []
        for _ in range(20):
            outputs.append(forward(torch.randn(512, 64))[0])
        return torch.cat(outputs).mean().item()

    for _ in range(3):
        for _ in range(10):
            optimizer.zero_grad()
            out, logits = forward(torch.randn(8, 64))
            logits.mean().backward()
            optimizer.step()
            history.append(out)
        evaluate()
"""


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_what_a_pass_keeps_of_a_line_is_not_what_training_keeps_of_it(tmp_path: Path) -> None:
    path = script(tmp_path, KEPT_TWICE)
    texts = ("history.append(out)", "outputs.append(forward(torch.randn(512, 64))[0])")
    found = [finding(path, "MEM102", "GROWTH", text) for text in texts]
    session = replay(path, tmp_path / "w", found, steps=30).session
    verdicts = {judged.finding["line"]: judged.verdict for judged in session.findings}
    in_evaluation, in_training = (verdicts[line] for line in sorted(verdicts))
    assert (in_training.status, in_training.bytes_per_step) == ("confirmed", 8 * 256 * 4)
    assert "held in `history`" in in_training.reason
    assert (in_evaluation.status, in_evaluation.bytes_per_step) == ("confirmed", 512 * 256 * 4)
    assert "held in `outputs`" in in_evaluation.reason


HELD = {
    "one.append(out.detach())": {"one"},
    "two.append((1, {'a': [out.detach()]}))": {"two"},
    "meter.update(out.detach())": {"meter.values"},
    "store(out)": {"Store.rows"},
    "three.append(out.detach()); other.values.append(three[-1])": {"three", "other.values"},
    "closure(out)": {"hidden"},
    "store.kept = getattr(store, 'kept', []) + [out.detach()]": {"store.kept"},
    "default(out)": {"cache"},
}
"""How the output of a line is kept, and what holds it then."""


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_every_way_to_hold_a_tensor_has_its_name(tmp_path: Path) -> None:
    ways = "\n".join(f"        out = model(torch.randn(32, 64))\n        {keep}" for keep in HELD)
    text = f"""\
import torch
from torch import nn

class Meter:
    def __init__(self):
        self.values = []
        self.total = 0

    def update(self, value):
        self.values.append(value)

class Store:
    rows = {{}}

def store(value):
    Store.rows[len(Store.rows)] = value.detach()

def default(value, cache=[]):
    cache.append(value.detach())

def score(value):
    point = value.detach().clone().requires_grad_()
    found = point.pow(2).sum()
    found.backward()
    return found

def make():
    hidden = []
    def add(value):
        hidden.append(value.detach())
    return add

def main(model):
    one, two, three, four, meter, other, closure = [], [], [], [], Meter(), Meter(), make()
    for _ in range(20):
{ways}
        sums = model(torch.randn(32, 64)); meter.total = meter.total + sums.sum()
        scored = model(torch.randn(32, 64)); four.append(score(scored))

main(nn.Linear(64, 64))
"""
    found = measure(script(tmp_path, text), tmp_path / "w", steps=30, look=True)
    lines = text.splitlines()
    made = {number for number, line in enumerate(lines, 1) if line.startswith("        out = model(")}
    names: dict[str, set[str]] = {}
    for row in found.holders:
        if row.device == "cpu" and row.line in made:
            names.setdefault(lines[row.line].strip(), set()).add(row.name)
    assert names == HELD
    elsewhere = {row.name for row in found.holders if row.device == "cpu" and row.line not in made}
    assert elsewhere == {"meter.total", "four"}
    assert {row.bytes_per_step for row in found.growth if row.line in made} == {8192}


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_a_state_that_carries_its_graph_is_held_by_the_line_that_takes_it_on(tmp_path: Path) -> None:
    path = script(
        tmp_path,
        """
        import torch
        from torch import nn

        cell, state = nn.GRUCell(8, 16), torch.zeros(4, 16)
        for _ in range(20):
            state = cell(torch.randn(4, 8), state)
        """,
    )
    carried = finding(path, "MEM106", "GROWTH", "cell(torch.randn(4, 8), state)", "cell(x, state.detach())")
    verdict = replay(path, tmp_path / "w", [carried], fixes=False, steps=30).session.findings[0].verdict
    assert verdict.status == "confirmed"
    assert "held in `state`; this is by attribution: its fix was not tried (--no-fix)" in verdict.reason


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_a_queue_that_drops_its_oldest_holds_no_growth(tmp_path: Path) -> None:
    path = script(
        tmp_path,
        """
        import collections, torch
        from torch import nn

        model, last = nn.Linear(8, 8), collections.deque(maxlen=10)
        for _ in range(40):
            last.append(model(torch.randn(4, 8)).detach())
        """,
    )
    assert measure(path, tmp_path / "w", steps=40, look=True).holders == ()


def test_growth_counts_where_one_of_its_holders_is_meant() -> None:
    found = judged(held("losses"))
    assert (found.status, found.bytes_per_step) == ("confirmed", 5000)
    assert "(made at a.py:5), held in `losses`; this is by attribution" in found.reason
    assert judged(held("a", "losses")).status == "confirmed"
    shared = judged(held("losses"), held("others"))
    assert (shared.status, shared.bytes_per_step) == ("confirmed", 5000)
    assert "held in `losses` and `others`" in shared.reason
    assert judged(held("others")).status == "refuted"
    # What a variable of the same name gathers is not what goes into the list.
    assert judged(held("loss"), text="losses.append(loss)").status == "refuted"
    assert judged(held("net", what="Net object")).status == "inconclusive"


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_what_an_epoch_gathers_has_its_holder(tmp_path: Path) -> None:
    path = script(
        tmp_path,
        """
        import torch
        from torch import nn

        model = nn.Linear(8, 64)
        opt = torch.optim.SGD(model.parameters(), 0.1)
        data = torch.utils.data.DataLoader(torch.randn(80, 8), batch_size=8)
        for epoch in range(2):
            outputs = []
            for x in data:
                out = model(x)
                opt.zero_grad()
                out.mean().backward()
                opt.step()
                outputs.append(out)
        """,
    )
    found = measure(path, tmp_path / "w", steps=20, look=True)
    assert {(row.line, row.name) for row in found.holders if row.device == "cpu"} == {(10, "outputs")}
    assert {(row.line, row.bytes_per_step) for row in found.growth} == {(10, 8 * 64 * 4)}


def test_what_a_method_of_another_file_keeps_is_known_by_its_name() -> None:
    call = replace(claim_of("GROWTH"), message="`self.acts` keeps every step's `h`", span=Span(7, 8, 7, 14))
    text = "\n" * 6 + "loss = net(x)"
    model = "class Net:\n    def forward(self, x):\n        self.acts.append(x)"
    original = arm(grows=5000)
    leaks = leaks_of(original, [held("net.acts")])

    def found(**files: str) -> Verdict:
        speaks_of = mentions(call, {"a.py": text, **files})
        return judge(call, replace(evidence(original), mentions=speaks_of, leaks=leaks))

    assert found(model=model).status == "confirmed"
    assert "held in `net.acts`; this" in found(model=model).reason
    assert "held in `net.acts`, which m1:3 and m2:3 fill as well" in found(m1=model, m2=model).reason


def test_what_only_cpp_holds_is_told_by_the_line_that_made_it() -> None:
    named = claim_of("GROWTH")
    elsewhere = evidence(arm(grows=5000))
    assert judge(named, elsewhere).status == "inconclusive"
    here = replace(elsewhere, lines=("a.py:7", "a.py:5"))
    found = judge(named, here)
    assert (found.status, found.bytes_per_step) == ("confirmed", 5000)
    assert "made at a.py:5); this is by attribution" in found.reason


def test_host_memory_that_does_not_grow_refutes_without_a_fix() -> None:
    claim = claim_of("GROWTH-HOST")
    flat = judge(claim, replace(evidence(arm()), host=(hosts(100), None)))
    assert (flat.status, flat.bytes_per_step) == ("refuted", 0)
    assert judge(claim, replace(evidence(arm()), host=(hosts(1024), None))).status == "inconclusive"
    assert judge(claim_of("GROWTH"), replace(evidence(arm()), host=(hosts(100), None))).status == "refuted"


@pytest.mark.parametrize(
    ("text", "span", "expected"),
    [
        ("losses.append(loss)", (1, 19), Mentions("losses", ("losses", "loss"), fills=True)),
        ("    total += model(x)", (5, 18), Mentions("total", ("total", "x"), fills=True)),
        ("self.meter.update(loss.detach(), 'a.b')", (1, 39), Mentions("self.meter", ("self.meter", "loss"))),
        ("out, h = net(x, h)  # by hand", (10, 19), Mentions("x", ("out", "h", "x"))),
    ],
)
def test_what_a_finding_speaks_of(text: str, span: tuple[int, int], expected: Mentions) -> None:
    named = replace(claim_of("GROWTH"), span=Span(1, span[0], 1, span[1]))
    assert mentions(named, {"a.py": text}) == expected


@pytest.mark.parametrize(
    ("other", "fills"),
    [
        ("losses.append(out)", True),
        ("losses[step] = out", True),
        ("losses += [out]", True),
        ("losses = []", False),
        ("if losses[0] == 1:", False),
        ("valid.losses.append(out)", False),
        ("more_losses.extend(out)", False),
    ],
)
def test_other_lines_that_fill_a_container_are_named(other: str, fills: bool) -> None:
    found = judged(held("losses"), others=f"\n{other}")
    assert found.status == "confirmed"
    assert ("which a.py:8 fills as well" in found.reason) is fills


def test_nodes_that_pile_up_confirm_a_claim_about_the_host() -> None:
    pile = Pile("a.py", 5, STEP, 12, 8, 8)
    text = "total += loss"
    named = replace(claim_of("GROWTH-HOST"), span=Span(7, 1, 7, 1 + len(text)))
    speaks_of = mentions(named, {"a.py": "\n" * 6 + text})
    original = arm(piles=(pile,), holders=(held("total", device=NODES),))
    found = judge(named, replace(evidence(original), mentions=speaks_of))
    assert found.status == "confirmed"
    assert "every step leaves 12 autograd nodes behind, held in `total`" in found.reason
    sampled = judge(named, replace(evidence(original), mentions=speaks_of, host=(hosts(6000), None)))
    assert (sampled.status, sampled.bytes_per_step) == ("confirmed", 6000)
    elsewhere = replace(original, holders=(held("others", device=NODES),))
    assert judge(named, replace(evidence(elsewhere), mentions=speaks_of)).status == "not_measurable"
    tensors = replace(named, claim=claim_of("GROWTH").claim)
    assert judge(tensors, replace(evidence(original), mentions=speaks_of)).status == "host_only"


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("meter.losses", True),
        ("trainer.meter.losses", True),
        ("parameter.losses", False),
        ("h", True),
        ("h.cache", False),
        ("box.state", True),
        ("state", True),
        ("estate", False),
    ],
)
def test_an_object_is_meant_by_any_of_its_names(path: str, meant: bool) -> None:
    assert Mentions("meter", ("h", "self.state")).holder(["elsewhere", path]) is meant


@pytest.mark.parametrize(
    ("paths", "name"),
    [
        (("a", "meter.losses"), "meter.losses"),
        (("_source.instance.curve", "x.curve"), "self.curve"),
        (("args", "state"), "state"),
        (("others", "x.others"), "others"),
    ],
)
def test_an_object_has_the_name_that_the_finding_uses(paths: tuple[str, ...], name: str) -> None:
    assert Mentions("meter", ("self.curve", "state")).name(paths) == name


def test_a_state_that_is_carried_is_known_by_its_name_whatever_the_line_begins_with() -> None:
    message = "`hidden` takes the graphs of all iterations so far into the next one"
    carried = replace(claim_of("GROWTH"), span=Span(7, 18, 7, 46), message=message)
    text = "inp[0] = row\n" * 6 + "output, hidden = decoder(inp[:, c], hidden)"
    found = mentions(carried, {"a.py": text})
    assert (found.container, found.others) == ("hidden", ())
    assert found.holder(["hidden"])
    assert not found.holder(["loss"])


FEW = """
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 256), nn.ReLU(), nn.Linear(256, 4))
    batches = [torch.randn(64, 8) for _ in range(4)]

    def gather():
        outs, total = [], 0
        for x in batches:
            out = model(x)
            outs.append(out)
            total = total + out.pow(2).mean()
        return total

    def evaluate():
        good = []
        for x in batches:
            out = model(x)
            good.append(out.mean().item())

    gather()
    evaluate()
"""


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_what_a_pass_of_few_forwards_keeps_is_seen(tmp_path: Path) -> None:
    path = script(tmp_path, FEW)
    kept = [
        finding(path, "MEM102", "GROWTH", "outs.append(out)", "outs.append(out.detach())"),
        finding(path, "MEM101", "GROWTH", "total = total + out.pow(2).mean()", "total = 0"),
        finding(path, "MEM102", "GROWTH", "good.append(out.mean().item())", "good = []"),
    ]
    session = replay(path, tmp_path / "w", kept, fixes=False).session
    outs, total, good = (row.verdict for row in session.findings)
    # relu() saves its result, and pow() its input: the output of the model.
    each = 64 * 256 * 4 + 64 * 4 * 4
    assert (outs.status, outs.bytes_per_step) == ("confirmed", each)
    assert "held in `outs`" in outs.reason
    assert total.status == "confirmed"
    assert good.status != "confirmed"
    assert not session.original.growth
    assert {row.line for row in session.original.gathered} <= {10, 12}


def test_tensors_in_another_entry_than_the_nodes_lie_beside_them() -> None:
    pile = Pile("a.py", 5, STEP, 7, 16, 16)
    run = arm(holders=(held("m.log['loss']", device=NODES),))

    def leak(name: str) -> Leak:
        return Leak("a.py", 5, "cpu", STEP, 2560, 40960, 16, 16, 3, (), (held(name, device="cpu"),))

    assert is_beside(leak("m.log"), run, pile)
    assert not is_beside(leak("m.log['loss']"), run, pile)
    assert not is_beside(leak("other"), run, pile)
