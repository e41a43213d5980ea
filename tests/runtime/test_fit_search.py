"""Which number of a script `--max-batch` means, and how the largest that fits is found."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from memlint.errors import UsageError
from memlint.runtime.cards import Card, card_of
from memlint.runtime.parent.arms import Outcome
from memlint.runtime.parent.fit.candidates import accumulating
from memlint.runtime.parent.fit.change import Change
from memlint.runtime.parent.fit.fit import Fitting
from memlint.runtime.parent.fit.knob import Knob, find, with_micro_batches
from memlint.runtime.parent.fit.largest import HIGHEST, MOST_TRIALS, largest
from memlint.session import ENDED, INTERRUPTED, Arm, Lines, Offer, OnCard, Trial
from memlint.session.fit import BREAKS, FITS, UNKNOWN
from tests.runtime.made import MIB, arm, step
from tests.runtime.simulated import needs_simulation
from tests.runtime.support import memlint, script

ARGPARSE = """
parser.add_argument("-b", "--batch-size", type=int, default=8)
parser.add_argument("--bs", type=int)
parser.add_argument("--lr", type=float, default=0.1)
args = parser.parse_args()
loader = DataLoader(data, batch_size=args.batch_size)
"""


def knob(name: str, text: str, *arguments: str) -> Knob:
    return find(name, ("train.py", *arguments), {"train.py": text}, lambda path: f"/there/{path}")


PASSED = """
parser.add_argument("--accumulate", type=int, default=4)
class Trainer:
    def __init__(self, batch_size=16, accumulate_every=1, workers=2): ...
