"""Changes that `memlint fit` writes: mixed precision, offloading and accumulation."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from memlint.runtime.parent.fit.candidates import Candidate, as_written
from memlint.runtime.parent.fit.change import Change
from memlint.runtime.parent.fit.written.arguments import calls
from memlint.runtime.parent.fit.written.page import RefusedError
from memlint.runtime.parent.fit.written.write import Writing, write
from memlint.session import Batch, Fit, Lines
from memlint.session_file import from_json
from tests.runtime.simulated import MIB, needs_simulation
from tests.runtime.support import memlint, script

HEAD = """\
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Sequential(nn.Linear(64, 2048), nn.GELU(), nn.Linear(2048, 8)).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
inputs, labels = torch.randn(1440, 16, 64), torch.randint(8, (1440, 8))
loader = DataLoader(TensorDataset(inputs, labels), batch_size=240)
"""
"""Each item is 16 rows: the loader has little to do, the net as much as with 4000 items of one row."""
SMALL = HEAD.replace("1440", "52").replace("240", "8").replace("2048", "64")
PLAIN = """\
for x, y in loader:
    optimizer.zero_grad()
    out = net(x.to(device))
    loss = nn.functional.cross_entropy(out, y.to(device))
    loss.backward()
    optimizer.step()
"""
COUNTED = """\
total = 0.0
for i, (x, y) in enumerate(loader, 1):
    loss = nn.functional.cross_entropy(net(x.to(device)), y.to(device))
    loss.backward()
    total += loss.item()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    if i % 2 == 0:
        print(total)
    optimizer.zero_grad()
"""
SCALED = """\
scaler = torch.amp.GradScaler(device, enabled=False)
for i, (x, y) in enumerate(loader):
    optimizer.zero_grad(set_to_none=True)
    with torch.no_grad():
        x = x * 2
    loss = nn.functional.cross_entropy(net(x.to(device)), y.to(device)) + 0
    scaler.scale(loss).backward()
    if True:
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
"""
LOOPS = {"plain": PLAIN, "counted": COUNTED, "scaled": SCALED}


def lines(text: str, first: str, last: str) -> Lines:
    rows = text.splitlines()
    found = [next(n for n, row in enumerate(rows, 1) if part in row) for part in (first, last)]
    return Lines("train.py", *found)


def written(text: str, *wanted: tuple[str, str]) -> str:
    region = lines(text, "net(x", ".backward()")
    made = lines(text, "DataLoader(", "DataLoader(")
    writings = [
        Writing(kind, word, (region,), (made,) if kind == "accumulate" else ()) for kind, word in wanted
    ]
    return write(writings, {"train.py": text})["train.py"]


def test_a_context_is_written_around_forward_pass_and_loss() -> None:
    made = written(HEAD + PLAIN, ("autocast", "bfloat16"), ("offload", ""))
    assert made == HEAD + (
        "for x, y in loader:\n"
        "    optimizer.zero_grad()\n"
        '    with torch.autocast("cuda", dtype=torch.bfloat16), '
        "torch.autograd.graph.save_on_cpu(pin_memory=torch.cuda.is_available()):\n"
        "        out = net(x.to(device))\n"
        "        loss = nn.functional.cross_entropy(out, y.to(device))\n"
        "    loss.backward()\n"
        "    optimizer.step()\n"
    )


def test_zero_grad_before_backward_stays_outside() -> None:
    head, tail = (HEAD + PLAIN).split("    loss.backward()\n")
    made = written(
        f"{head}\n    optimizer.zero_grad()\n    loss.backward()\n{tail}", ("autocast", "bfloat16")
    )
    assert made.endswith("\n\n    optimizer.zero_grad()\n    loss.backward()\n    optimizer.step()\n")


def test_what_is_written_and_what_is_made_while_it_runs_are_two_runs() -> None:
    change = Change("offload", "offloaded", runtime=("offload",))
    candidate = Candidate(change, "offload", 5, "", "offloaded activations", "", 0, "", "", how="by hand")
    made = as_written(candidate, (("/there/train.py", "new"),), "train.py", 3)
    assert made.change.name != change.name
    assert (made.change.runtime, made.how, made.applicability) == ((), "", "unsafe")


def test_steps_wait_for_several_batches() -> None:
    assert written(HEAD + PLAIN, ("accumulate", "2")) == HEAD.replace("240)", "120)") + (
        "for number, (x, y) in enumerate(loader):\n"
        "    if number % 2 == 0:\n"
        "        optimizer.zero_grad()\n"
        "    out = net(x.to(device))\n"
        "    loss = nn.functional.cross_entropy(out, y.to(device))\n"
        "    (loss / min(2, len(loader) - number // 2 * 2)).backward()\n"
        "    if (number + 1) % 2 == 0 or number + 1 == len(loader):\n"
        "        optimizer.step()\n"
    )


def test_what_lies_between_the_calls_that_wait_does_not_wait() -> None:
    assert written(HEAD + COUNTED, ("accumulate", "4")).endswith(
        "    (loss / min(4, len(loader) - (i - 1) // 4 * 4)).backward()\n"
        "    total += loss.item()\n"
        "    if i % 4 == 0 or i == len(loader):\n"
        "        nn.utils.clip_grad_norm_(net.parameters(), 1.0)\n"
        "        optimizer.step()\n"
        "    if i % 2 == 0:\n"
        "        print(total)\n"
        "    if i % 4 == 0 or i == len(loader):\n"
        "        optimizer.zero_grad()\n"
    )


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize(
    "wanted", [(("accumulate", "2"),), (("offload", ""), ("accumulate", "4")), (("autocast", "bfloat16"),)]
)
@pytest.mark.filterwarnings("ignore:.*CUDA")
def test_what_is_written_trains_the_same_weights(loop: str, wanted: tuple[tuple[str, str], ...]) -> None:
    torch = pytest.importorskip("torch")
    if torch.cuda.is_available():
        pytest.skip("autocast does something there")
    weights = []
    text = SMALL + LOOPS[loop]  # the last window is shorter
    for source in (text, written(text, *wanted)):
        names: dict[str, Any] = {}
        exec(compile(source, "train.py", "exec"), names)
        weights.append(list(names["net"].parameters()))
    for before, after in zip(*weights, strict=True):
        assert torch.allclose(before, after, atol=1e-6)


CLIPPED = """\
def clipped(batch):
    x, y = batch
    loss = nn.functional.cross_entropy(net(x.to(device)), y.to(device))
    loss.backward()
    if True:
        nn.utils.clip_grad_norm_(net.parameters(), 0.01)
        optimizer.step()
    optimizer.zero_grad()


