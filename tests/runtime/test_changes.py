"""Changes that are made while a script runs need what the same changes need when they are written into it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memlint.runtime.cards import card_of
from memlint.runtime.parent.fit.candidates import of_offers
from memlint.session import Arm, Offer
from tests.runtime.simulated import MIB, needs_simulation, simulated
from tests.runtime.support import memlint, script

pytestmark = [needs_simulation, pytest.mark.usefixtures("torch_once")]

TRAIN = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(512)
        self.one, self.two = nn.Linear(512, 2048), nn.Linear(2048, 512)

    def forward(self, x):
        return x + self.two(torch.tanh(self.one(self.norm(x))))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range(4))
        self.head = nn.Linear(512, 64)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)


net = Net().cuda()
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3, fused=True)
BATCH = torch.zeros(8, 8, 512), torch.zeros(8, 8).long()
loader = DataLoader(TensorDataset(torch.zeros(4096, 8, 512), torch.zeros(4096, 8).long()), batch_size=512)
for number, (x, y) in enumerate(loader, 1):
    x, y = x.cuda(), y.cuda()
    loss = nn.functional.cross_entropy(net(x).flatten(0, 1), y.flatten())
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
"""
LOSS = "    loss = nn.functional.cross_entropy(net(x).flatten(0, 1), y.flatten())\n"
STEP = "    optimizer.step()\n    optimizer.zero_grad()\n"
WITHIN = """
optimizers = {p: torch.optim.AdamW([p], lr=1e-3, fused=True) for p in net.parameters()}


def hook(p):
    optimizers[p].step()
    p.grad = None


for p in net.parameters():
    p.register_post_accumulate_grad_hook(hook)
loader = """
EIGHT = """


class AdamW8bit(torch.optim.Optimizer):
    def __init__(self, params):
        super().__init__(params, {})
        self.codes = torch.zeros(256, device="cuda"), torch.zeros(256, device="cuda")

    @torch.no_grad()
    def step(self):
        for p in self.param_groups[0]["params"]:
            if not self.state[p]:
                small = p.numel() < 4096
                for name in "ab":
                    self.state[p][name] = torch.zeros_like(p, dtype=torch.float32 if small else torch.uint8)
                    if not small:
                        self.state[p][name + "max"] = torch.zeros(-(-p.numel() // 256), device="cuda")


optimizer = AdamW8bit(net.parameters())
"""
OPTIMIZER = "optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3, fused=True)\n"
PAGED = """


class PagedAdamW(torch.optim.Optimizer):
    def __init__(self, params):
        super().__init__(params, {})

    @torch.no_grad()
    def step(self):
        for p in self.param_groups[0]["params"]:
            if not self.state[p] and p.numel() < 100_000:
                self.state[p] = {"a": torch.zeros_like(p), "b": torch.zeros_like(p)}


optimizer = PagedAdamW(net.parameters())
"""
BY_HAND = {
    "checkpoint": [("x = block(x)", "x = torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False)")],
    "autocast:bfloat16": [(LOSS, f'    with torch.autocast("cuda", dtype=torch.bfloat16):\n    {LOSS}')],
    "offload": [(LOSS, f"    with torch.autograd.graph.save_on_cpu(pin_memory=True):\n    {LOSS}")],
    "accumulate:2:0": [
        ("batch_size=512", "batch_size=256"),
        ("    loss.backward()\n", "    (loss / 2).backward()\n"),
        (STEP, "    if number % 2 == 0:\n        optimizer.step()\n        optimizer.zero_grad()\n"),
    ],
    "step-in-backward": [(STEP, ""), ("loader = ", WITHIN), (OPTIMIZER, "")],
    "adam-8bit": [(OPTIMIZER, EIGHT)],
    "adam-paged": [(OPTIMIZER, PAGED)],
}  # fmt: skip
"""By each change, what it replaces in the script when it is written into it."""