Trainer(accumulate_every=options.accumulate, workers=os.cpu_count())
"""


def test_what_a_call_gives_goes_before_the_default_of_its_parameter() -> None:
    found = knob("accumulate_every", PASSED)
    assert (found.given, found.change(8).arguments) == (4, ("train.py", "--accumulate", "8"))
    assert (knob("workers", PASSED).given, knob("batch_size", PASSED).given) == (2, 16)
    assert knob("accumulate_every", PASSED.replace('"--accumulate"', '"--other"')).given == 1


LOOPS = (
    'for n, d in [("epochs", 3), ("batch-size", 8)]:\n    add_argument(f"--{n}", type=int, default=d)',
    'for n, d in {"batch-size": 8, "lr": 0.1}.items():\n    add_argument("--" + n, default=d)',
    'for row in (("-b", "--batch-size"), ("-e", "--epochs")):\n    pass\n'
    'for (s, n), d in ((("b", "batch-size"), 8),):\n    add_argument(f"-{s}", f"--{n}", default=d)',
)


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("name", ["--batch-size", "batch_size"])
def test_options_that_are_added_in_a_loop_have_their_defaults(loop: str, name: str) -> None:
    found = knob(name, f"{loop}\nloader = DataLoader(data, batch_size=args.batch_size)\n")
    assert found.given == 8
    assert found.change(64).arguments == ("train.py", "--batch-size", "64")


@pytest.mark.parametrize(
    ("name", "arguments", "changed"),
    [
        ("--batch-size", (), ("--batch-size", "64")),
        ("--batch-size", ("--batch-size", "4", "x"), ("--batch-size", "64", "x")),
        ("--batch-size", ("y", "--batch-size=4"), ("y", "--batch-size=64")),
        ("batch-size", ("--batch-size=4",), ("--batch-size=64",)),
        ("batch_size", ("--lr", "1"), ("--batch-size", "64", "--lr", "1")),
        ("train.batch", ("train.batch=4",), ("train.batch=64",)),
        ("--batch-size", ("-b", "4"), ("-b", "64")),
        ("--batch-size", ("--lr", "1", "-b4"), ("--lr", "1", "-b64")),
        ("--batch-size", ("--batch=4", "--lr", "1"), ("--batch=64", "--lr", "1")),
        ("--batch-size", ("--b", "7", "--ba", "4"), ("--b", "7", "--ba", "64")),
    ],
)
def test_an_option_is_changed_where_it_is_given_and_else_put_first(
    name: str, arguments: tuple[str, ...], changed: tuple[str, ...]
) -> None:
    found = knob(name, ARGPARSE, *arguments)
    assert found.given == (4 if "4" in "".join(arguments) else 8)
    change = found.change(64)
    assert (change.arguments, change.overlay) == (("train.py", *changed), ())


@pytest.mark.parametrize(
    ("name", "text", "changed"),
    [
        ("BATCH", "BATCH = 8\nprint(BATCH)\n", "BATCH = 64\nprint(BATCH)\n"),
        ("BATCH", "WIDTH, BATCH = 512, 8\n", "WIDTH, BATCH = 512, 64\n"),
        ("batch", "class C:\n    batch: int = 8  # é\n", "class C:\n    batch: int = 64  # é\n"),
        ("config.batch", "config.batch = 8\n", "config.batch = 64\n"),
        ("size", "é = 'ü'; size = 8; x = 8\n", "é = 'ü'; size = 64; x = 8\n"),
        (
            "batch_size",
            "a = DataLoader(d, batch_size=8, shuffle=True)\nb = DataLoader(e, batch_size=8)\n",
            "a = DataLoader(d, batch_size=64, shuffle=True)\nb = DataLoader(e, batch_size=8)\n",
        ),
        ("batch_size", "B = 8\nDataLoader(d, batch_size=B)\n", "B = 64\nDataLoader(d, batch_size=B)\n"),
        (
            "batch_size",
            "def main(batch_size=8):\n    DataLoader(d, batch_size=batch_size, shuffle=True)\n"
            "    DataLoader(e, batch_size=512)\n",
            "def main(batch_size=64):\n    DataLoader(d, batch_size=batch_size, shuffle=True)\n"
            "    DataLoader(e, batch_size=512)\n",
        ),
        (
            "batch_size",
            "B = 8\nDataLoader(d, B, sampler=s)\nDataLoader(e, batch_size=512, shuffle=False)\n",
            "B = 64\nDataLoader(d, B, sampler=s)\nDataLoader(e, batch_size=512, shuffle=False)\n",
        ),
        ("batch_size", "DataLoader(d, 8, True)\n", "DataLoader(d, 64, True)\n"),
        ("batch", "def main(lr=1, batch=8): pass\n", "def main(lr=1, batch=64): pass\n"),
        ("batch", "def main(*, batch=8): pass\n", "def main(*, batch=64): pass\n"),
        ("size", "SIDE = 8\ndef main(size=SIDE): pass\n", "SIDE = 64\ndef main(size=SIDE): pass\n"),
        ("size", "SIDE = 8\nself.size = SIDE\n", "SIDE = 64\nself.size = SIDE\n"),
        (
            "size",
            "f(size=n)\nn = size\ndef g(size=m): pass\nn = m = 8\n",
            "f(size=n)\nn = size\ndef g(size=m): pass\nn = m = 64\n",
        ),
        ("batch", "config = {'batch': 8}\n", "config = {'batch': 64}\n"),
        ("c['batch']", "c = {'batch': 8}\n", "c = {'batch': 64}\n"),
        ("c['batch']", "batch = 4\nc['batch'] = 8\n", "batch = 4\nc['batch'] = 64\n"),
        (
            'c["train"]["batch"]',
            "c = {'train': {'batch': 8}, 'eval': {'batch': 16}}\n",
            "c = {'train': {'batch': 64}, 'eval': {'batch': 16}}\n",
        ),
        (
            "Train.batch",
            "class Train:\n    batch = 8\nclass Eval:\n    batch = 16\n",
            "class Train:\n    batch = 64\nclass Eval:\n    batch = 16\n",
        ),
        (
            "c.train.batch",
            "batch = 4\nc = C(train=dict(batch=8), rest=dict(batch=16))\n",
            "batch = 4\nc = C(train=dict(batch=64), rest=dict(batch=16))\n",
        ),
        (
            "batch_size",
            "c = {'train': {'bs': 8}, 'eval': {'bs': 16}}\nDataLoader(d, batch_size=c['train']['bs'])\n",
            "c = {'train': {'bs': 64}, 'eval': {'bs': 16}}\nDataLoader(d, batch_size=c['train']['bs'])\n",
        ),
        ("c['n']", "B = 8\nc = {'n': B}\nrest = {'n': 9}\n", "B = 64\nc = {'n': B}\nrest = {'n': 9}\n"),
        (
            "c.n",
            "class C:\n    n: int = field(default=8)\nclass D:\n    n: int = 9\nc = C()\nd = D()\n",
            "class C:\n    n: int = field(default=64)\nclass D:\n    n: int = 9\nc = C()\nd = D()\n",
        ),
        (
            "c.train.n",
            "class T:\n    n: int = 8\nclass E:\n    n: int = 9\nc = C()\n"
            "class C:\n    train: T = field(default_factory=T)\n    rest: E = field(default_factory=E)\n",
            "class T:\n    n: int = 64\nclass E:\n    n: int = 9\nc = C()\n"
            "class C:\n    train: T = field(default_factory=T)\n    rest: E = field(default_factory=E)\n",
        ),
        (
            "batch_size",
            "class C:\n    batch_size = 8\nclass D:\n    batch_size = 9\nc = {'n': C.batch_size}\n"
            "DataLoader(d, batch_size=c['n'], shuffle=True)\n",
            "class C:\n    batch_size = 64\nclass D:\n    batch_size = 9\nc = {'n': C.batch_size}\n"
            "DataLoader(d, batch_size=c['n'], shuffle=True)\n",
        ),
        ("c[0]", "d = [9]\nc = [8]\n", "d = [9]\nc = [64]\n"),
        ("c['of'][1]", "c = {'of': (9, 8)}\n", "c = {'of': (9, 64)}\n"),
        (
            "batch_size",
            "rest = [9]\nsizes = [8, 3]\nDataLoader(d, batch_size=sizes[0], shuffle=True)\n",
            "rest = [9]\nsizes = [64, 3]\nDataLoader(d, batch_size=sizes[0], shuffle=True)\n",
        ),
        ('c.get("n")', "c = {'n': 8}\nd = {'n': 9}\n", "c = {'n': 64}\nd = {'n': 9}\n"),
        (
            "batch_size",
            "c = {'bs': 8}\nd = {'bs': 9}\nDataLoader(d, batch_size=c.get('bs', 16))\n",
            "c = {'bs': 64}\nd = {'bs': 9}\nDataLoader(d, batch_size=c.get('bs', 16))\n",
        ),
        (
            "batch_size",
            "KEY = 'bs'\nc = {'bs': 8}\nd = {'bs': 9}\nDataLoader(d, batch_size=c[KEY])\n",
            "KEY = 'bs'\nc = {'bs': 64}\nd = {'bs': 9}\nDataLoader(d, batch_size=c[KEY])\n",
        ),
        (
            "c.bs",
            "@dataclass\nclass C:\n    bs: int\n    n: int = 4\nc = C(8, 9)\nd = C(9)\n",
            "@dataclass\nclass C:\n    bs: int\n    n: int = 4\nc = C(64, 9)\nd = C(9)\n",
        ),
        (
            "batch_size",
            "class C:\n    def __init__(self, lr, bs=4):\n        self.bs = bs\n"
            "c = C(0.1, 8)\nDataLoader(d, batch_size=c.bs)\n",
            "class C:\n    def __init__(self, lr, bs=4):\n        self.bs = bs\n"
            "c = C(0.1, 64)\nDataLoader(d, batch_size=c.bs)\n",
        ),
        (
            "batch_size",
            "c = {'lr': 1}\nc.update(n=8)\nDataLoader(d, batch_size=c['n'])\n",
            "c = {'lr': 1}\nc.update(n=64)\nDataLoader(d, batch_size=c['n'])\n",
        ),
        ("n", "def f(n, m=3): pass\nf(8)\n", "def f(n, m=3): pass\nf(64)\n"),
        ("n", "class C:\n    n: int = 4\nc = C(n=8)\n", "class C:\n    n: int = 4\nc = C(n=64)\n"),
        (
            "batch_size",
            "class C:\n    n = 8\nclass D:\n    n = 9\nc = C()\nDataLoader(d, batch_size=c.n)\n",
            "class C:\n    n = 64\nclass D:\n    n = 9\nc = C()\nDataLoader(d, batch_size=c.n)\n",
        ),
        ("n", "Args(\n    n=8,\n)\nArgs(n=8)\r\n", "Args(\n    n=64,\n)\nArgs(n=64)\r\n"),
        ("length", "length = 8\nf(length=3)\n", "length = 64\nf(length=3)\n"),
        ("steps", "steps = 2 * 4  # for two GPUs\n", "steps = 64  # for two GPUs\n"),
    ],
)
def test_a_number_in_the_text_is_changed_in_a_copy(name: str, text: str, changed: str) -> None:
    found = knob(name, text)
    assert found.given == 8
    change = found.change(64)
    assert (change.overlay, change.arguments) == ((("/there/train.py", changed),), ())


def test_the_option_of_the_loader_that_shuffles_comes_before_the_number_of_another() -> None:
    shuffled = ARGPARSE.replace("args.batch_size)", "args.batch_size, shuffle=True)")
    text = f"{shuffled}DataLoader(rest, batch_size=512)\n"
    assert knob("batch_size", text).what.startswith("option of the script")


def test_an_option_is_found_by_the_name_of_its_value() -> None:
    text = 'p.add_argument("-a", "--grad-accum", dest="accumulate_every", type=int, default=2)\n'
    assert knob("accumulate_every", text).change(64).arguments == ("train.py", "--grad-accum", "64")
    assert knob("accumulate_every", text, "-a", "4").given == 4


@pytest.mark.parametrize(
    ("text", "arguments", "changed"),
    [
        ("batch = 12\nsteps = 5 * 8\n", (), ("batch = 4\nsteps = 120\n", ())),
        (ARGPARSE + "steps = 40\n", ("--batch-size", "12"), ("steps = 120\n", ("--batch-size", "4"))),
        (ARGPARSE, ("steps=40", "--batch-size=12"), ("", ("steps=120", "--batch-size=4"))),
    ],
)
def test_smaller_batches_are_more_of_them_for_a_step(
    text: str, arguments: tuple[str, ...], changed: tuple[str, tuple[str, ...]]
) -> None:
    given = ("train.py", *arguments)
    batch = knob("batch" if text.startswith("batch") else "--batch-size", text, *arguments)
    both = with_micro_batches(batch, "steps", given, {"train.py": text}, lambda path: f"/there/{path}")
    assert both.micro is not None
    assert both.micro.given == 40
    change = both.change(4)
    assert "".join(new for _, new in change.overlay).removeprefix(ARGPARSE) == changed[0]
    assert change.arguments[1:] == changed[1]
    offers = tuple(Offer(name, "12") for name in ("micro-batches", "parts"))
    found = accumulating(replace(arm(), offers=offers), card_of("24GiB"), both, 3)
    assert found is not None
    assert found.title == "batches of 4 instead of 12, and a step after 120 of them instead of 40"
    assert (found.how, found.change.runtime, found.change.parts) == (change.title, (), 1)


@pytest.mark.parametrize(("caution", "others", "said"), [
    ("BatchNorm", (), ""), ("uncounted rows", (), "ignore_index"),
    ("uncounted rows", (Offer("trainer"),), ""),
    ("no mean", (), "plain mean over the items"), ("no mean", (Offer("trainer"),), ""),
])  # fmt: skip
def test_a_mean_over_what_counts_is_not_written_in_parts(
    caution: str, others: tuple[Offer, ...], said: str
) -> None:
    region = Lines("train.py", 3, 5)
    loader = Offer("accumulate:0", "8", regions=(region,), made=(Lines("train.py", 1, 1),))
    offers = (loader, Offer("parts", cautions=(caution,), regions=(region,)), *others)
    found = accumulating(replace(arm(), offers=offers), card_of("24GiB"), None, 2)
    assert found is not None
    assert said in found.price
    assert (found.writing is None) is bool(said)
    assert not said or found.otherwise is None


def test_one_batch_for_a_step_is_no_micro_batch() -> None:
    batch = knob("batch", "batch = 12\nsteps = 1\n")
    with pytest.raises(UsageError, match="is 1 here"):
        with_micro_batches(batch, "steps", ("train.py",), {"train.py": "batch = 12\nsteps = 1\n"}, str)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("batch", "x = 1\n", "no number in the script is called 'batch'"),
        ("batch", "batch = 8\nif x:\n    batch = 4\n", "batch is 4 in train.py:3 and 8 in train.py:1"),
        ("--size", "x = 1\n", "no option or name of the script"),
        ("a b", "x = 1\n", "no option"),
        ("lr", "lr = 0.1\n", "no number"),
        ("batch", "batch = True\n", "no number"),
        ("c[1]", "c = [8]\n", "c has no number '1'"),
        ("size", "size = sizes[0]\n", "sizes has no number '0'"),
        ("size", "rows[1] = 8\nf(size=sizes[0])\n", "sizes has no number '0'"),
        ("c.trian.n", "c = {'train': {'n': 8}}\n", r"nothing .* called 'trian' \(is it train\?\)"),
        ("cgf['n']", "cfg = {'n': 8}\n", r"nothing .* called 'cgf' \(is it cfg\?\)"),
        ("batchsize", "DataLoader(d, batch_size=8)\n", r"no number .* 'batchsize' \(is it batch_size\?\)"),
        ("Evall.n", "class Train:\n    n = 8\n", "nothing in the script is called 'Evall'"),
        ("Eval.n", "class Train:\n    n = 8\nclass Eval:\n    m = 9\n", "Eval has no number 'n'"),
        ("c['eval']['n']", "c = {'train': {'n': 8}, 'eval': {'m': 9}}\n", "eval has no number 'n'"),
        ("size", "size = side\nside = size\n", "no number"),
    ],
)
def test_what_is_no_number_of_the_script_is_refused(name: str, text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        knob(name, text)


def test_an_option_that_is_no_whole_number_is_refused() -> None:
    with pytest.raises(UsageError, match="only whole numbers"):
        knob("--batch-size", ARGPARSE, "--batch-size", "auto")


ROOM = 1000


def search(given: int, need: Callable[[int], int], fails: Callable[[int], bool] = lambda value: False):
    def attempt(value: int) -> Trial:
        if fails(value):
            return Trial(value, "", 0, UNKNOWN, "IndexError")
        return Trial(value, "", need(value), FITS if need(value) <= ROOM else BREAKS)

    trials, ended = largest(attempt(given), ROOM, attempt)
    good = max((row.value for row in trials if row.verdict == FITS), default=0)
    return good, trials, ended


@pytest.mark.parametrize(("given", "each", "fixed"), [(8, 10, 100), (1, 7, 3), (50, 13, 500), (300, 10, 0)])
def test_a_straight_line_takes_four_simulations(given: int, each: int, fixed: int) -> None:
    good, trials, ended = search(given, lambda value: fixed + each * value)
    assert (good, ended) == ((ROOM - fixed) // each, "")
    assert len(trials) <= 5


@pytest.mark.parametrize("given", [1, 8, 30, 31, 32, 100])
def test_a_curve_is_followed(given: int) -> None:
    good, trials, ended = search(given, lambda value: value * value)
    assert (good, ended) == (31, "")
    assert len(trials) <= 12


def test_needs_that_grow_with_the_square_of_a_length_take_few_simulations() -> None:
    good, trials, ended = search(32, lambda value: 40 + value // 10 + value * value // 5000)
    assert (good, ended) == (1952, "")
    assert len(trials) <= 7


@pytest.mark.parametrize(("most", "best"), [(1200 * ROOM, 1088), (3000 * ROOM, 1728), (9000 * ROOM, 2976)])
def test_a_card_that_holds_more_than_the_room_is_searched_too(most: int, best: int) -> None:
    """With less than they would reserve, scripts run while torch gives back what it has cached."""

    def attempt(value: int) -> Trial:
        return Trial(value, "", value * value // 1000, FITS if value * value <= most else BREAKS)

    trials, ended = largest(attempt(100), ROOM, attempt)
    assert (max(row.value for row in trials if row.verdict == FITS), ended) == (best, "")
    assert len(trials) <= 13


def test_what_runs_without_its_cached_blocks_is_searched_by_the_least_that_it_takes() -> None:
    """What is reserved goes up and down where kernels do without what they work in."""
    made: dict[int, int] = {}

    def attempt(value: int) -> Trial:
        made[value] = 50 + 2 * value
        reserved = 3 * made[value] if value % 3 else 2 * made[value]
        return Trial(value, "", reserved, FITS if made[value] <= ROOM else BREAKS)

    first = attempt(8)
    trials, ended = largest(first, ROOM, attempt, weigh=lambda row: made[row.value])
    assert (max(row.value for row in trials if row.verdict == FITS), ended) == (472, "")
    assert len(trials) <= 6


def test_needs_that_grow_in_jumps_are_found_too() -> None:
    good, _, ended = search(4, lambda value: 100 * -(-value // 10))
    assert (good, ended) == (100, "")


def test_larger_values_are_tried_in_larger_steps() -> None:
    good, trials, _ = search(1024, lambda value: value // 5)
    assert good <= 5004 < good + 64
    assert all(row.value % 16 == 0 for row in trials)


def test_one_that_is_too_large_by_itself() -> None:
    assert search(1, lambda value: 2000)[0] == 0
    assert search(16, lambda value: 2000)[0] == 0


def test_a_need_that_does_not_depend_on_the_value_ends_the_search() -> None:
    good, trials, ended = search(8, lambda value: min(500, 50 * value))
    assert len(trials) <= 6
    assert "does not depend on it, or the data have no more" in ended
    assert good == trials[-1].value


def test_a_need_that_shows_only_with_far_more_is_found() -> None:
    """What the optimizer takes hides batches of a few times as many rows."""
    good, trials, ended = search(8, lambda value: max(100, value // 2))
    assert (good // 32, ended) == (2000 // 32, "")
    assert len(trials) <= 8


def test_a_value_with_which_the_script_fails_is_too_large() -> None:
    good, _, ended = search(8, lambda value: value, lambda value: value > 20)
    assert (good, ended) == (20, "with 21 the script does not run: IndexError")


def test_the_search_has_an_end() -> None:
    _, trials, ended = search(8, lambda value: 1 if value < 9 else 1 + value // HIGHEST)
    assert len(trials) <= MOST_TRIALS
    assert ended


@pytest.mark.parametrize(
    ("cap", "best", "ended"),
    [(100, 100, "the data have 100 items"), (8, 8, "the data have 8 items"), (5000, 499, "")],
)
def test_no_batch_is_larger_than_the_data(cap: int, best: int, ended: str) -> None:
    def attempt(value: int) -> Trial:
        assert value <= cap
        return Trial(value, "", value * 2, FITS if value * 2 < 1000 else BREAKS)

    trials, why = largest(Trial(8, "", 16, FITS), 999, attempt, cap)
    found = max(row.value for row in trials if row.verdict == FITS)
    assert (found <= best and found > 0.95 * best, why) == (True, ended)


UNEVEN = """
import torch
B = 1
net = torch.nn.Linear(8, 8).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
MIB = 1 << 20
for step in range(7):
    first, second = (45, 56) if step > 3 and B > LEAST else (100, 10)
    x = torch.empty(first * MIB * B, dtype=torch.uint8, device="cuda")
    y = torch.empty(second * MIB * B, dtype=torch.uint8, device="cuda")
    net(torch.zeros(1, 8, device="cuda")).sum().backward()
    del x, y
    optimizer.step()
    optimizer.zero_grad()
