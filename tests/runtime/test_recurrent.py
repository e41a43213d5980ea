"""Recurrent layers as cuDNN takes them: what an H200 with torch 2.11 and cuDNN 9.19 took, in bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlint.runtime.parent.arms import Request, run
from tests.runtime.simulated import needs_simulation, simulated
from tests.runtime.support import needs_torch, script, target

pytestmark = [needs_torch]

MEASURED = [
    # kind; input, width, layers, directions, sequences, steps; bytes of a number; weights, kept, worked in
    ("lstm", (512, 512, 1, 1, 64, 120), 4, 8404992, 78643456, 112853760),
    ("lstm", (512, 512, 1, 1, 64, 120), 2, 4202496, 39321856, 186254080),
    ("lstm", (512, 1024, 1, 1, 64, 120), 4, 25198592, 157286656, 209715968),
    ("lstm", (512, 512, 2, 2, 64, 120), 4, 42008576, 346030336, 318767872),
    ("lstm", (650, 650, 2, 1, 20, 35), 4, 27081600, 20020256, 55985632),
    ("lstm", (1500, 1500, 2, 1, 20, 35), 2, 72048000, 23100256, 102817632),
    ("gru", (512, 512, 1, 1, 64, 120), 4, 6303744, 94372096, 109839104),
    ("gru", (1500, 1500, 2, 1, 20, 35), 4, 108072000, 54600256, 149137632),
    ("rnn_tanh", (512, 512, 1, 1, 64, 240), 2, 1050624, 15728896, 245826304),
    ("rnn_relu", (650, 650, 2, 1, 20, 35), 4, 6770400, 5460256, 34093632),
]


@pytest.mark.parametrize(("name", "sizes", "itemsize", "weights", "kept", "took"), MEASURED)
def test_layers_take_what_an_h200_took(
    name: str, sizes: tuple[int, ...], itemsize: int, weights: int, kept: int, took: int
) -> None:
    from memlint.runtime.simulate.patches.recurrent import KINDS, Layers

    inputs, width, layers, directions, batch, steps = sizes
    shape = Layers(
        kind=KINDS[name],
        rows=batch * steps,
        batch=batch,
        inputs=inputs,
        width=width,
        layers=layers,
        directions=directions,
        itemsize=itemsize,
        dropout=False,
        half=itemsize == 2,
        weights=weights,
        turned=False,
    )
    assert shape.reserved() == kept
    assert shape.worked_in(training=True) == pytest.approx(took, rel=0.1)


@pytest.mark.parametrize(
    ("rows", "layers", "directions", "weights", "took"),
    [(5664, 1, 1, 8404992, 63963392), (5750, 2, 2, 42008576, 221004032)],
)
def test_packed_sequences_take_what_an_h200_took(
    rows: int, layers: int, directions: int, weights: int, took: int
) -> None:
    """cuDNN does not pack them again."""
    from memlint.runtime.simulate.patches.recurrent import KINDS, Layers

    shape = Layers(
        kind=KINDS["lstm"],
        rows=rows,
        batch=64,
        inputs=512,
        width=512,
        layers=layers,
        directions=directions,
        itemsize=4,
        dropout=False,
        half=False,
        weights=weights,
        packed=True,
    )
    assert shape.worked_in(training=True) == pytest.approx(took, rel=0.003)


LAID_OUT = """
import torch, torch.nn as nn
net, head = nn.LSTM(64, 128, 2, batch_first=True, dropout=0.1).cuda(), nn.Linear(128, 10).cuda()
buffers = {weight.untyped_storage().data_ptr() for weight in net.parameters()}
assert len(buffers) == 1, buffers
out, _ = net(torch.zeros(16, 32, 64, device="cuda"))
assert out.stride() == (128, 16 * 128, 1), out.stride()
before = torch.cuda.memory_allocated()
net(torch.zeros(16, 32, 64, device="cuda"))
assert torch.cuda.memory_allocated() == before
head(out).sum().backward()
assert len({weight.grad.untyped_storage().data_ptr() for weight in net.parameters()}) == 1
"""


@needs_simulation
def test_layers_are_laid_out_as_cudnn_wants_them(tmp_path: Path) -> None:
    """Weights and their gradients in one buffer, steps before sequences: a product after it takes a copy."""
    arm = simulated(tmp_path, LAID_OUT)
    assert arm.failure is None, arm.failure


TRAINED = """
import torch, torch.nn as nn
net = nn.{kind}.cuda(){cast}
opt = torch.optim.SGD(net.parameters(), 0.1)
x = torch.randn(40, 8, 16, device="cuda"){cast}
for _ in range(3):
    out, last = net(x)
    assert out.shape == (40, 8, {width}), out.shape
    out.float().sum().backward()
    assert all(p.grad is not None and p.grad.shape == p.shape for p in net.parameters())
    opt.step()
    opt.zero_grad()
