"""Operators that are given functions: they run under a replay as they do without, and are seen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.runtime.simulated import MIB, needs_simulation, simulated
from tests.runtime.support import measure, script

modes = pytest.importorskip("torch.utils._python_dispatch")
if not hasattr(modes.TorchDispatchMode, "supports_higher_order_operators"):
    pytest.skip("this torch brings modes no operators that are given functions", allow_module_level=True)

pytestmark = pytest.mark.usefixtures("torch_once")

TRAINING = """
import torch
from torch import nn
IMPORT

def wide(x):
    return x.repeat(16, 1).sin()[:4096].clone()

lin = nn.Linear(64, 64)
optimizer = torch.optim.SGD(lin.parameters(), lr=0.01)
for step in range(3):
    optimizer.zero_grad()
    x = torch.randn(4096, 64)
    with torch.no_grad():
        LINE
    loss = lin(y).square().mean()
    loss.backward()
    optimizer.step()
"""

LINES = {
    "cond": ("", "y = torch.cond(x.sum() > 1e9, lambda x: x.cos(), wide, (x,))", 32 * MIB),
    "while_loop": (
        "from torch._higher_order_ops.while_loop import while_loop",
        "y = while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, wide(y)), (torch.tensor(0), x))[1]",
        32 * MIB,
    ),
    "scan": (
        "from torch._higher_order_ops.scan import scan",
        "y = scan(lambda c, x: (c + x, c * x), torch.zeros(64), x)[1]",
        2 * MIB,
    ),
    "flex_attention": (
        "from torch.nn.attention.flex_attention import flex_attention",
        "y = flex_attention(*[x.view(1, 1, 4096, 64)[:, :, :2048]] * 3)",
        2048 * 2048 * 4,
    ),
}
"""How each is used, and bytes that are alive at once within it or by what it gives."""


@pytest.mark.parametrize(("imported", "line", "least"), LINES.values(), ids=LINES)
def test_a_replay_runs_them_and_counts_what_they_make(
    tmp_path: Path, imported: str, line: str, least: int
) -> None:
    text = TRAINING.replace("IMPORT", imported).replace("LINE", line)
    arm = measure(script(tmp_path / "home", text), tmp_path / "w")
    assert (arm.failure, len(arm.steps)) == (None, 3)
    assert arm.peak.bytes >= least


ATTENTION = """
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.attention.flex_attention import flex_attention, create_block_mask

mask = create_block_mask(lambda b, h, q, k: q >= k, None, None, 512, 512, device="cuda")
qkv, out = (nn.Linear(256, n).to("cuda", torch.bfloat16) for n in (768, 256))
slope = nn.Parameter(torch.ones(4, device="cuda", dtype=torch.bfloat16))
optimizer = torch.optim.SGD([*qkv.parameters(), *out.parameters()], lr=0.1)

def biased(score, b, h, q, k):
    return score + slope[h] * (q - k)

COMPILED
for step in range(3):
    x = torch.randn(4, 512, 256, device="cuda", dtype=torch.bfloat16)
    q, k, v = qkv(x).view(4, 512, 3, 4, 64).permute(2, 0, 3, 1, 4)
    y = ATTENDS
    loss = out(y.transpose(1, 2).reshape(4, 512, 256)).float().square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def attends(line: str, compiled: str = "flex_attention = torch.compile(flex_attention)") -> str:
    return ATTENTION.replace("ATTENDS", line).replace("COMPILED", compiled)


@needs_simulation
def test_compiled_attention_is_simulated_as_the_fused_kernel(tmp_path: Path) -> None:
    flash = simulated(tmp_path / "a", attends("F.scaled_dot_product_attention(q, k, v, is_causal=True)"))
    flex = simulated(tmp_path / "b", attends("flex_attention(q, k, v, block_mask=mask)"))
    biased = simulated(tmp_path / "c", attends("flex_attention(q, k, v, score_mod=biased, block_mask=mask)"))
    assert (flash.failure, flex.failure, biased.failure) == (None, None, None)
    rows = 4 * 4 * 512 * 4
    assert abs(flex.peak.bytes - flash.peak.bytes) <= 2 * rows
    assert abs(biased.peak.bytes - flash.peak.bytes) <= 2 * rows
    assert any(note.startswith("flex_attention: ") for note in flex.notes)


@needs_simulation
@pytest.mark.parametrize(
    ("line", "matrices"),
    [
        ("flex_attention(q, k, v, block_mask=mask)", 6),
        ("flex_attention(q, k, v, score_mod=biased, block_mask=mask)", 6),
        ("flex_attention(q, k[:, :2], v[:, :2], score_mod=biased, enable_gqa=True)", 6),
        ("flex_attention(q, k, v, score_mod=lambda s, b, h, i, j: 20 * torch.tanh(s / 20))", 8),
    ],
)
def test_training_through_plain_attention_makes_all_scores_in_backward(
    tmp_path: Path, line: str, matrices: int
) -> None:
    arm = simulated(tmp_path, attends(line, compiled=""))
    assert (arm.failure, len(arm.steps)) == (None, 3)
    one = 4 * 4 * 512 * 512 * 4  # what backward holds at once, in float32
    assert matrices * one < arm.peak.bytes < (matrices + 2) * one


PLAIN = """
import torch
from memlint.runtime.simulate.patches.flex import _Products

torch.manual_seed(0)
slope = torch.randn(4, requires_grad=True)
q, k, v = (torch.randn(2, heads, 64, 16, requires_grad=True) for heads in (4, 2, 2))
grad = torch.randn(2, 4, 64, 16)
keys, values = (each.repeat_interleave(2, 1) for each in (k, v))
far = torch.arange(64)[:, None] - torch.arange(64)
scores = q @ keys.transpose(-2, -1) * 0.25 + slope[None, :, None, None] * far * 0.1
scores = scores.masked_fill(far < 0, -torch.inf)
inputs = q, k, v, slope
wanted = torch.autograd.grad(scores.softmax(-1) @ values, inputs, grad)

def products(*_):
    sums = scores.logsumexp(-1)
    return scores.softmax(-1) @ values, sums / torch.log(torch.tensor(2.0)), sums

def biased(score, b, h, i, j):
    return score + slope[h] * (i - j) * 0.1

out = _Products.apply(products, biased, lambda b, h, i, j: i >= j, 0.25, *inputs)[0]
found = torch.autograd.grad(out, inputs, grad)
assert all(torch.allclose(one, other, atol=1e-4) for one, other in zip(found, wanted))
"""


def test_backward_of_plain_attention_computes_its_gradients() -> None:
    subprocess.run([sys.executable, "-c", PLAIN], check=True)


@needs_simulation
def test_plain_attention_without_gradients_makes_all_scores(tmp_path: Path) -> None:
    text = attends("flex_attention(q.detach(), k.detach(), v.detach())", compiled="")
    arm = simulated(tmp_path, text)
    assert arm.failure is None
    assert arm.peak.bytes > 4 * 4 * 512 * 512 * 4
