"""Operators of a script's own in a simulation: with registered shapes they work, else the error says how."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runtime.simulated import needs_simulation, run, simulated
from tests.runtime.support import script

pytestmark = [needs_simulation, pytest.mark.usefixtures("torch_once")]

torch = pytest.importorskip("torch")
FUSED_NORM = tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 9)

OWN = """
import torch
torch.library.define("mine::twice", "(Tensor x) -> Tensor")

@torch.library.impl("mine::twice", "CUDA")
def twice(x):
    return x * 2
{fake}
net = torch.nn.Linear(64, 64, bias=False).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(1024, 64, device="cuda")
for _ in range(3):
    y = torch.ops.mine.twice(x)
    net(y).sum().backward()
    opt.step()
    opt.zero_grad()
"""

FAKE = """
@torch.library.register_fake("mine::twice")
def _(x):
    return torch.empty_like(x)
"""


def test_an_operator_with_registered_shapes_is_counted(tmp_path: Path) -> None:
    arm = simulated(tmp_path, OWN.format(fake=FAKE))
    assert arm.failure is None
    # The input, its double and the result of the layer.
    assert arm.peak.bytes >= 3 * 1024 * 64 * 4


def test_for_an_operator_without_them_the_error_says_how_to_register_them(tmp_path: Path) -> None:
    script(tmp_path, OWN.format(fake=""), "own.py")
    found = run(tmp_path, "--device", "simulate", "own.py")
    assert found.returncode == 2
    assert "torch.library.register_fake('mine::twice')" in found.stderr
    assert "own.py:" in found.stderr


CUSTOM = """
import torch

@torch.library.custom_op("mine::pairs", mutates_args=()DEVICE)
def pairs(x: torch.Tensor) -> torch.Tensor:
    return torch.cat([x, x])

net = torch.nn.Linear(64, 64, bias=False).cuda()
assert pairs(net(torch.randn(1024, 64, device="cuda")).detach()).shape == (2048, 64)
"""


def test_a_custom_operator_without_a_fake_is_run_for_its_shapes_where_it_can_be(tmp_path: Path) -> None:
    assert simulated(tmp_path / "a", CUSTOM.replace("DEVICE", "")).failure is None
    found = simulated(tmp_path / "b", CUSTOM.replace("DEVICE", ', device_types="cuda"'))
    assert found.failure is not None
    said = "what mine::pairs gives is not known: tell it with torch.library.register_fake('mine::pairs')"
    assert found.failure.message == said


MAPPED = """
import torch
net = torch.nn.Linear(64, 64, bias=False).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(2, 1, 256, 64, device="cuda")
places = torch.arange(256, device="cuda")
for _ in range(3):
    # As transformers makes the masks of attention.
    earlier = torch.vmap(torch.vmap(lambda a, b: b <= a, in_dims=(None, 0)), in_dims=(0, None))
    mask = earlier(places, places)
    out = torch.nn.functional.scaled_dot_product_attention(net(x), x, x, attn_mask=mask)
    per_sample = torch.func.vmap(torch.func.grad(lambda row: (row * row).sum()))(x[0, 0])
    (out.sum() + per_sample.sum()).backward()
    opt.step()
    opt.zero_grad()
"""


def test_functions_mapped_over_tensors_of_known_values_run(tmp_path: Path) -> None:
    arm = simulated(tmp_path, MAPPED)
    assert arm.failure is None
    assert len(arm.steps) == 3
    # The input, and a mask of one byte for each pair of places.
    assert arm.peak.bytes >= 2 * 256 * 64 * 4 + 256 * 256


WHOLE = """
import torch
x = torch.zeros(1024, 1024, device="cuda", requires_grad=True)
opt = torch.optim.SGD([x], lr=0.1)
for _ in range(3):
    y = {function}
    gradient = torch.zeros(1024, 1024, device="cuda")
    y.backward(gradient)
    opt.step()
    opt.zero_grad()
    del y, gradient
"""
FOUR_MIB = 1024 * 1024 * 4


@pytest.mark.parametrize("function", ["silu(x)", "mish(x)", "gelu(x)", "softplus(x)", "hardswish(x)"])
def test_the_backward_of_an_activation_is_one_kernel(tmp_path: Path, function: str) -> None:
    arm = simulated(tmp_path, WHOLE.format(function=f"torch.nn.functional.{function}"))
    assert arm.failure is None
    # What goes in, what comes out, and the gradient of each.
    assert arm.peak.bytes == 4 * FOUR_MIB


@pytest.mark.skipif(not FUSED_NORM, reason="this torch computes RMSNorm from other operators on CUDA too")
def test_rms_norm_is_one_kernel_that_keeps_its_input_and_a_number_for_each_row(tmp_path: Path) -> None:
    arm = simulated(tmp_path, WHOLE.format(function="torch.nn.functional.rms_norm(x, (1024,))"))
    assert arm.failure is None
    assert arm.peak.bytes == 4 * FOUR_MIB + 1024 * 4


AS_ON_A_GPU = """
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention as attend