for batch in loader:
    clipped(batch)
"""
SCALES = {**LOOPS, "clipped in a function": CLIPPED}


def test_float16_takes_a_scaler() -> None:
    assert written(HEAD + PLAIN, ("autocast", "float16")).endswith(
        'scaler = torch.amp.GradScaler("cuda")\n'
        "for x, y in loader:\n"
        "    optimizer.zero_grad()\n"
        '    with torch.autocast("cuda", dtype=torch.float16):\n'
        "        out = net(x.to(device))\n"
        "        loss = nn.functional.cross_entropy(out, y.to(device))\n"
        "    scaler.scale(loss).backward()\n"
        "    scaler.step(optimizer)\n"
        "    scaler.update()\n"
    )
    assert written(HEAD + SCALED, ("autocast", "float16")).count("scaler.scale(") == 1
    made = written(HEAD + CLIPPED, ("autocast", "float16"))
    assert '\nscaler = torch.amp.GradScaler("cuda")\n\n\ndef clipped(batch):\n' in made
    assert "    if True:\n        scaler.unscale_(optimizer)\n        nn.utils.clip" in made
    assert "        scaler.step(optimizer)\n        scaler.update()\n    optimizer.zero" in made


@pytest.mark.parametrize("loop", SCALES)
@pytest.mark.parametrize("others", [(), (("accumulate", "2"),)])
@pytest.mark.filterwarnings("ignore:.*CUDA")
def test_a_scaler_that_scales_trains_the_same_weights(loop: str, others: tuple[tuple[str, str], ...]) -> None:
    torch = pytest.importorskip("torch")
    if others and loop == "clipped in a function":
        with pytest.raises(RefusedError):
            written(HEAD + CLIPPED, *others)
        return
    weights = []
    text = SMALL + SCALES[loop]
    for source in (text, written(text, ("autocast", "float16"), *others)):
        source = source.replace("dtype=torch.float16", "dtype=torch.float16, enabled=False")
        source = source.replace('GradScaler("cuda")', 'GradScaler("cpu")')
        assert source == text or "GradScaler" in source
        names: dict[str, Any] = {}
        exec(compile(source, "train.py", "exec"), names)
        weights.append(list(names["net"].parameters()))
    for before, after in zip(*weights, strict=True):
        assert torch.allclose(before, after, atol=1e-6)


@pytest.mark.parametrize(
    "body",
    [
        "    loss = net(x).sum()\n    loss.backward()\n    optimizer.step()\n    other.step()\n",
        "    loss = net(x).sum()\n    loss.backward()\n    step()\n",
        "    loss = net(x).sum()\n    loss.backward()\n    optimizer.step(closure)\n",
        "    loss = net(x).sum()\n    loss.backward()\n    for p in net.parameters():\n"
        "        print(p.grad)\n        optimizer.step()\n",
    ],
)
def test_where_no_single_step_is_seen_no_scaler_is_written(body: str) -> None:
    with pytest.raises(RefusedError):
        written(f"{HEAD}for x, y in loader:\n{body}", ("autocast", "float16"))


REFUSED = {
    "one statement": (
        "    net(x.to(device)).sum().backward()\n    optimizer.step()\n    optimizer.zero_grad()\n",
        "offload accumulate",
    ),
    "no zero_grad": ("    loss = net(x).sum()\n    loss.backward()\n    optimizer.step()\n", "accumulate"),
    "a step within a condition on the loss": (
        "    loss = net(x).sum()\n    loss.backward()\n    if loss < 3:\n        print(3)\n"
        "        optimizer.step()\n    optimizer.zero_grad()\n",
        "accumulate",
    ),
    "two losses": (
        "    loss = net(x).sum()\n    loss.backward()\n    net(-x).sum().backward()\n"
        "    optimizer.step()\n    optimizer.zero_grad()\n",
        "accumulate",
    ),
    "a batch that is left out": (
        "    loss = net(x).sum()\n    if not loss.isfinite():\n        print(loss)\n        continue\n"
        "    optimizer.zero_grad()\n    loss.backward()\n    optimizer.step()\n",
        "accumulate",
    ),
    "a step that is left out": (
        "    loss = net(x).sum()\n    loss.backward()\n"
        "    with torch.no_grad():\n        if loss > 5: continue\n"
        "    optimizer.step()\n    optimizer.zero_grad()\n",
        "accumulate",
    ),
    "a norm that is used": (
        "    loss = net(x).sum()\n    loss.backward()\n"
        "    norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)\n    optimizer.step()\n"
        "    optimizer.zero_grad()\n",
        "accumulate",
    ),
    "a schedule for as many steps as there are batches": (
        "    loss = net(x).sum()\n    loss.backward()\n    optimizer.step()\n    scheduler.step()\n"
        "    optimizer.zero_grad()\nprint(len(loader))\n",
        "accumulate",
    ),
    "a text of several lines": (
        '    loss = net(x).sum()\n    said = """\n    done"""\n    loss.backward()\n    optimizer.step()\n'
        "    optimizer.zero_grad()\n",
        "offload",
    ),
    "statements on one line": (
        "    loss = net(x).sum(); loss.backward()\n    optimizer.step(); optimizer.zero_grad()\n",
        "offload accumulate",
    ),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_what_is_not_understood_is_not_written(reason: str) -> None:
    body, kinds = REFUSED[reason]
    for kind in kinds.split():
        with pytest.raises(RefusedError):
            written(f"{HEAD}for x, y in loader:\n{body}", (kind, "2"))


@pytest.mark.parametrize(
    "moves",
    [
        "with torch.no_grad():\n        for a, p in zip(slow, new):\n            a.lerp_(p, 0.1)",
        "for a, p in zip(slow, net.parameters()):\n        a.mul_(0.99).add_(p.detach(), alpha=0.01)",
        "averaged.update_parameters(net)",
        "ema.update()",
        "self.model_ema.update(net)",
        "update_ema(slow, net)",
    ],
)
def test_an_average_that_moves_with_each_batch_would_forget_sooner(moves: str) -> None:
    body = f"{HEAD}{PLAIN}    {moves}\n"
    with pytest.raises(RefusedError, match="average"):
        written(body, ("accumulate", "2"))


@pytest.mark.parametrize("calls", ["ema.step(net.parameters())", "meter.update(loss)", "s.update([1])"])
def test_what_steps_with_the_optimizer_or_counts_batches_is_no_such_average(calls: str) -> None:
    assert "if number % 2 == 0:" in written(f"{HEAD}{PLAIN}    {calls}\n", ("accumulate", "2"))


def test_a_loop_within_may_leave_out_items() -> None:
    body = "    for each in x:\n        if each.sum() > 5: continue\n"
    body += "    loss = net(x).sum()\n    loss.backward()\n"
    body += "    optimizer.step()\n    optimizer.zero_grad()\n    if loss > 5: continue\n    print(loss)\n"
    assert "optimizer.step()" in written(f"{HEAD}for x, y in loader:\n{body}", ("accumulate", "2"))


def test_a_loader_without_a_name_is_refused() -> None:
    with pytest.raises(RefusedError):
        written(HEAD + PLAIN.replace("in loader", "in list(loader)"), ("accumulate", "2"))


SUMMED = HEAD + PLAIN.replace("cross_entropy(out, y.to(device))", 'cross_entropy(out, y, reduction="sum")')


def in_parts(text: str, times: int, *batches: Batch, rows: int = 4000) -> str:
    region = lines(text, "net(", ".backward()")
    writing = Writing("parts", str(times), (region,), batches=batches, rows=rows)
    return write([writing], {"train.py": text})["train.py"]


def test_a_loss_that_is_a_sum_is_not_divided() -> None:
    with pytest.raises(RefusedError):
        written(SUMMED, ("accumulate", "2"))
    with pytest.raises(RefusedError):
        in_parts(SUMMED, 2, *XY)


XY = Batch("x", "", 4000), Batch("y", "", 4000)
IN_FUNCTION = """\
def train_step(x, y):
    out = net(x.to(device))
    loss = nn.functional.cross_entropy(out, y.to(device))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.detach()


