"""CUDA graphs under simulation: captured once, with a pool of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runtime.simulated import MIB, WORKSPACES, needs_simulation, simulated

pytestmark = [needs_simulation, pytest.mark.usefixtures("torch_once")]

POOLS = """
import torch
reserved, empty, MIB = torch.cuda.memory_reserved, torch.cuda.empty_cache, 1 << 20

def work(mib=64):
    return torch.empty(mib * MIB, dtype=torch.uint8, device="cuda").sum()

graph, second, other = (torch.cuda.CUDAGraph() for _ in range(3))
work()
assert reserved() == 66 * MIB
with torch.cuda.graph(graph):  # empties the cache, but for the sum
    assert torch.cuda.is_current_stream_capturing()
    out = work()
    work()
held = reserved()
assert 66 * MIB <= held <= 68 * MIB and not torch.cuda.is_current_stream_capturing()
for _ in range(3):
    graph.replay()
work()
assert reserved() >= held + 64 * MIB, "what a graph works in is for no others"
empty()
assert held - 2 * MIB <= reserved() <= held, "and is not given back"
with torch.cuda.graph(second, pool=graph.pool()):
    work()
assert reserved() <= held
with torch.cuda.graph(other, pool=torch.cuda.graph_pool_handle()):
    work()
assert reserved() >= held + 64 * MIB
"""


def test_what_is_captured_has_a_pool_of_its_own(tmp_path: Path) -> None:
    arm = simulated(tmp_path, POOLS)
    assert (arm.failure, arm.stopped) == (None, "the script ended")
    assert any(note.startswith("CUDA graphs: ") for note in arm.notes)


WHOLE = """
import torch
from torch import nn

first, last = (nn.Linear(2048, 2048, bias=False) for _ in range(2))
net = nn.Sequential(first, nn.Dropout(0.1), last).cuda()
optimizer = torch.optim.KIND
given, wanted = torch.randn(512, 2048, device="cuda"), torch.randn(512, 2048, device="cuda")
side = torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())

def step():
    optimizer.zero_grad(set_to_none=True)
    loss = nn.functional.mse_loss(net(given), wanted)
    loss.backward()
    optimizer.step()
    return loss

with torch.cuda.stream(side):
    for _ in range(3):
        step()
torch.cuda.current_stream().wait_stream(side)
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    loss = step()
for _ in range(50):
    given.copy_(torch.randn(512, 2048))
    graph.replay()
    print(loss.item())
"""


def test_a_whole_step_is_captured(tmp_path: Path) -> None:
    arm = simulated(tmp_path, WHOLE.replace("KIND", "SGD(net.parameters(), lr=0.1)"))
    assert (arm.failure, arm.stopped) == (None, "the script ended")
    assert len(arm.steps) == 4
    # Weights, gradients twice for a moment of 16 MiB, inputs, and for each stream workspaces of two threads.
    assert 2 * 32 * MIB <= arm.cuda["reserved_peak"] - 2 * WORKSPACES <= 160 * MIB


@pytest.mark.parametrize(("capturable", "fails"), [("True", False), ("False", True)])
def test_what_cannot_be_captured_fails_as_on_a_gpu(tmp_path: Path, capturable: str, fails: bool) -> None:
    kind = f"Adam(net.parameters(), capturable={capturable})"
    arm = simulated(tmp_path, WHOLE.replace("KIND", kind))
    assert (arm.failure is not None) == fails
    if arm.failure is not None:
        assert "capturable is False" in arm.failure.message


CALLABLES = """
import torch
from torch import nn

def block():
    return nn.Sequential(nn.Linear(1024, 1024), nn.GELU()).cuda()

first, second = block(), block()
optimizer = torch.optim.AdamW([*first.parameters(), *second.parameters()])
x = torch.randn(512, 1024, device="cuda")
first, second = torch.cuda.make_graphed_callables((first, second), ((x,), (x.clone().requires_grad_(),)))
for _ in range(40):
    loss = second(first(torch.randn(512, 1024).cuda())).pow(2).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
"""


def test_callables_with_graphs_train(tmp_path: Path) -> None:
    arm = simulated(tmp_path, CALLABLES)
    assert arm.failure is None
    assert len(arm.steps) > 2
