"""What scripts that are public do with torch, on a simulated GPU."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runtime.simulated import needs_simulation, simulated

pytestmark = [needs_simulation, pytest.mark.usefixtures("torch_once")]

SPARSE = """
import torch
words = torch.nn.Embedding(50_000, 64, sparse=True).cuda()
optimizer = torch.optim.SparseAdam(words.parameters())
for step in range(3):
    optimizer.zero_grad()
    words(torch.randint(50_000, (256,), device="cuda")).pow(2).mean().backward()
    assert words.weight.grad._nnz() == 256 and not words.weight.grad.is_coalesced()
    assert words.weight.grad.clone()._nnz() == 256
    optimizer.step()
"""

GRAPH = """
import torch
places = torch.randint(0, 1000, (2, 100_000), device="cuda")
edges = torch.sparse_coo_tensor(places, torch.randn(100_000, device="cuda"), (1000, 1000))
both, less = edges + edges, edges - edges.coalesce()
scaled = [edges * 2, edges / 3, -edges, edges * torch.tensor(0.5, device="cuda")]
assert both._nnz() == 200_000 and not both.is_coalesced() and less.is_sparse
assert all(each.is_sparse and each._nnz() == 100_000 for each in scaled)
"""

ENCODER = """
import torch
layer = torch.nn.TransformerEncoderLayer(64, 4, 128, batch_first=True)
encoder = torch.nn.TransformerEncoder(layer, 2).cuda()
batch, lengths = torch.rand(4, 10, 64).cuda(), torch.tensor([10, 8, 5, 2]).cuda()
padding = torch.arange(10, device="cuda") >= lengths[:, None]
encoder(batch, src_key_padding_mask=padding).mean().backward()
encoder.eval()
with torch.no_grad():
    assert encoder(batch, src_key_padding_mask=padding).shape == (4, 10, 64)
    encoder(torch.rand(4, 10, 64).cuda(), src_key_padding_mask=torch.rand(4, 10, device="cuda") > 0.5)
plain = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(16, 2, batch_first=True), 1).eval()
with torch.no_grad():
    plain(torch.rand(2, 4, 16), src_key_padding_mask=torch.tensor([[False] * 4, [False] * 3 + [True]]))
"""

SPECTRUM = """
import torch
sound = torch.randn(1, 16_384, device="cuda", requires_grad=True)
window = torch.hann_window(1024, device="cuda")
waves = torch.stft(sound, 1024, 256, window=window, return_complex=True)
again = torch.istft(waves * waves.abs().sigmoid(), 1024, 256, window=window)
assert again.shape == (1, 16_384)
(again - sound).abs().mean().backward()
"""

ADAPTIVE = """
import torch
layer = torch.nn.AdaptiveLogSoftmaxWithLoss(64, 6000, [500, 2000]).cuda()
body = torch.nn.Linear(64, 64).cuda()
for words in (torch.randint(0, 6000, (256,)).cuda(), torch.randint(0, 6000, (256,), device="cuda")):
    output, loss = layer(body(torch.rand(256, 64, device="cuda")), words)
    assert output.shape == (256,)
    loss.backward()
try:
    layer(torch.rand(4, 64, device="cuda"), torch.tensor([1, 2, 3, 6000]).cuda())
except RuntimeError as error:
    assert "Target values should be in" in str(error)
else:
    raise AssertionError
"""

TRANSFORMS = """
import torch
from torch.func import functional_call, hessian, jacfwd, jacrev, vmap
net = torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.Tanh(), torch.nn.Linear(32, 1)).cuda()
weights = {name: each.detach() for name, each in net.named_parameters()}
x = torch.rand(64, 8, device="cuda")
def height(weights, row):
    return functional_call(net, weights, (row,)).squeeze()
assert vmap(jacrev(height, 1), (None, 0))(weights, x).shape == (64, 8)
assert vmap(jacfwd(height, 1), (None, 0))(weights, x).shape == (64, 8)
assert vmap(hessian(height, 1), (None, 0))(weights, x).shape == (64, 8, 8)
bends = vmap(hessian(height, 1), (None, 0))(dict(net.named_parameters()), x).diagonal(dim1=-2, dim2=-1)
bends.sum(-1).square().mean().backward()
assert net[0].weight.grad.shape == (32, 8)
jacfwd(jacrev(lambda row: net(row).squeeze()))(x[0]).sum().backward()
"""


@pytest.mark.parametrize("text", [SPARSE, GRAPH, ENCODER, SPECTRUM, ADAPTIVE, TRANSFORMS])
def test_a_script_comes_to_its_end(tmp_path: Path, text: str) -> None:
    arm = simulated(tmp_path, text)
    assert (arm.failure, arm.stopped) == (None, "the script ended")
    assert any("padding" in note for note in arm.notes) == (text is ENCODER)
    assert not any("memlint itself" in note for note in arm.notes)


def test_states_of_sparse_gradients_are_as_large_as_the_weights(tmp_path: Path) -> None:
    """Beside them there are the gradient, coalesced, and what the step works in for these rows."""
    arm = simulated(tmp_path, SPARSE)
    weights, rows = 50_000 * 64 * 4, 256 * 64 * 4
    assert 3 * weights + 2 * rows <= arm.peak.bytes <= 3 * weights + 10 * rows


def test_sums_and_multiples_of_sparse_tensors_hold_their_elements(tmp_path: Path) -> None:
    """Two places of eight bytes and four bytes for each element; the difference takes those of both."""
    arm = simulated(tmp_path, GRAPH)
    elements = 100_000 * (2 * 8 + 4)
    assert 9 * elements <= arm.peak.bytes <= 10 * elements
