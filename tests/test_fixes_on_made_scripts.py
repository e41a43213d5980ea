"""Fixes of scripts that are put together by chance, run before and after: a safe one changes nothing that is
printed, and no fix stops a script, or changes what is trained unless its rule says so."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from memlint.edit.apply import fix_text
from memlint.finding import each
from tests.test_fixes_keep_results import check, run

pytest.importorskip("torch")

SCRIPTS = 24
_TRAINED_OTHERWISE = frozenset({"MEM121", "MEM123", "MEM124"})
"""Rules about gradients that are added up, or cleared, where they should not be: fixes train otherwise."""

HEAD = """\
import torch
from torch import nn
import torch.nn.functional as F
from data import loader
torch.manual_seed(0)
class Meter:
    def __init__(self):
        self.sum, self.count, self.seen = 0, 0, []
    def update(self, value, n=1):
        self.sum += value * n
        self.count += n
    def note(self, value):
        self.seen.append(value)
"""
NETWORKS = (
    "nn.Linear(4, 40)",
    "nn.Sequential(nn.Linear(4, 64), nn.LeakyReLU(), nn.Linear(64, 40))",
    "nn.Sequential(nn.Linear(4, 64), nn.BatchNorm1d(64), nn.ELU(), nn.Dropout(0.1), nn.Linear(64, 40))",
)
OPTIMIZERS = (
    "SGD(model.parameters(), lr=0.1)",
    "Adam(model.parameters())",
    "SGD(model.parameters(), 0.1, 0.9)",
)
STEPS = (
    ("opt.zero_grad()", "out = model(x)", "loss = F.cross_entropy(out, y)", "loss.backward()", "opt.step()"),
    ("out = model(x)", "loss = F.cross_entropy(out, y)", "opt.zero_grad()", "loss.backward()", "opt.step()"),
    ("out = model(x)", "loss = F.cross_entropy(out, y)", "loss.backward()", "opt.step()", "opt.zero_grad()"),
    ("out = model(x)", "loss = F.cross_entropy(out, y)", "opt.zero_grad(set_to_none=False)",
     "loss.backward()", "opt.step()"),
    ("out = model(x)", "loss = F.cross_entropy(out, y) / 2", "loss.backward()", "if step % 2:",
     "    opt.step()", "    opt.zero_grad()"),
    ("opt.zero_grad()", "losses = []", "for part, wanted in zip(x.chunk(2), y.chunk(2)):",
     "    losses.append(F.cross_entropy(model(part), wanted))", "loss = torch.stack(losses).mean()",
     "loss.backward()", "opt.step()", "out = model(x)"),
    ("opt.zero_grad()", "out = model(x)", "loss = F.cross_entropy(out, y)", "if loss > 100:", "    continue",
     "loss.backward()", "opt.step()"),
    ("opt.zero_grad()", "out = model(x)", "loss = F.cross_entropy(out, y)", "aux = out.pow(2).mean()",
     "loss.backward(retain_graph=True)", "(0.1 * aux).backward()", "opt.step()"),
)  # fmt: skip
KEPT = (
    ("total = 0", "total += loss", "print(float(total))"),
    ("total = 0", "total = total + loss * len(x)", "print(torch.as_tensor(total).sqrt().item())"),
    ("kept = []", "kept.append(loss)", "print(torch.stack(kept).mean().item(), kept[-1].item())"),
    ("kept = []", "kept.append(out)", "print(torch.cat(kept).argmax(1).tolist())"),
    ("kept = []", "kept.append((step, out[:, :2]))", "print(kept[-1][1].shape, len(kept))"),
    ("kept = {}", "kept[step] = {'loss': loss}", "print({k: v['loss'].item() for k, v in kept.items()})"),
    ("meter = Meter()", "meter.update(loss, x.size(0))", "print((meter.sum / meter.count).item())"),
    ("meter = Meter()", "meter.note(loss)", "print(max(meter.seen).item())"),
    ("best = None", "best = loss if best is None or loss < best else best", "print(best.item())"),
    ("mean = 0", "mean = 0.9 * mean + 0.1 * out.mean(0)", "print(mean.sum().item())"),
    ("outs = torch.zeros(0, 40)", "outs = torch.cat([outs, out])", "print(outs.sum().item())"),
)
BESIDE = (
    ("", "", ""),
    ("ema = [p.clone() for p in model.parameters()]",
     "ema = [0.9 * a + 0.1 * p for a, p in zip(ema, model.parameters())]",
     "print(sum(a.sum().item() for a in ema))"),
    ("acts = []\nmodel.register_forward_hook(lambda m, a, o: acts.append(o))", "",
     "print(len(acts), acts[0].shape)"),
    ("", "scale = torch.arange(40.).unsqueeze(0).repeat(len(x), 1)\nprint((scale * x.sum()).sum().item())",
     ""),
    ("", "torch.save(x[:2], file)\nfile.seek(0)", "print(torch.load(file).sum().item())"),
    ("", "probs = out.softmax(1)\nprint((probs.argmax(1) == y).sum().item())", ""),
    ("norms = []", "norms.append(sum(p.pow(2).sum() for p in model.parameters()))",
     "print(norms[-1].item())"),
)  # fmt: skip
AFTER = (
    "",
    """\