"""


@needs_simulation
@pytest.mark.usefixtures("torch_once")
@pytest.mark.parametrize("least", [0, 1])
def test_the_largest_batch_fits_in_all_steps(tmp_path: Path, least: int) -> None:
    text = UNEVEN.replace("LEAST", str(least))
    script(tmp_path, text)
    found = memlint(tmp_path, "fit", "-q", "--card", "4GiB", "--no-suggest", "--max-batch", "B", "train.py")
    said = re.search(r"the largest B that fits is (\d+)", found.stdout)
    assert said is not None, found.stdout + found.stderr
    best = int(said[1])
    for value, fits in ((best, True), (best + 1, False)):
        script(tmp_path, text.replace("B = 1\n", f"B = {value}\n"))
        made = memlint(tmp_path, "fit", "-q", "--card", "4GiB", "--no-suggest", "train.py")
        assert (made.returncode == 0) is fits, made.stdout


GROWING = """
import torch
B = 8
net = torch.nn.Linear(1024, 8).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
seen = []
for step in range(400):
    x = torch.randn(B, 1024).cuda()
    net(x).sum().backward()
    optimizer.step()
    optimizer.zero_grad()
    seen.append(x)
"""


@needs_simulation
@pytest.mark.usefixtures("torch_once")
def test_the_largest_batch_fits_to_the_last_step_where_each_leaves_something(tmp_path: Path) -> None:
    script(tmp_path, GROWING)
    found = memlint(tmp_path, "fit", "-q", "--card", "2GiB", "--no-suggest", "--max-batch", "B", "train.py")
    said = re.search(r"B ([\d,]+) fits, ([\d,]+)", found.stdout)
    assert said is not None, found.stdout + found.stderr
    best, limit = (int(number.replace(",", "")) for number in said.groups())
    # 4 KiB of an item stay for each of 400 steps, beside workspaces of 64 MiB and a context of 780 at most.
    most = (2048 - 780 - 64) * MIB // (400 * 4096)
    assert 0.95 * most < best < limit <= most


def test_no_simulation_of_a_search_is_made_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The largest value is tried again with all steps, and may be one of the search with all steps."""
    steps = tuple(replace(step(), reserved=100) for _ in range(7))
    ran = arm(steps=steps, cuda={"reserved_peak": 100}, stopped=ENDED)
    made: list[str] = []

    def simulate(fitting: object, change: Change, *, steps: int = 0) -> Outcome:
        assert change.name not in made  # each has a folder of its own
        made.append(change.name)
        return Outcome(ran, "", "", "")

    def verdict(fitting: object, ran: Arm, on: Card) -> OnCard:
        value, more = int(re.search(r"\d+", made[-1])[0]), made[-1].endswith("all-steps")  # type: ignore[index]
        needs = value * (130 if more else 100) * MIB
        return OnCard("", "", (9, 0), on.total, FITS if needs < on.total else BREAKS, needs)

    monkeypatch.setattr(Fitting, "simulate", simulate)
    monkeypatch.setattr(Fitting, "verdict", verdict)
    fitting = object.__new__(Fitting)
    fitting.cards, fitting.runs = [card_of("4GiB")], SimpleNamespace(interrupt=False)  # type: ignore[assignment]
    given = OnCard("", "", (9, 0), 4096 * MIB, FITS, 400 * MIB)
    found = fitting._search(ran, given, knob("B", "B = 4\n"))
    assert (found.best, found.limit) == (31, 32)
    assert len([name for name in made if name.endswith("all-steps")]) > 2


def test_what_was_interrupted_is_no_row_of_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Fitting, "simulate", lambda *args, **rest: Outcome(None, INTERRUPTED, "", ""))
    fitting = object.__new__(Fitting)
    fitting.cards, fitting.runs = [card_of("4GiB")], SimpleNamespace(interrupt=True)  # type: ignore[assignment]
    given = OnCard("", "", (9, 0), 4096 * MIB, FITS, 400 * MIB)
    found = fitting._search(arm(), given, knob("B", "B = 4\n"))
    assert (found.best, found.ended, [row.value for row in found.trials]) == (4, INTERRUPTED, [4])


BATCHES = """
class Train:
    batch_size = 256
class Eval:
    batch_size = 512
cfg, model = load(), {'n': 1}
"""


@pytest.mark.parametrize("name", ["batch_size", "cfg.batch_size", "--batch-size", "cgf.lr", "cgf['n']"])
def test_a_refusal_fits_into_a_line_of_the_terminal(name: str) -> None:
    with pytest.raises(UsageError) as refused:
        knob(name, BATCHES)
    assert len(f"memlint: error: {refused.value}") <= 80