for x, y in loader:
    last = train_step(x, y)
"""
IN_CLOSURE = """\
for batch in loader:

    def closure():
        optimizer.zero_grad()
        x, y = batch
        loss = nn.functional.cross_entropy(net(x.to(device)), y.to(device)) + 0
        loss.backward()
        return loss

    last = optimizer.step(closure)
"""
IN_METHOD = """\
class Trainer:
    def __init__(self):
        self.scaler = torch.amp.GradScaler(device, enabled=False)

    def step(self, batch):
        self.seen = len(batch["x"])
        with torch.autocast(device, enabled=False):
            out = net(batch["x"].to(device))
            out = out + 0
            if out.dim() > 1:
                loss = nn.functional.cross_entropy(out, batch["y"].to(device))
                loss += 0.1 * out.mean()
            else:
                loss = out.mean()
        self.scaler.scale(loss / 2).backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)


trainer = Trainer()
for x, y in loader:
    trainer.step({"x": x, "y": y})
"""
LISTED = """\
for batch in loader:
    optimizer.zero_grad()
    out = net(batch[0].to(device))
    loss = nn.functional.cross_entropy(out, batch[1].to(device))
    loss.backward()
    optimizer.step()
    last = loss.item()
"""
IN_PARTS = {
    "loop": (PLAIN, XY),
    "function": (IN_FUNCTION, XY),
    "closure": (IN_CLOSURE, XY),
    "method": (IN_METHOD, (Batch("batch", "'x'", 4000),)),
    "list": (LISTED, (Batch("batch", "0", 4000),)),
}


@pytest.mark.parametrize("loop", IN_PARTS)
@pytest.mark.parametrize("size", [8, 13])
@pytest.mark.filterwarnings("ignore:.*CUDA")
def test_batches_in_parts_train_the_same_weights(loop: str, size: int) -> None:
    torch = pytest.importorskip("torch")
    body, batches = IN_PARTS[loop]
    # Of 48 items the last batch of 13 is shorter.
    text = SMALL.replace("batch_size=8", f"batch_size={size}") + body
    assert f"batch_size={size})" in text
    results = []
    for source in (text, in_parts(text, 3, *batches)):
        names: dict[str, Any] = {}
        exec(compile(source, "train.py", "exec"), names)
        results.append([*names["net"].parameters(), torch.as_tensor(names.get("last", 0.0))])
    assert text != source
    for before, after in zip(*results, strict=True):
        assert torch.allclose(before, after, atol=1e-6)


def test_rows_are_no_items_where_another_dimension_is_as_long() -> None:
    torch = pytest.importorskip("torch")
    from torch import nn

    from memlint.runtime.child.changes.places import _batches

    pair = [torch.zeros(6), torch.zeros(6, 2, 6)]
    held = {"x": torch.zeros(6, 4), "by_time": torch.zeros(6, 6), "pair": pair, "lr": 0.1, "net": nn.ReLU()}
    held |= {"texts": ["a"] * 6, "each": {"x": torch.zeros(6), "ids": [1]}, "weight": nn.Linear(3, 6).weight}
    held["graph"] = SimpleNamespace(x=torch.zeros(6, 2))
    found = [Batch("x", "", 6), Batch("by_time", "", 0), Batch("pair", "0", 0), Batch("texts", "0", 0)]
    assert list(_batches(held)) == [*found, Batch("each", "'x'", 0), Batch("graph", "", 0)]


ARGUED = """\
from transformers import TrainingArguments
options = TrainingArguments(
    "out",
    per_device_train_batch_size=32,
    report_to=[],
)
"""


def argued(text: str, *words: str) -> str:
    texts = {"train.py": text}
    return write([Writing("argument", word, calls(texts)) for word in words], texts)["train.py"]


def test_arguments_of_a_trainer_are_added_or_changed() -> None:
    made = argued(ARGUED, "bf16=True", "4")
    assert "    per_device_train_batch_size=8,\n" in made
    assert "    report_to=[],\n    bf16=True,\n    gradient_accumulation_steps=4,\n)" in made
    more = ARGUED.replace("report_to=[]", "gradient_accumulation_steps=3, bf16=False")
    assert "gradient_accumulation_steps=6, bf16=True,\n" in argued(more, "2", "bf16=True")
    assert argued("TrainingArguments('out')\n", "2") == (
        "TrainingArguments('out', per_device_train_batch_size=4, gradient_accumulation_steps=2)\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "TrainingArguments(**options)\n",
        "TrainingArguments('out', per_device_train_batch_size=size)\n",
        "TrainingArguments('out', per_device_train_batch_size=3)\n",
        "TrainingArguments()\n",
        "TrainingArguments('out')\nTrainingArguments('other')\n",
        "print('TrainingArguments')\n",
    ],
)
def test_arguments_that_are_not_seen_are_not_written(text: str) -> None:
    with pytest.raises(RefusedError):
        argued(text, "2")


def test_zero_grad_goes_above_the_parts_and_the_loss_is_put_together() -> None:
    assert in_parts(HEAD + IN_FUNCTION, 2, *XY) == HEAD + (
        "def train_step(x, y):\n"
        "    optimizer.zero_grad()\n"
        "    losses = []\n"
        "    for x_part, y_part in zip(x.chunk(2), y.chunk(2)):\n"
        "        out = net(x_part.to(device))\n"
        "        loss = nn.functional.cross_entropy(out, y_part.to(device))\n"
        "        (loss * len(x_part) / len(x)).backward()\n"
        "        losses.append(loss.detach() * len(x_part) / len(x))\n"
        "    loss = sum(losses)\n"
        "    optimizer.step()\n"
        "    return loss.detach()\n"
        "\n"
        "\n"
        "for x, y in loader:\n"
        "    last = train_step(x, y)\n"
    )


@pytest.mark.parametrize(
    "body",
    [
        "    out = net(x)\n    loss = out.mean()\n    loss.backward()\n    print(out.shape)\n",
        "    out = net(x)\n    total += out.mean()\n    out.mean().backward()\n",
        "    out = net(x)\n    if out.dim():\n        loss = out\n    loss += 1\n    loss.backward()\n",
        "    out = net(x)\n    if out.mean() > 3:\n        continue\n    out.mean().backward()\n",
        "    out = net(x)\n    x, y = next(batches)\n    out.mean().backward()\n",
        "    out, hidden = net(x, hidden)\n    out.mean().backward()\n",
        "    out = net(x)\n    counts[0] = out.mean().item()\n    out.mean().backward()\n",
        "    out = net(x)\n    loss = out.mean()\n    loss.backward()\n    print(x_part)\n",
        "    out = net(z)\n    loss = out.mean()\n    loss.backward()\n",
        "    out = net(x)\n    torch.autograd.backward(out.mean())\n    loss.backward()\n",
    ],
)
def test_batches_are_not_cut_where_more_than_the_loss_goes_through(body: str) -> None:
    text = f"{HEAD}for x, y in loader:\n{body}    optimizer.step()\n    optimizer.zero_grad()\n"
    with pytest.raises(RefusedError):
        in_parts(text, 2, *XY)


def test_only_what_has_as_many_rows_as_the_batch_is_cut() -> None:
    text = HEAD + IN_FUNCTION.replace("cross_entropy(out, ", "cross_entropy(out + shift, ")
    made = in_parts(text, 2, *XY, Batch("shift", "", 8))
    assert "net(x_part.to(device))" in made
    assert "cross_entropy(out + shift, y_part.to(device))" in made
    with pytest.raises(RefusedError):
        in_parts(text, 2, *XY, rows=35)


@pytest.mark.parametrize("other", [Batch("sizes", "0", 0), Batch("sizes", "", 12_000)])
@pytest.mark.parametrize(
    "body",
    [
        "for x, y, sizes in loader:\n",
        "for x, y in loader:\n    sizes = [1] * len(x)\n",
        "def step(x, y, sizes):\n",
        "while True:\n    (x, y), sizes = next(batches)\n",
    ],
)
def test_what_belongs_to_the_items_and_cannot_be_cut_leaves_the_batch_whole(body: str, other: Batch) -> None:
    lines = "    out = net(x)\n    loss = (out - y).mean()\n    loss.backward()\n"
    assert "zip(x.chunk(2), y.chunk(2))" in in_parts(HEAD + body + lines, 2, *XY, other)
    with pytest.raises(RefusedError, match="sizes is not cut"):
        in_parts(HEAD + body + lines.replace("(x)", "(x, sizes)"), 2, *XY, other)
    # What is there before the loop is the same for all parts.
    table = f"sizes = [1]\nfor x, y in loader:\n{lines}".replace("(x)", "(x, sizes)")
    assert "net(x_part, sizes)" in in_parts(HEAD + table, 2, *XY, other)


def test_a_batch_size_is_divided_as_it_is_written() -> None:
    made = written(HEAD.replace("=240", "=args.size") + PLAIN, ("accumulate", "2"))
    assert "batch_size=args.size // 2)" in made
    made = written(HEAD.replace("=240", "=2 * n") + PLAIN, ("accumulate", "2"))
    assert "batch_size=(2 * n) // 2)" in made
    with pytest.raises(RefusedError):
        written(HEAD.replace("=240", "=241") + PLAIN, ("accumulate", "2"))


def test_torch_is_imported_where_it_has_no_name() -> None:
    text = HEAD.replace("import torch\n", '"""A script."""\n', 1) + PLAIN
    assert written(text, ("offload", "")).startswith('"""A script."""\nimport torch\nfrom torch import nn\n')


def test_other_changes_may_move_the_lines_before() -> None:
    text = HEAD + PLAIN
    region = lines(text, "net(x", ".backward()")
    now = {"train.py": f"import os\n\n{text}"}
    made = write([Writing("offload", "", (region,))], {"train.py": text}, now)["train.py"]
    assert made == "import os\n\n" + written(text, ("offload", ""))
    now = {"train.py": text.replace("net(x", "net( x")}
    with pytest.raises(RefusedError):
        write([Writing("offload", "", (region,))], {"train.py": text}, now)


GAN = """\
drawer = nn.Sequential(nn.Linear(64, 1024), nn.GELU(), nn.Linear(1024, 1024), nn.GELU()).to(device)
critic = nn.Sequential(nn.Linear(1024, 1024), nn.GELU(), nn.Linear(1024, 1)).to(device)
for_drawer, for_critic = (torch.optim.SGD(each.parameters(), lr=0.1) for each in (drawer, critic))
for number, (x, y) in enumerate(loader):
    made = drawer(x.to(device))
    for_critic.zero_grad()
    loss = critic(made.detach()).mean() - critic(torch.zeros(4000, 1024, device=device)).mean()
    loss.backward()
    for_critic.step()
    for_drawer.zero_grad()
    loss = -critic(made).mean()
    loss.backward()
    for_drawer.step()
    if number % 2:
        shown = drawer(torch.zeros(8000, 64, device=device))
