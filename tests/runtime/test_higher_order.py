"""Operators that are given functions: they run under a replay as they do without, and are seen."""

from __future__ import annotations

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


TRAINED = """
import torch
from torch.nn.attention import flex_attention as flex

flex._validate_device = lambda *arguments: None  # trains on the CPU as well: torch refuses that
slope = torch.nn.Parameter(torch.zeros(4, device="cuda"))
table = torch.nn.Parameter(torch.zeros(255, device="cuda"))
qkv = torch.nn.Linear(64, 192).cuda()
optimizer = torch.optim.SGD([*qkv.parameters(), slope, table], lr=0.1)
mask = flex.create_block_mask(lambda b, h, q, k: q >= k, None, None, 128, 128, device="cuda")

def sloped(score, b, h, q, k):
    return score + slope[h]

def looked_up(score, b, h, q, k):
    return score + table[q - k + 127]

for step in range(3):
    x = torch.randn(4, 128, 64, device="cuda")
    q, k, v = qkv(x).view(4, 128, 3, 4, 16).permute(2, 0, 3, 1, 4)
    loss = flex.flex_attention(ATTENDS).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@needs_simulation
@pytest.mark.parametrize(
    "arguments",
    [
        "q, k, v, block_mask=mask",
        "q, k, v, score_mod=sloped",
        "q, k, v, score_mod=lambda s, b, h, i, j: 20 * torch.tanh(s / 20)",
        "q, k[:, :2], v[:, :2], score_mod=looked_up, block_mask=mask, enable_gqa=True",
    ],
)
def test_training_through_plain_attention_takes_what_it_takes_on_the_cpu(
    tmp_path: Path, arguments: str
) -> None:
    text = TRAINED.replace("ATTENDS", arguments)
    gpu = simulated(tmp_path / "gpu", text)
    on_cpu = text.replace(', device="cuda"', "").replace(".cuda()", "")
    cpu = measure(script(tmp_path / "home", on_cpu), tmp_path / "cpu")
    assert (gpu.failure, cpu.failure, len(gpu.steps), len(cpu.steps)) == (None, None, 3, 3)
    assert abs(gpu.peak.bytes - cpu.peak.bytes) < 200
    assert cpu.peak.phase == gpu.peak.phase == "backward"


def test_a_backward_that_is_traced_is_traced_as_without_a_replay(tmp_path: Path) -> None:
    """Reading the loss would be noted as an operation of the program, or refused."""
    text = TRAINING.replace("IMPORT", TRACED).replace("LINE", "y = x; traced()")
    arm = measure(script(tmp_path / "home", text), tmp_path / "w")
    assert (arm.failure, len(arm.steps), arm.notes) == (None, 3, ())


TRACED = """
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

def slope(x):
    x = x.detach().requires_grad_()
    with torch.enable_grad():
        return torch.autograd.grad(x.sin().sum(), x)[0]

def traced():
    with FakeTensorMode():
        shaped = torch.empty(())
    graph = make_fx(slope)(shaped).graph
    assert not any("local_scalar" in str(node.target) for node in graph.nodes), graph
"""


@needs_simulation
def test_plain_attention_without_gradients_makes_all_scores(tmp_path: Path) -> None:
    text = attends("flex_attention(q.detach(), k.detach(), v.detach())", compiled="")
    arm = simulated(tmp_path, text)
    assert arm.failure is None
    assert arm.peak.bytes > 4 * 4 * 512 * 512 * 4