def needs(arm: Arm) -> int:
    return arm.cuda["reserved_peak"]


@pytest.fixture(scope="module")
def as_it_is(tmp_path_factory: pytest.TempPathFactory) -> Arm:
    return simulated(tmp_path_factory.mktemp("original"), TRAIN, offers=True, steps=4)


@pytest.mark.parametrize("change", BY_HAND)
def test_a_change_saves_what_it_saves_by_hand(tmp_path: Path, as_it_is: Arm, change: str) -> None:
    before = TRAIN
    if change == "step-in-backward":  # of large batches, the peak lies where no gradient is there yet
        before = TRAIN.replace("batch_size=512", "batch_size=16")
        as_it_is = simulated(tmp_path / "before", before, steps=4)
    text = before
    for old, new in BY_HAND[change]:
        assert old in text
        text = text.replace(old, new)
    made = simulated(tmp_path / "made", before, changes=(change,), steps=4)
    by_hand = simulated(tmp_path / "hand", text, steps=4)
    assert len(made.steps) == len(by_hand.steps) >= 2
    saved = needs(as_it_is) - needs(by_hand)
    assert saved > 8 * MIB
    assert needs(as_it_is) - needs(made) == pytest.approx(saved, rel=0.02)
    assert made.cuda["allocated_peak"] == pytest.approx(by_hand.cuda["allocated_peak"], rel=0.01)


SHOWN = (
    TRAIN.replace("batch_size=512", "batch_size=256")
    + """\
    if number % 2:
        shown = net(torch.zeros(256, 8, 512, device="cuda"))
"""
)


def test_what_a_pass_that_only_shows_something_saves_stays_on_the_gpu(tmp_path: Path) -> None:
    """Nobody writes the region around it, and what is kept of it is a part of the peak."""
    made = simulated(tmp_path / "made", SHOWN, changes=("offload",), steps=14)
    ((old, new),) = BY_HAND["offload"]
    by_hand = simulated(tmp_path / "hand", SHOWN.replace(old, new), steps=14)
    as_it_is = simulated(tmp_path / "before", SHOWN, steps=14)
    # What is reserved hangs on what the first such pass leaves in the allocator's cache (docs/fit.md).
    before, offloaded, changed = (arm.cuda["allocated_peak"] for arm in (as_it_is, by_hand, made))
    assert before - offloaded > 8 * MIB
    assert len(made.steps) == len(by_hand.steps) >= 6
    assert before - changed == pytest.approx(before - offloaded, rel=0.02)