batch = torch.ones(1000).pin_memory()
buffer = torch.empty(1000, pin_memory=True)
assert batch.is_pinned() and batch[10:].is_pinned() and buffer.is_pinned()
assert not torch.ones(3).is_pinned() and not batch.clone().is_pinned() and not batch.cuda().is_pinned()
del batch, buffer
assert not any(torch.ones(1000).is_pinned() for _ in range(4))

query = torch.zeros(1, 4, 512, 64, device="cuda", dtype=torch.float16)
taken = {}
for kernel in (SDPBackend.MATH, SDPBackend.FLASH_ATTENTION, SDPBackend.CUDNN_ATTENTION):
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    with sdpa_kernel(kernel):
        attend(query, query, query)
    taken[kernel] = torch.cuda.max_memory_allocated() - before
# All products, in half precision; the others make only what they give, and a number for each row.
assert taken[SDPBackend.MATH] > 4 * 512 * 512 * 2
assert taken[SDPBackend.FLASH_ATTENTION] == taken[SDPBackend.CUDNN_ATTENTION] < 4 * 512 * 65 * 4
"""


def test_pinned_memory_and_kernels_of_attention_are_those_of_a_gpu(tmp_path: Path) -> None:
    assert simulated(tmp_path, AS_ON_A_GPU).failure is None


OFFLOADED = """
import torch
x = torch.zeros({rows}, 1 << 20, device="cuda", requires_grad=True)
for _ in range(3):
    with torch.autograd.graph.save_on_cpu(pin_memory=True):
        y = x.exp().square()
    y.sum().backward()
"""


@pytest.mark.parametrize(("rows", "said"), [
    (30, ["256 MiB of pinned host memory: blocks of powers of two, which torch keeps"]),
    (3, []),  # twice 16 MiB, for 12 of them
])  # fmt: skip
def test_pinned_host_memory_is_named_in_blocks_of_powers_of_two(
    tmp_path: Path, rows: int, said: list[str]
) -> None:
    arm = simulated(tmp_path, OFFLOADED.format(rows=rows))
    assert arm.simulation is not None
    assert [term for term in arm.simulation.unknown if "pinned" in term] == said


def test_packages_with_kernels_of_their_own_get_a_stream(tmp_path: Path) -> None:
    text = "import torch\ntorch.ones(3).cuda()\nassert torch._C._cuda_getCurrentRawStream(0) == 0\n"
    assert simulated(tmp_path, text).failure is None


IN_BACKWARD = """
import torch
from torch.utils.checkpoint import checkpoint

net = torch.nn.Linear(64, 64).cuda()
net.weight.register_hook(lambda gradient: gradient * torch.tensor(0.5, device="cuda"))

class Total(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.sum()

    @staticmethod
    def backward(ctx, gradient):
        return torch.tensor([[1.0]], device="cuda").expand(8, 64)

def scaled(x):
    return net(x) * torch.tensor(2.0, device="cuda")

for step in range(3):
    out = checkpoint(scaled, torch.randn(8, 64, device="cuda"), use_reentrant=False)
    Total.apply(out).backward()
"""


def test_tensors_of_numbers_are_made_on_the_gpu_in_backward_too(tmp_path: Path) -> None:
    """Backward runs in a thread of its own, and torch keeps for each thread where such tensors are made."""
    assert simulated(tmp_path, IN_BACKWARD).failure is None


AFTER_INFERENCE = """
import torch

@torch.inference_mode()
def evaluate():
    return torch.randn(4, device="cuda").sum(), torch.randn(4, 3, device="cuda")

score, rows = evaluate()
assert float(score) == score.item() == 1.0
assert rows.reshape(12).shape == (12,) and rows.flatten().contiguous().to("cpu").shape == (12,)
assert rows.matmul(rows.T).shape == torch.nn.functional.linear(rows, rows).shape == (4, 4)
"""


def test_tensors_of_inference_mode_are_read_as_others_after_it(tmp_path: Path) -> None:
    """Autograd leaves operations on them whole: `item` was run on numbers that were made up."""
    arm = simulated(tmp_path, AFTER_INFERENCE)
    assert arm.failure is None
    assert arm.simulation is not None
    assert not any("made-up" in row.what for row in arm.simulation.invented)