with torch.no_grad():
    out, last = net.eval()(x)
print("done", tuple(last[0].shape))
"""


@needs_simulation
@pytest.mark.parametrize(
    ("kind", "cast", "width", "last"),
    [
        ("LSTM(16, 32, 2)", "", 32, (2, 8, 32)),
        ("LSTM(16, 32, 2, bidirectional=True, dropout=0.1)", ".half()", 64, (4, 8, 32)),
        ("GRU(16, 32, batch_first=True)", ".bfloat16()", 32, (40, 32)),
        ("RNN(16, 32, nonlinearity='relu', bias=False)", "", 32, (8, 32)),
        ("LSTM(16, 32, proj_size=8)", "", 8, (1, 8, 8)),
    ],
)
def test_every_kind_trains_and_is_evaluated(
    tmp_path: Path, kind: str, cast: str, width: int, last: tuple[int, ...]
) -> None:
    path = script(tmp_path / "home", TRAINED.format(kind=kind, cast=cast, width=width))
    found = run(target(path, device="simulate"), Request("arm", "arm"), tmp_path / "w", lambda steps: None)
    assert found.arm is not None, found.problem + found.stderr
    assert found.arm.failure is None, found.arm.failure
    assert found.stdout == f"done {last}\n"
    assert found.arm.optimizers == 1


PACKED = """
import torch, torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
net = nn.LSTM(16, 32, batch_first=True).cuda()
x = torch.randn(4, 50, 16, device="cuda")
packed = pack_padded_sequence(x, torch.tensor([50, 30, 20, 10]), batch_first=True)
out, _ = net(packed)
assert out.data.shape == (110, 32)
whole, lengths = pad_packed_sequence(out, batch_first=True)
whole.sum().backward()
assert lengths.tolist() == [50, 30, 20, 10]
assert net.weight_hh_l0.grad is not None
"""


@needs_simulation
def test_padding_of_packed_sequences_takes_nothing(tmp_path: Path) -> None:
    arm = simulated(tmp_path, PACKED)
    assert arm.failure is None, arm.failure


AUTOCAST = """
import torch, torch.nn as nn
net = nn.LSTM(256, 256).cuda()
x = torch.randn(50, 64, 256, device="cuda")
with torch.autocast("cuda", dtype=torch.{dtype}):
    out, _ = net(x)
assert out.dtype is torch.{dtype}
out.float().sum().backward()
assert net.weight_hh_l0.grad.dtype is torch.float32
"""


@needs_simulation
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_autocast_takes_layers_in_half_precision(tmp_path: Path, dtype: str) -> None:
    arm = simulated(tmp_path, AUTOCAST.format(dtype=dtype))
    assert arm.failure is None, arm.failure


KEPT = """
import torch, torch.nn as nn
class Halved(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        mask = x > 0
        ctx.save_for_backward(mask)
        return x * mask / 2
    @staticmethod
    def backward(ctx, gradient):
        return gradient * ctx.saved_tensors[0] / 2
net, head = nn.LSTM(64, 128).cuda(), nn.Linear(128, 8192).cuda()
opt = torch.optim.SGD(net.parameters(), 0.1)
for _ in range(3):
    out, _ = net(torch.randn(40, 16, 64, device="cuda"))
    loss = Halved.apply(head(out)).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


@needs_simulation
def test_what_a_function_of_its_own_keeps_for_backward_are_activations(tmp_path: Path) -> None:
    """Its forward runs without a graph, so that nothing in it looks recorded."""
    arm = simulated(tmp_path, KEPT)
    rows = 40 * 16
    (net,) = (row for row in arm.tree if row.kind == "LSTM")
    kept, masks, halved = 5 * rows * 128 * 4 + 256, rows * 8192, rows * 8192 * 4
    assert net.activations >= kept + rows * 128 * 4
    assert arm.kinds["activation"] >= net.activations + masks + halved
    assert "other" not in arm.kinds