def test_what_repeats_within_blocks_only_is_no_block_where_it_stands_alone() -> None:
    nn = pytest.importorskip("torch").nn
    from memlint.runtime.child.changes.blocks import blocks_of

    def pair() -> Any:
        return nn.Sequential(nn.LayerNorm(4), nn.SiLU(), nn.Linear(4, 4))

    class Block(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.one, self.two = pair(), pair()

    body = nn.ModuleList(Block() for _ in range(3))
    net = nn.ModuleDict({"body": body, "out": pair()})
    assert blocks_of(net) == list(body)
    assert len(blocks_of(nn.ModuleList([Block(), Block(), pair()]))) == 5


def test_the_trainer_of_transformers_takes_changes_as_arguments(as_it_is: Arm) -> None:
    def said(*offers: Offer) -> dict[str, str]:
        arm = replace(as_it_is, offers=(*as_it_is.offers, *offers))
        return {row.kind: row.how for row in of_offers(arm, card_of("RTX-4090"), frozenset(), None)}

    with_trainer = said(Offer("trainer"))
    assert with_trainer["autocast"] == "TrainingArguments: bf16=True"
    assert with_trainer["checkpoint"] == "TrainingArguments: gradient_checkpointing=True"
    assert with_trainer["accumulate"] == (
        "TrainingArguments: per_device_train_batch_size=256, gradient_accumulation_steps 2 times as many"
    )
    assert with_trainer["offload"] == said()["offload"]
    assert not any("TrainingArguments" in how for how in said().values())


def test_the_trainer_leaves_states_of_embeddings_in_32_bits(tmp_path: Path, as_it_is: Arm) -> None:
    arm = replace(as_it_is, offers=(*as_it_is.offers, Offer("trainer")))
    offered = {row.kind: row.change.runtime for row in of_offers(arm, card_of("RTX-4090"), frozenset(), None)}
    assert (offered["adam-8bit"], offered["adam-paged"]) == (("adam-8bit:tables",), ("adam-paged",))
    text = TRAIN.replace("        for block", "        x = x + self.words.weight[0]\n        for block")
    table = "        self.words = nn.Embedding(20_000, 512)\n"
    text = text.replace("        self.head", f"{table}        self.head").replace("size=512", "size=16")
    all_small = simulated(tmp_path / "all", text, changes=("adam-8bit",))
    tables = simulated(tmp_path / "tables", text, changes=("adam-8bit:tables",))
    numbers = 20_000 * 512
    assert tables.peak.bytes - all_small.peak.bytes == 2 * (4 * numbers - numbers - 4 * numbers // 256)


def test_all_of_them_are_offered(as_it_is: Arm) -> None:
    offered = {offer.change: offer for offer in as_it_is.offers}
    assert offered.keys() == {
        "checkpoint", "autocast", "offload", "accumulate:0", "step-in-backward", "adam-8bit", "adam-paged",
        "expandable", "items", "parts",
    }  # fmt: skip
    assert offered["checkpoint"].what == "4 Block (train.py:12)"
    assert (offered["accumulate:0"].what, offered["adam-8bit"].what) == ("512", "AdamW")
    assert offered["items"].what == "4096"


TWO = (
    TRAIN.replace(
        "net = Net().cuda()",
        """class Side(Block):
    pass


class Critic(Net):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Side() for _ in range(3))


net, critic = Net().cuda(), Critic().cuda()""",
    )
    .replace("net(x).flatten(0, 1)", "(net(x) + critic(x)).flatten(0, 1)")
    .replace("net.parameters(), lr", "[*net.parameters(), *critic.parameters()], lr")
)


def test_the_blocks_of_all_models_are_named_and_run_twice(tmp_path: Path) -> None:
    """As a GAN has two: the saving is that of both, so both have to be written."""
    offered = {
        offer.change: offer for offer in simulated(tmp_path / "offers", TWO, offers=True, steps=2).offers
    }
    assert offered["checkpoint"].what == "4 Block (train.py:12) and 3 Side (train.py:12)"
    for way in ("eval()", "requires_grad_(False)", "blocks.requires_grad_(False)"):  # where it is left alone
        teacher = TWO.replace("optimizer =", f"critic.{way}\noptimizer =")
        one = simulated(tmp_path / way, teacher, offers=True, steps=2)
        offered = {offer.change: offer for offer in one.offers}
        others = " and 3 Side (train.py:12)" if way.startswith("blocks") else ""  # what is before them trains
        assert offered["checkpoint"].what == f"4 Block (train.py:12){others}"
    some = TWO.replace("optimizer =", "net.blocks[:2].requires_grad_(False)\noptimizer =")
    found = simulated(tmp_path / "some", some, offers=True, steps=2)
    offered = {offer.change: offer for offer in found.offers}
    assert offered["checkpoint"].what == "2 Block (train.py:12) and 3 Side (train.py:12)"
    changed = simulated(tmp_path / "changed", TWO, changes=("checkpoint",))
    (old, new), *_ = BY_HAND["checkpoint"]
    written = simulated(tmp_path / "written", TWO.replace(old, new))
    assert changed.peak.bytes == written.peak.bytes < simulated(tmp_path / "as_it_is", TWO).peak.bytes


def test_how_blocks_are_checkpointed_is_said_for_models_of_both_sorts(tmp_path: Path) -> None:
    enabled = """class Own(Net):
    def gradient_checkpointing_enable(self, gradient_checkpointing_kwargs=None):
        pass

    supports_gradient_checkpointing = True


class Critic(Own):
    pass
"""
    at = TWO.index("class Critic")
    text = TWO[:at] + enabled + TWO[TWO.index("\n\nnet, critic") :]
    offered = {offer.change: offer for offer in simulated(tmp_path, text, offers=True, steps=2).offers}
    assert offered["checkpoint"].how == (
        "torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False) for block(x), "
        "model.gradient_checkpointing_enable()"
    )


ALREADY = {
    "checkpoint": BY_HAND["checkpoint"],
    "autocast": BY_HAND["autocast:bfloat16"],
    "offload": BY_HAND["offload"],
    "step-in-backward": [(STEP, f"    nn.utils.clip_grad_norm_(net.parameters(), 1.0)\n{STEP}")],
    "adam-8bit": [("AdamW(net.parameters(), lr=1e-3, fused=True)", "SGD(net.parameters(), lr=0.1)")],
    "accumulate:0": [("(x, y) in enumerate(loader, 1):", "_ in enumerate(range(4)):\n    x, y = BATCH")],
}  # fmt: skip


@pytest.mark.parametrize("change", ALREADY)
def test_what_is_done_or_does_not_apply_is_not_offered(tmp_path: Path, change: str) -> None:
    text = TRAIN
    for old, new in ALREADY[change]:
        assert old in text
        text = text.replace(old, new)
    assert change not in {offer.change for offer in simulated(tmp_path, text, offers=True, steps=2).offers}


def test_batches_whose_items_are_compared_stay_whole(tmp_path: Path) -> None:
    labels = "torch.arange(len(z)).cuda()"
    loss = f"    z = net(x).mean(1)\n    loss = nn.functional.cross_entropy(z @ z.T, {labels})\n"
    offers = simulated(tmp_path, TRAIN.replace(LOSS, loss), offers=True, steps=2).offers
    assert {offer.change for offer in offers if "batch" in offer.change or "acc" in offer.change} == {
        "whole-batches"
    }


def test_a_script_that_steps_by_hand_has_offers_too(tmp_path: Path) -> None:
    by_hand = "    with torch.no_grad():\n        for p in net.parameters():\n            p -= 0.1 * p.grad\n"
    text = TRAIN.replace(OPTIMIZER, "").replace(STEP, f"{by_hand}    net.zero_grad()\n")
    offers = {offer.change for offer in simulated(tmp_path, text, offers=True, steps=2).offers}
    assert {"checkpoint", "autocast", "offload"} <= offers


FREE_PARTS = """
import torch

kept = []
net = torch.nn.Linear(8, 8).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    for size in (64, 96, 128, 160):
        kept.append(torch.empty(size, 1 << 18, device="cuda"))
        kept[:] = kept[-1:]
    net(torch.ones(8, 8, device="cuda")).sum().backward()
    optimizer.step()
"""


def test_segments_that_grow_need_what_the_variable_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = simulated(tmp_path / "before", FREE_PARTS, steps=4)
    made = simulated(tmp_path / "made", FREE_PARTS, changes=("expandable",), steps=4)
    text = FREE_PARTS.replace(
        "import torch\n",
        'import os\n\nos.environ["PYTORCH_ALLOC_CONF"] = "expandable_segments:True"\nimport torch\n',
    )
    by_hand = simulated(tmp_path / "hand", text, steps=4)
    assert needs(before) - needs(by_hand) > 64 * MIB
    assert needs(made) == needs(by_hand)


def test_what_no_optimizer_has_is_frozen(tmp_path: Path) -> None:
    text = TRAIN.replace("AdamW(net.parameters()", "AdamW(net.head.parameters()")
    before = simulated(tmp_path / "before", text, offers=True, steps=2)
    (offer,) = (offer for offer in before.offers if offer.change == "freeze")
    assert offer.what == "24 parameters"
    after = simulated(tmp_path / "after", text, changes=("freeze",), steps=2)
    by_hand = text.replace("optimizer = ", "net.blocks.requires_grad_(False)\noptimizer = ")
    assert needs(after) == needs(simulated(tmp_path / "hand", by_hand, steps=2)) < needs(before)


def test_batch_norm_is_a_caution(tmp_path: Path) -> None:
    text = TRAIN.replace("nn.LayerNorm(512)", "nn.BatchNorm1d(8)")
    text = text.replace("y.cuda()", "y.cuda()\n    y[:, 1] = -100")
    text = text.replace("    optimizer", "    if number % 2 == 0:\n        optimizer")
    offers = simulated(tmp_path, text, offers=True, steps=2).offers
    assert next(offer.what for offer in offers if offer.change == "micro-batches") == "2"
    assert {offer.change for offer in offers if offer.cautions} == {"checkpoint", "accumulate:0", "parts"}


IN_TURN = """
import torch
from torch import nn

wide, narrow = (lambda: nn.Linear(512, 4096, bias=False)), (lambda: nn.Linear(4096, 512, bias=False))
nets = [nn.Sequential(wide(), nn.GELU(), narrow()).cuda() for _ in range(2)]
optimizers = [torch.optim.SGD(net.parameters(), lr=0.1) for net in nets]
x = torch.randn(2048, 512, device="cuda")
amp = False
scaler = torch.amp.GradScaler("cuda", enabled=amp)
for _ in range(3):
    for net, optimizer in zip(nets, optimizers):
        with torch.autocast("cuda", enabled=amp):
            loss = net(x).pow(2).mean()
        with torch.autocast("cuda", enabled=False):
            loss = loss + 0
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
"""


def test_an_autocast_that_is_switched_off_is_switched_on_and_turns_are_not_summed(tmp_path: Path) -> None:
    before = simulated(tmp_path / "before", IN_TURN, offers=True)
    offers = {offer.change.partition(":")[0]: offer for offer in before.offers}
    assert offers["whole-batches"].what == "in turn"
    assert "accumulate" not in offers
    line = 1 + IN_TURN.lstrip("\n").split("\n").index('        with torch.autocast("cuda", enabled=amp):')
    switch = offers["enable-autocast"]
    assert (switch.what, switch.how) == (f"train.py:{line}", "float16")
    made = simulated(tmp_path / "made", IN_TURN, changes=(switch.change,))
    by_hand = simulated(tmp_path / "hand", IN_TURN.replace("amp = False", "amp = True"), offers=True)
    assert needs(made) == needs(by_hand) < needs(before) - 8 * MIB
    assert not {"autocast", "enable-autocast"} & {o.change.partition(":")[0] for o in by_hand.offers}


def test_an_evaluation_under_the_same_switch_is_switched_on_too(tmp_path: Path) -> None:
    """By hand one option turns all of them on; what is off for good stays so."""
    text = (
        IN_TURN
        + """
with torch.no_grad(), torch.autocast("cuda", enabled=amp):
    for net in nets * 2:
        held = net[0](torch.cat([x, x])).pow(2)
        with torch.autocast("cuda", enabled=False):
            held = net[2](held.float())
"""
    )
    before = simulated(tmp_path / "before", text, offers=True)
    switch = next(offer for offer in before.offers if offer.change.startswith("enable-autocast"))
    made = simulated(tmp_path / "made", text, changes=(switch.change,))
    by_hand = simulated(tmp_path / "hand", text.replace("amp = False", "amp = True"))
    assert needs(made) == needs(by_hand)
    assert made.peak == by_hand.peak


def test_an_autocast_of_float32_gets_another_type(tmp_path: Path) -> None:
    text = IN_TURN.replace("amp = False", "kind = torch.float32")
    text = text.replace('GradScaler("cuda", enabled=amp)', 'GradScaler("cuda", enabled=False)')
    text = text.replace("enabled=amp", "dtype=kind")
    before = simulated(tmp_path / "before", text, offers=True)
    offers = {offer.change.partition(":")[0]: offer for offer in before.offers}
    assert "autocast" not in offers
    switch = offers["enable-autocast"]
    assert switch.how == ""
    made = simulated(tmp_path / "made", text, changes=(f"{switch.change}bfloat16",))
    by_hand = simulated(tmp_path / "hand", text.replace("torch.float32", "torch.bfloat16"), offers=True)
    assert needs(made) == needs(by_hand) < needs(before) - 8 * MIB
    assert not {"autocast", "enable-autocast"} & {o.change.partition(":")[0] for o in by_hand.offers}


CONTRASTIVE = """
import torch
from torch import nn
from torch.utils.data import DataLoader

net = nn.Linear(64, 32).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(torch.randn(96, 64), batch_size=32):
    features = net(x.cuda())
    alike = features @ features.T
    others = alike[~torch.eye(32, dtype=torch.bool, device="cuda")].view(32, 31)
    loss = nn.functional.cross_entropy(others, torch.zeros(32, dtype=torch.long, device="cuda"))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def test_rows_that_are_compared_with_all_others_stay_together(tmp_path: Path) -> None:
    offers = {offer.change: offer.what for offer in simulated(tmp_path, CONTRASTIVE, offers=True).offers}
    assert offers["whole-batches"] == "compares"
    assert not {"accumulate:0", "parts"} & offers.keys()


def test_a_model_that_is_gone_at_the_end_was_seen(tmp_path: Path) -> None:
    head, tail = TRAIN.split("net = Net()")
    body = "".join(f"    {line}\n" for line in f"net = Net(){tail}".splitlines())
    offers = simulated(tmp_path, f"{head}def main():\n{body}\n\nmain()\n", offers=True, steps=2).offers
    assert {"checkpoint", "adam-8bit", "accumulate:0"} <= {offer.change for offer in offers}


def test_the_fix_writes_what_was_measured(tmp_path: Path) -> None:
    file = script(tmp_path, TRAIN)
    (old, new), *_ = BY_HAND["checkpoint"]
    made = memlint(
        tmp_path, "check", "--isolated", "--select", "MEM801", "--fix", "--unsafe-fixes", "train.py"
    )
    assert made.returncode == 0, made.stderr
    assert file.read_text(encoding="utf-8") == TRAIN.lstrip("\n").replace(old, new)


WORDS = """
import torch
from torch import nn
from torch.nn import functional as F


class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.body = nn.Embedding(16384, 128), nn.Linear(128, 128)
        self.head = nn.Linear(128, 16384)

    def forward(self, x, y):
        h = torch.tanh(self.body(self.embed(x)))
        logits = self.head(h)
        loss = F.cross_entropy(logits.view(-1, logits.size(-1)), y.view(-1))
        return logits, loss


net = Words().cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    x, y = torch.randint(16384, (2, 8, 256), device="cuda")
    logits, loss = net(x, y)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
"""
"""Logits of 128 MiB, and in backward two more tensors of their size."""


def test_the_fix_of_a_loss_over_words_saves_what_deferred_logits_do(tmp_path: Path) -> None:
    before = simulated(tmp_path / "before", WORDS, offers=True, steps=4)
    (offer,) = (offer for offer in before.offers if offer.change == "chunked-loss")
    assert offer.what == "16,384 classes for 2,048 rows"
    deferred = simulated(tmp_path / "deferred", WORDS, changes=("chunked-loss",), steps=4)
    file = script(tmp_path, WORDS)
    made = memlint(
        tmp_path, "check", "--isolated", "--select", "MEM806", "--fix", "--unsafe-fixes", "train.py"
    )
    assert made.returncode == 0, made.stderr
    written = simulated(tmp_path / "written", file.read_text(encoding="utf-8"), steps=4)
    saved = needs(before) - needs(written)
    assert saved > 300 * MIB
    assert needs(before) - needs(deferred) == pytest.approx(saved, rel=0.02)
    assert deferred.cuda["allocated_peak"] == pytest.approx(written.cuda["allocated_peak"], rel=0.02)


QUEUE = """
        self.register_buffer("queue", torch.zeros(8, 64))
        self.average = nn.Linear(512, 64).requires_grad_(False)

    def remember(self, x):
        with torch.no_grad():
            CHANGE
        return x
"""
CHANGES = {
    "a queue": ("self.queue[:4] = 1", True),
    "an average": ("self.average.weight.lerp_(self.head.weight, 0.1)", True),
    "data": ("self.average.weight.data = self.head.weight * 2", True), "nothing": ("self.average(x)", False),
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGES)
def test_a_forward_pass_that_changes_what_a_model_keeps_does_so_for_each_part(
    what: str, tmp_path: Path
) -> None:
    change, told = CHANGES[what]
    text = TRAIN.replace(
        "        self.head = nn.Linear(512, 64)\n", f"        self.head = nn.Linear(512, 64){QUEUE}"
    )
    text = text.replace("self.head(x)", "self.head(self.remember(x))").replace("CHANGE", change)
    arm = simulated(tmp_path, text, offers=True)
    assert arm.failure is None
    cautions = {caution for offer in arm.offers for caution in offer.cautions}
    assert cautions == ({"kept state"} if told else set())


@pytest.mark.parametrize(
    ("loss", "told"),
    [
        ("nn.functional.cross_entropy(net(x).flatten(0, 1), y.flatten())", False),
        ("(lambda l, m: (l * m).sum() / m.sum())(net(x).pow(2).mean(-1), (y > 0).float())", True),
        ("net(x)[y > 3].pow(2).mean()", True),
    ],
)
def test_a_loss_that_is_no_mean_is_said_to_be_none(loss: str, told: bool, tmp_path: Path) -> None:
    arm = simulated(tmp_path, TRAIN.replace(LOSS, f"    loss = {loss}\n"), offers=True)
    assert arm.failure is None
    cautions = {caution for offer in arm.offers for caution in offer.cautions}
    assert cautions == ({"no mean"} if told else set())


HELD = """
import torch
from torch import nn


def train(net, optimizer):
    for _ in range(4):
        x = torch.zeros(4096, 1024, device="cuda")
        x = x + x.flip(0)
        net(x).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
        x = None
        held.append(torch.cuda.memory_allocated())


held = []
net = nn.Linear(1024, 8).cuda()
train(net, torch.optim.SGD(net.parameters(), lr=0.1))
assert len(set(held)) == 1, held
"""


def test_looking_for_batches_keeps_none(tmp_path: Path) -> None:
    assert simulated(tmp_path, HELD, offers=True).failure is None


ON_THE_GPU = """
import torch
from torch import nn

net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 16)).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    x = torch.rand(8192, 64, device="cuda")
    y = torch.randint(0, 16, (8192,), device="cuda")
    # MASK
    loss = nn.functional.cross_entropy(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("pass", True), ("x[x > 0.5] = -1", True), ("y[torch.rand(8192, device='cuda') < 0.5] = -100", False),
        ("y[:100] = -100", False), ("y.masked_fill_(x[:, 0] > 0.5, -100)", False),
        ("y = torch.where(x[:, 0] > 0.5, y, -100)", False),
        ("t = y; y = torch.full_like(t, -100); y[100:] = t[100:]", False),
    ],
)  # fmt: skip
def test_targets_that_are_left_out_on_the_gpu_are_a_caution(tmp_path: Path, line: str, counts: bool) -> None:
    offers = simulated(tmp_path, ON_THE_GPU.replace("# MASK", line), offers=True, steps=3).offers
    cautions = {caution for offer in offers for caution in offer.cautions}
    assert ("uncounted rows" in cautions) is not counts
