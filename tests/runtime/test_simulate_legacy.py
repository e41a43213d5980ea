"""Old ways to make CUDA tensors, on a simulated GPU: torch.cuda.FloatTensor, .type(), default types, comm."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runtime.simulated import WORKSPACES, needs_simulation, simulated

pytestmark = [needs_simulation, pytest.mark.usefixtures("torch_once")]

FORMS = """
import numpy as np, torch
import torch.cuda.comm as comm
from torch.autograd import Variable
Tensor = torch.cuda.FloatTensor if torch.cuda.is_available() else torch.FloatTensor
Long = torch.cuda.LongTensor
x = torch.randn(3)
on_gpu = x.cuda()

for made in (
    Tensor(8, 1), Tensor(torch.Size([8, 1])), Tensor(np.zeros((8, 1))), Tensor([[0.0]] * 8),
    Tensor(size=(8, 1)), Tensor(torch.zeros(8, 1)),
    Variable(Tensor(8, 1).fill_(1.0), requires_grad=False), Tensor(np.int64(8), 1),
    on_gpu.new(8, 1), on_gpu.new_zeros(8, 1), on_gpu.data.new(8, 1).normal_(0, 1),
    Tensor(1).data.resize_(8, 1), torch.zeros(8, 1).type(Tensor),
    torch.zeros(8, 1).type("torch.cuda.FloatTensor"),
):
    assert made.shape == (8, 1) and made.dtype == torch.float32 and made.device == torch.device("cuda", 0)
    assert made.type() == "torch.cuda.FloatTensor" and isinstance(made, Tensor)
    assert not isinstance(made, (Long, torch.FloatTensor))
assert Tensor().shape == (0,) and Tensor(3).shape == (3,)
assert Long(np.array([3, 1])).tolist() == [3, 1] and Tensor([1.5, 2]).tolist() == [1.5, 2]
assert Tensor(3).copy_(x).shape == (3,)
assert not isinstance(x, Tensor) and isinstance(x, torch.FloatTensor)
kinds = "Float Double Half BFloat16 Byte Char Short Int Long Bool".split()
for kind, size in zip(kinds, (4, 8, 2, 2, 1, 1, 2, 4, 8, 1), strict=True):
    made = getattr(torch.cuda, kind + "Tensor")(2)
    assert made.element_size() == size and made.type() == f"torch.cuda.{kind}Tensor"
    assert x.type(getattr(torch.cuda, kind + "Tensor")).dtype == made.dtype
assert on_gpu.type(torch.FloatTensor).device.type == "cpu" and on_gpu.type(torch.float64).is_cuda
assert torch.nn.Linear(2, 2).type(torch.cuda.HalfTensor).weight.dtype == torch.float16
assert Tensor(2, 2).requires_grad_().sum().requires_grad

assert comm.broadcast(on_gpu, [0])[0].is_cuda
assert comm.broadcast_coalesced([on_gpu, on_gpu], [0])[0][1].shape == (3,)
assert comm.scatter(torch.randn(4, 3).cuda(), [0])[0].shape == (4, 3)
assert comm.gather([on_gpu], destination=0).shape == (3,)
assert comm.reduce_add([on_gpu]).shape == (3,)

torch.set_default_tensor_type("torch.cuda.FloatTensor")
for made in (torch.zeros(3), torch.randn(3), torch.tensor([1.0]), torch.nn.Linear(2, 2).weight,
             torch.Tensor(2), torch.Tensor([1, 2]), torch.arange(3)):
    assert made.is_cuda
assert torch.from_numpy(np.zeros(2)).device.type == "cpu"
torch.set_default_tensor_type(torch.cuda.HalfTensor)
assert torch.zeros(3).dtype == torch.float16
torch.set_default_tensor_type(torch.FloatTensor)
assert torch.zeros(3).type() == torch.Tensor(3).type() == "torch.FloatTensor"

number = torch.zeros((), device="cuda")
for made in (torch.Tensor([number, 2.0]), torch.Tensor([[number], [on_gpu[0]]]), Tensor([number, 1])):
    assert made.shape[0] == 2 and made.dtype == torch.float32