model.eval()
right = 0
for x, y in loader:
    right += (model(x).argmax(1) == y).sum().item()
print(right)
""",
    """\
model.eval()
value = 0
for x, y in loader:
    value += F.cross_entropy(model(x), y)
print(value.item())
""",
    """\
def test(net):
    net.eval()
    found = []
    for x, y in loader:
        found.append(net(x).softmax(1))
    return torch.cat(found)
print(test(model)[0, :3].tolist())
""",
)


def indented(text: str, levels: int = 1) -> str:
    return "".join(f"{'    ' * levels}{line}\n" for line in text.splitlines() if line)


def made(seed: int) -> str:
    """A training script of parts that a number chooses."""
    pick = random.Random(seed).choice
    start, keep, show = pick(KEPT)
    begin, beside, end = pick(BESIDE)
    body = "\n".join((*pick(STEPS), keep, beside))
    lines = f"model = {pick(NETWORKS)}\nopt = torch.optim.{pick(OPTIMIZERS)}\n{start}\n{begin}\n"
    if "file" in beside:
        lines += "import io\nfile = io.BytesIO()\n"
    lines += f"for step, (x, y) in enumerate(loader):\n{indented(body)}{show}\n{end}\n{pick(AFTER)}\n"
    lines += "print([p.double().sum().item() for p in model.parameters()])\n"
    return HEAD + (f"def main():\n{indented(lines)}main()\n" if pick((True, False)) else lines)


def scripts() -> Iterator[tuple[str, str, str]]:
    """Scripts as they are, with their safe fixes, and with all."""
    for seed in range(SCRIPTS):
        text = made(seed)
        safe = fix_text(text, "t.py", check, unsafe=False).text
        yield text, safe, fix_text(text, "t.py", check, unsafe=True).text


def guarded(text: str) -> str:
    """A script whose last line says what it raised, if it raised something."""
    names = {"__name__": "__main__"}
    return (
        f"try:\n    exec({text!r}, {names})\nexcept Exception as error:\n    print('raised', repr(error))\n"
    )


def test_fixes_of_scripts_made_by_chance_keep_what_they_must() -> None:
    found = list(scripts())
    told = iter(run([guarded(text) for versions in found for text in versions]))
    for text, safe, unsafe in found:
        before, kept, after = next(told), next(told), next(told)
        assert "raised" not in before, text
        assert kept == before, safe
        assert "raised" not in after, unsafe
        codes = {finding.code for finding in each(check(text)) if finding.fix is not None}
        if not codes & _TRAINED_OTHERWISE:
            assert after.splitlines()[-1] == before.splitlines()[-1], unsafe
