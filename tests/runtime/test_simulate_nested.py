"""Nested tensors under simulation: as many bytes as the same script holds in host memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runtime.simulated import needs_simulation, run, simulated
from tests.runtime.support import measure, script

pytestmark = [needs_simulation, pytest.mark.usefixtures("torch_once")]

TRAINING = """
import torch
from torch import nn
from torch.nn import functional as F

device, lengths = "DEVICE", [1000, 300, 700, 2000]
first, last = nn.Linear(256, 512).to(device), nn.Linear(512, 8).to(device)
norm, words = nn.LayerNorm(512).to(device), nn.Embedding(100, 256).to(device)
optimizer = torch.optim.Adam([p for m in (first, last, norm, words) for p in m.parameters()])

def ragged(rows):
    return torch.nested.nested_tensor(rows, layout=torch.jagged, device=device)

def data():
    return ragged([torch.randn(n, 256) for n in lengths])

for step in range(3):
    optimizer.zero_grad()
    BODY
    loss.backward()
    optimizer.step()
"""

BODIES = {
    "values": "loss = last(norm(F.gelu(first(data())))).values().square().mean()",
    "padded": "loss = last(torch.relu(first(data())).to_padded_tensor(0.0)).square().mean()",
    "unbound": "loss = sum(last(part).square().mean() for part in first(data()).unbind())",
    "moved": (
        "ids = ragged([torch.randint(0, 100, (n,)) for n in lengths]).cpu().to(device); "
        "loss = first(words(ids)).values().square().mean()"
    ),
    "offsets": (
        "ends = torch.tensor([0, *lengths], device=device).cumsum(0); "
        "rows = torch.randn(4000, 256, device=device); "
        "x = torch.nested.nested_tensor_from_jagged(rows, ends); "
        "loss = (first(x) + first(x.sin())).values().square().mean()"
    ),
    "narrowed": (
        "rows = torch.randn(4, 2000, 256, device=device); ends = torch.tensor(lengths, device=device); "
        "x = torch.nested.narrow(rows, 1, 0, ends, layout=torch.jagged).contiguous(); "
        "loss = first(x).values().square().mean()"
    ),
    "cast": (
        "x = data()\n"
        "    with torch.autocast(device, dtype=torch.bfloat16): out = last(first(x))\n"
        "    loss = out.values().float().square().mean()"
    ),
}


@pytest.mark.parametrize("what", BODIES)
def test_the_peak_is_the_one_in_host_memory(tmp_path: Path, what: str) -> None:
    text = TRAINING.replace("BODY", BODIES[what])
    there = simulated(tmp_path, text.replace("DEVICE", "cuda"))
    here = measure(script(tmp_path / "here", text.replace("DEVICE", "cpu")), tmp_path / "v", device="cpu")
    assert (there.failure, here.failure) == (None, None)
    # On the CPU the counters of Adam, a number for each parameter, count as well.
    assert there.peak.bytes == pytest.approx(here.peak.bytes, abs=64)
    assert here.peak.bytes > 10 << 20


ATTENTION = """
import torch
from torch.nn import functional as F

def heads():
    rows = [torch.randn(n, 8, 64) for n in (512, 128, 384)]
    made = torch.nested.nested_tensor(rows, layout=torch.jagged, device="cuda", dtype=torch.DTYPE)
    return made.transpose(1, 2).requires_grad_()

q, k, v = heads(), heads(), heads()
before = torch.cuda.memory_allocated()
out = F.scaled_dot_product_attention(q, k, v)
result = 1024 * 8 * 64 * q.dtype.itemsize
kept = torch.cuda.memory_allocated() - before
assert result < kept <= result + LOGSUMEXP + 8192, (kept, result)
out.values().sum().backward()
"""
"""What attention keeps is its result and a sum of exponentials for each row and head: no map of weights."""


@pytest.mark.parametrize(
    ("dtype", "sums"),
    # Flash attention has a sum for each row, memory-efficient attention pads all rows to the longest.
    [("bfloat16", 8 * 1024 * 4), ("float32", 3 * 8 * 512 * 4)],
)
def test_attention_takes_a_fused_kernel(tmp_path: Path, dtype: str, sums: int) -> None:
    text = ATTENTION.replace("DTYPE", dtype).replace("LOGSUMEXP", str(sums))
    assert simulated(tmp_path, text).failure is None


STRIDED = """
import torch
import torch.nn.functional as F
from torch import nn
qkv, norm, rest = nn.Linear(64, 192).cuda(), nn.LayerNorm(64).cuda(), nn.Linear(64, 64).cuda()
rows = [torch.randn(n, 64, device="cuda", requires_grad=True) for n in (100, 200, 300)]
for x in (torch.nested.nested_tensor([row.detach() for row in rows]), torch.nested.as_nested_tensor(rows),
          torch.nested.nested_tensor([torch.randn(n, 64) for n in (100, 200, 300)]).cuda()):
    q, k, v = (t.unflatten(-1, [4, 16]).transpose(1, 2) for t in qkv(norm(x)).chunk(3, dim=-1))
    y = x + rest(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(-2))
    assert [each.shape for each in y.unbind()] == [(100, 64), (200, 64), (300, 64)]
    assert torch.nested.to_padded_tensor(y, 0.0).shape == y.to_padded_tensor(0.0).shape == (3, 300, 64)
    y.to_padded_tensor(0.0).square().mean().backward()
assert all(row.grad.shape == row.shape for row in rows)
"""


def test_the_strided_layout_runs_as_the_jagged_one(tmp_path: Path) -> None:
    arm = simulated(tmp_path, STRIDED)
    assert arm.failure is None
    assert any("simulated as of the jagged one" in note for note in arm.notes)


@pytest.mark.parametrize(
    ("shapes", "line", "said"),
    [
        ("[(2, 4), (3, 5)]", "x = x.cuda()", "cannot be simulated: give layout=torch.jagged"),
        ("[(2, 4), (3, 4)]", "x @ x.transpose(-1, -2)", "cannot be simulated here: matmul()"),
    ],
)
def test_what_the_jagged_layout_has_not_is_named(tmp_path: Path, shapes: str, line: str, said: str) -> None:
    text = f"import torch\nx = torch.nested.nested_tensor([torch.zeros(*s) for s in {shapes}])\n{line}\n"
    found = run(tmp_path, "--device", "simulate", str(script(tmp_path / "home", text)))
    assert found.returncode == 2
    assert "train.py:3: " in found.stderr
    assert said in found.stderr
