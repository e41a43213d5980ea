"""Sparse matrices of compressed layouts on the simulated GPU, and sparse tensors back on the host."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runtime.simulated import needs_simulation, simulated

pytestmark = [needs_simulation, pytest.mark.usefixtures("torch_once")]

CONVOLUTIONS = """
import torch
from torch import nn

nodes, edges = 4096, 50_000
places = torch.randint(0, nodes, (2, edges))
adjacency = torch.sparse_coo_tensor(places, torch.ones(edges), (nodes, nodes)).to_sparse_csr().cuda()


class Layer(nn.Module):
    def __init__(self, taken, given):
        super().__init__()
        self.linear = nn.Linear(taken, given, bias=False)

    def forward(self, x):
        return PRODUCT


net = nn.Sequential(Layer(64, 32), nn.ReLU(), Layer(32, 8)).cuda()
x, y = torch.randn(nodes, 64).cuda(), torch.randint(0, 8, (nodes,)).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
found = adjacency._nnz()
assert adjacency.layout is torch.sparse_csr and adjacency.crow_indices().shape == (nodes + 1,)
assert adjacency.values().shape == adjacency.col_indices().shape == (found,), found
"""


@pytest.mark.parametrize(
    "product",
    [
        "adjacency @ self.linear(x)",
        "torch.sparse.mm(adjacency, self.linear(x))",
        "torch.addmm(x.new_zeros(nodes, 1), adjacency, self.linear(x))",
        "torch.sparse_csr_tensor(adjacency.crow_indices(), adjacency.col_indices(), adjacency.values(), "
        "(nodes, nodes)) @ self.linear(x)",
    ],
)
def test_a_graph_in_csr_trains_and_holds_its_three_parts(tmp_path: Path, product: str) -> None:
    arm = simulated(tmp_path, CONVOLUTIONS.replace("PRODUCT", product))
    assert (arm.failure, len(arm.steps)) == (None, 4)
    (held,) = {row.bytes for row in arm.lines if row.line == 6}
    # Where the rows begin, and for each element its column and value; the same place twice counts once.
    elements = (held - 8 * 4097) / (8 + 4)
    assert elements == int(elements)
    assert 49_000 < elements <= 50_000


MANY = """
import torch
eye = torch.eye(16)
x = torch.randn(16, 8, device="cuda", requires_grad=True)
for matrix in (eye.to_sparse_csr().cuda(), eye.to_sparse_csc().cuda(), eye.cuda().to_sparse_csr(),
               eye.to_sparse().cuda().to_sparse_csr(), eye.to_sparse_bsr((4, 4)).cuda()):
    assert matrix.is_cuda and matrix.shape == (16, 16)
    assert matrix.to_dense().shape == (16, 16) and matrix.to_dense().layout is torch.strided
    for same in (matrix.double(), matrix.clone(), matrix.detach(), matrix * 2, -matrix):
        assert same.layout is matrix.layout and same._nnz() == matrix._nnz(), same
    host = matrix.cpu()
    assert (host.device.type, host.layout, host._nnz()) == ("cpu", matrix.layout, matrix._nnz())
    assert (matrix @ x).shape == (16, 8)
csr = eye.to_sparse_csr().cuda()
assert csr.t().layout is torch.sparse_csc
assert (x.t() @ csr).shape == (8, 16) and (csr @ x[:, 0]).shape == (16,)
assert csr.to_sparse_coo()._nnz() == torch.sparse.sampled_addmm(csr, x, x.t())._nnz() == 16
weights = torch.ones(16, device="cuda", requires_grad=True)
begins, within = csr.crow_indices(), csr.col_indices()
(torch.sparse_csr_tensor(begins, within, weights, (16, 16)) @ x).sum().backward()
assert weights.grad.shape == (16,) and x.grad.shape == (16, 8)
assert torch.sparse_csr_tensor([0, 1, 2], [0, 1], [1.0, 2.0], (2, 2), device="cuda").is_cuda
assert eye.cuda().to_sparse_csr()._nnz() == eye.cuda().to_sparse()._nnz() == 16
assert csr.sum().shape == () and eye.to_sparse().cuda().sum().shape == ()
"""


def test_what_is_done_with_compressed_matrices(tmp_path: Path) -> None:
    arm = simulated(tmp_path, MANY)
    assert arm.failure is None
    assert not any("not followed" in note for note in arm.notes)


BACK = """
import torch
scores = torch.sparse_coo_tensor([[0, 9], [9, 0]], [1.0, 1.0], (90000, 90000)).cuda()  # dense it were 32 GB
rows = torch.sparse.softmax(scores, 1)
assert rows.layout is torch.sparse_coo and rows._nnz() == 2
host, csr = scores.cpu(), scores.to_sparse_csr().cpu()
assert host.layout is torch.sparse_coo and host._nnz() == csr._nnz() == 2 and csr.shape == (90000, 90000)
"""


def test_sparse_tensors_come_back_to_the_host_as_such(tmp_path: Path) -> None:
    assert simulated(tmp_path, BACK).failure is None


TWO = """
import torch
i = torch.randint(0, 1000, (2, 8000))
coo = torch.sparse_coo_tensor(i, torch.ones(8000), (1000, 1000)).cuda()
wide = torch.sparse_coo_tensor(i, torch.ones(8000), (1000, 5000)).cuda()
csr, csc = coo.to_sparse_csr(), coo.to_sparse_csc()
assert (csr @ csc).layout is (csc @ csr).layout is torch.sparse_csr
for m, other in ((coo, wide), (csr, wide.to_sparse_csr()), (csc, wide.to_sparse_csc())):
    for product in (m @ other, torch.sparse.mm(m, other)):
        assert product.layout is m.layout and product.shape == (1000, 5000), product.layout
        assert product._nnz() == 64000  # each of 8,000 meets 8
        assert (product.t() @ torch.zeros(1000, 2, device="cuda")).shape == (5000, 2)
assert (torch.eye(3).cuda().to_sparse_csr() @ torch.ones(3, 3).cuda().to_sparse_csr())._nnz() == 9
weights = torch.ones(8000, device="cuda", requires_grad=True)
torch.sparse.mm(torch.sparse_coo_tensor(i.cuda(), weights, (1000, 1000)), coo).values().sum().backward()
assert weights.grad.shape == (8000,)
"""


def test_the_product_of_two_has_as_many_elements_as_if_they_lay_evenly(tmp_path: Path) -> None:
    arm = simulated(tmp_path, TWO)
    assert (arm.failure, [note for note in arm.notes if "not followed" in note]) == (None, [])
    assert arm.simulation is not None
    assert any("a product of two sparse matrices" in row.what for row in arm.simulation.invented)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("torch.eye(4).to_sparse_bsr((2, 2)).cuda() @ torch.eye(4).to_sparse_csr().cuda()", "in blocks"),
        ("torch.sparse_csr_tensor(m.crow_indices(), m.col_indices(), m.values())", "give its size"),
    ],
)
def test_what_values_decide_ends_the_report_in_words(tmp_path: Path, line: str, told: str) -> None:
    arm = simulated(tmp_path, f"import torch\nm = torch.eye(3).to_sparse_csr().cuda()\n{line}\n")
    assert arm.failure is not None
    assert told in arm.failure.message
