"""What `torch.use_deterministic_algorithms(True)` refuses on a GPU is refused in a simulation."""

from __future__ import annotations

import pytest

from memlint.session import Arm
from tests.runtime.simulated import needs_simulation, simulated
from tests.runtime.support import needs_torch

pytestmark = [needs_torch, needs_simulation]

SCRIPT = """
import torch, torch.nn.functional as F
x = torch.randn(4, 8, 32, 32, device="cuda", requires_grad=True)
words = torch.zeros(8, 4, dtype=torch.long, device="cuda")
table = torch.randn(100, 8, device="cuda", requires_grad=True)
labels = torch.zeros(4, 32, 32, dtype=torch.long, device="cuda")
lengths = torch.full((4,), 20), torch.full((4,), 3)
logits = torch.randn(20, 4, 10, device="cuda", requires_grad=True)
REFUSED = {
    "adaptive_avg_pool2d_backward_cuda": lambda: F.adaptive_avg_pool2d(x, 7).sum().backward(),
    "adaptive_max_pool2d_backward_cuda": lambda: F.adaptive_max_pool2d(x, 7).sum().backward(),
    "reflection_pad2d_backward_cuda": lambda: F.pad(x, (1, 1, 1, 1), mode="reflect").sum().backward(),
    "grid_sampler_2d_backward_cuda": lambda: F.grid_sample(x, labels[..., None].float()
                                                           .expand(-1, -1, -1, 2)).sum().backward(),
    "nll_loss2d_forward_out_cuda_template": lambda: F.cross_entropy(x, labels),
    "ctc_loss_backward_gpu": lambda: F.ctc_loss(logits.log_softmax(2), words[:4, :3], *lengths).backward(),
    "embedding_bag_backward_cuda_max": lambda: F.embedding_bag(words, table, mode="max").sum().backward(),
    "cumsum_cuda_kernel": lambda: x.cumsum(0),
}
TAKEN = [
    lambda: F.adaptive_avg_pool2d(x, 1).sum().backward(),
    lambda: F.interpolate(x, scale_factor=2, mode="bilinear").sum().backward(),
    lambda: F.cross_entropy(x, labels, reduction="none").sum().backward(),
    lambda: F.embedding_bag(words, table).sum().backward(),
    lambda: F.conv2d(x, torch.randn(4, 8, 3, 3, device="cuda")).sum().backward(),
    lambda: labels.cumsum(1),
    lambda: words.bincount() if words.dim() == 1 else words.flatten().bincount(),
]
def refused(call):
    try:
        call()
    except RuntimeError as error:
        return str(error).split(" does not have a deterministic implementation")[0]
for call in [*REFUSED.values(), *TAKEN]:
    assert refused(call) is None
torch.use_deterministic_algorithms(True)
for name, call in REFUSED.items():
    assert refused(call) == name, (name, refused(call))
for call in TAKEN:
    assert refused(call) is None, refused(call)
table[words.flatten()].sum().backward()
torch.zeros(100, device="cuda").index_add_(0, words.flatten(), torch.ones(32, device="cuda"))
torch.use_deterministic_algorithms(True, warn_only=True)
for call in REFUSED.values():
    assert refused(call) is None
"""


@pytest.fixture(scope="module")
def arm(tmp_path_factory: pytest.TempPathFactory) -> Arm:
    return simulated(tmp_path_factory.mktemp("deterministic"), SCRIPT)


def test_what_has_no_deterministic_kernel_raises_as_on_a_gpu(arm: Arm) -> None:
    assert arm.failure is None


def test_that_indices_are_sorted_then_is_named(arm: Arm) -> None:
    assert arm.simulation is not None
    assert any("deterministic algorithms sort" in term for term in arm.simulation.unknown)
