"""Scripts that train in a group of processes, on a simulated GPU: this process is one rank of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runtime.simulated import WORKSPACES, needs_simulation, simulated

private = pytest.importorskip("memlint.runtime.simulate.private")
pytestmark = [needs_simulation, pytest.mark.usefixtures("torch_once")]

REPLICATED = """
import os, torch, torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data.distributed import DistributedSampler
os.environ.setdefault("LOCAL_RANK", "0")
backend = "nccl" if dist.is_nccl_available() else "gloo"
dist.init_process_group(backend, rank=0, world_size=WORLD, init_method="env://")
torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
net = DDP(torch.nn.Linear(256, 256, bias=False).cuda(), device_ids=[0])
opt = torch.optim.SGD(net.parameters(), lr=0.1, foreach=True)
data = torch.utils.data.TensorDataset(torch.rand(64, 256))
loader = torch.utils.data.DataLoader(data, 4, sampler=DistributedSampler(data))
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for (x,) in loader:
        opt.zero_grad()
        loss = net(x.cuda()).sum()
        loss.backward()
        opt.step()
    total = loss.detach().clone()
    dist.all_reduce(total)
    dist.barrier()
assert dist.get_rank() == 0 and dist.get_world_size() == WORLD
dist.destroy_process_group()
"""


@pytest.mark.parametrize("world", [1, 4])
def test_a_replicated_model_is_trained_as_one_rank(world: int, tmp_path: Path) -> None:
    if private.fake_store() is None:
        pytest.skip("no group can be imagined with this torch")
    arm = simulated(tmp_path, REPLICATED.replace("WORLD", str(world)))
    assert arm.failure is None
    assert arm.counts["optimizer step"] >= 8
    # The weight, its gradient and the bucket that the gradient is copied into.
    weight = 256 * 256 * 4
    assert 3 * weight <= arm.peak.bytes < 3 * weight + 32_768
    assert 3 * weight <= arm.cuda["allocated_peak"] - WORKSPACES < 3 * weight + 65_536
    said = f"torch.distributed: simulated as one rank of {world}, nothing is sent to others"
    assert any(note.startswith(said) for note in arm.notes)