"""
"""What it shows is drawn with a graph: that is kept while the next step begins."""


def fit(folder: Path, *arguments: str) -> Fit:
    made = memlint(folder, "fit", "-q", *arguments, "-o", "session.json", "train.py")
    assert made.returncode in (0, 1), made.stderr
    found = from_json((folder / "session.json").read_text(encoding="utf-8"), "session.json").fit
    assert found is not None
    return found


PROMISED = {"counted": COUNTED, "scaled": SCALED, "function": IN_FUNCTION}


@needs_simulation
@pytest.mark.usefixtures("torch_once")
@pytest.mark.parametrize("loop", PROMISED)
def test_what_is_applied_needs_what_was_promised(tmp_path: Path, loop: str) -> None:
    head = HEAD.replace("nn.GELU(), ", f"nn.GELU(), {3 * 'nn.Linear(2048, 2048), nn.GELU(), '}")
    text = head + PROMISED[loop]
    file = script(tmp_path, text)
    needs = fit(tmp_path, "--card", "4GiB", "--no-suggest")
    budget = f"{(needs.first.most - 80 * MIB) >> 20}MiB"
    suggested = fit(tmp_path, "--card", "4GiB", "--budget", budget, "--apply")
    saving = {row.name: row for row in suggested.remedies or () if row.applicability and not row.code}
    assert {"mixed precision", "gradient accumulation", "offloaded activations"} <= saving.keys()
    line = next(n for n, row in enumerate(text.splitlines(), 1) if "net(x" in row)
    assert {(row.path, row.line) for row in saving.values()} == {("train.py", line)}
    promised = suggested.together
    assert promised is not None
    assert promised.verdict == "fits"
    assert file.read_text(encoding="utf-8") != text
    assert f"+++ {file.name}" in promised.diff
    after = fit(tmp_path, "--card", "4GiB", "--budget", budget, "--no-suggest")
    assert after.first.needs == promised.needs
    assert after.within


@needs_simulation
@pytest.mark.usefixtures("torch_once")
def test_offloading_of_a_gan_that_shows_samples_needs_what_was_promised(tmp_path: Path) -> None:
    file = script(tmp_path, HEAD + GAN)
    before = fit(tmp_path, "--card", "4GiB", "--suggest")
    saving = {row.name: row for row in before.remedies or () if not row.code}
    offloaded = saving["offloaded activations"]
    assert offloaded.applicability == "unsafe"
    assert "gradient accumulation" not in saving  # the critic would get the gradients of the drawer's loss
    regions = tuple(
        lines(HEAD + GAN, *ends) for ends in (("drawer(x", "loss.backward"), ("-critic(made)", ""))
    )
    last = next(n for n in range(regions[1].first, 99) if "backward" in (HEAD + GAN).splitlines()[n - 1])
    regions = (regions[0], Lines("train.py", regions[1].first, last))
    file.write_text(write([Writing("offload", "", regions)], {"train.py": HEAD + GAN})["train.py"], "utf-8")
    after = fit(tmp_path, "--card", "4GiB", "--no-suggest")
    assert before.first.needs - after.first.needs == offloaded.saved > 16 * MIB