assert torch.Tensor([number + 3, number]).tolist() == [3, 0] and not torch.Tensor([number]).is_cuda
torch.set_default_device("cuda")
assert torch.zeros(3).is_cuda and torch.nn.Linear(2, 2).weight.is_cuda
"""


def test_every_old_form_gives_a_tensor_on_the_simulated_gpu(tmp_path: Path) -> None:
    arm = simulated(tmp_path, FORMS)
    assert (arm.failure, arm.stopped) == (None, "the script ended")


GAN = """
import numpy as np, torch
from torch.autograd import Variable
cuda = True if torch.cuda.is_available() else False
G = torch.nn.Sequential(torch.nn.Linear(64, 128, bias=False), torch.nn.Tanh())
D = torch.nn.Sequential(torch.nn.Linear(128, 1, bias=False), torch.nn.Sigmoid())
loss = torch.nn.BCELoss()
if cuda:
    G.cuda()
    D.cuda()
    loss.cuda()
opt_g = torch.optim.SGD(G.parameters(), lr=0.1)
opt_d = torch.optim.SGD(D.parameters(), lr=0.1)
Tensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor
data = torch.utils.data.DataLoader(torch.randn(64, 128), batch_size=16)
for epoch in range(2):
    for i, images in enumerate(data):
        valid = Variable(Tensor(images.shape[0], 1).fill_(1.0), requires_grad=False)
        fake = Variable(Tensor(images.shape[0], 1).fill_(0.0), requires_grad=False)
        real = Variable(images.type(Tensor))
        opt_g.zero_grad()
        z = Variable(Tensor(np.random.normal(0, 1, (images.shape[0], 64))))
        made = G(z)
        g_loss = loss(D(made), valid)
        g_loss.backward()
        opt_g.step()
        opt_d.zero_grad()
        d_loss = (loss(D(real), valid) + loss(D(made.detach()), fake)) / 2
        d_loss.backward()
        opt_d.step()
        print("[Epoch %d] [D loss: %f] [G loss: %f]" % (epoch, d_loss.item(), g_loss.item()))
"""


def test_a_gan_of_the_old_kind_is_trained_with_the_bytes_of_its_shapes(tmp_path: Path) -> None:
    arm = simulated(tmp_path, GAN)
    assert (arm.failure, arm.stopped) == (None, "the script ended")
    weights = (64 * 128 + 128) * 4
    assert arm.kinds["parameter"] == weights
    assert arm.cuda["workspaces"] == WORKSPACES
    assert len(arm.steps) >= 8
    # After a step: weights, gradients, one batch of noise and images, what the generator made and its tanh's
    # gradient is gone; two labels, two losses and what they were made of.
    batch = 16 * (64 + 128 + 128) * 4
    rest = arm.steps[-1].bytes - 2 * weights - batch
    assert 0 < rest <= 12 * 16 * 4 + 8 * 4


SPARSE = """
import torch
places, values = torch.tensor([[0, 1, 1], [2, 0, 2]]), torch.tensor([3.0, 4.0, 5.0])
adjacency = torch.sparse_coo_tensor(places, values, (2, 3)).coalesce().cuda()
old = torch.cuda.sparse.FloatTensor(places.cuda(), values.cuda(), torch.Size([2, 3]))
assert adjacency.is_coalesced() and adjacency.indices().is_cuda and adjacency.to_dense().shape == (2, 3)
assert isinstance(old, torch.cuda.sparse.FloatTensor) and not isinstance(old, torch.cuda.sparse.LongTensor)
weight = torch.nn.Parameter(torch.randn(3, 4, device="cuda"))
graph = torch.sparse_coo_tensor([[0, 9], [9, 0]], [1.0, 1.0], (90000, 90000)).cuda()  # dense it were 32 GB
nodes = torch.nn.Parameter(torch.randn(90000, 2, device="cuda"))
opt = torch.optim.SGD([weight, nodes], 0.1)
for _ in range(3):
    opt.zero_grad()
    loss = torch.spmm(adjacency, weight).sum() + (old @ weight).sum()
    loss = loss + torch.sparse.mm(graph, nodes).sum()
    loss.backward()
    opt.step()
"""


def test_sparse_matrices_are_on_the_gpu_with_their_parts(tmp_path: Path) -> None:
    arm = simulated(tmp_path, SPARSE)
    assert (arm.failure, len(arm.steps)) == (None, 3)
    # Three places of two numbers and three values each.
    assert sum(row.bytes for row in arm.lines if row.line in (3, 4)) == 2 * (3 * 2 * 8 + 3 * 4)


def test_other_layouts_end_the_report_with_their_name(tmp_path: Path) -> None:
    arm = simulated(tmp_path, "import torch\ntorch.eye(3).to_mkldnn().cuda()\n")
    assert arm.failure is not None
    assert "torch._mkldnn cannot be moved to a simulated GPU" in arm.failure.message
