"""Ranks that are imagined: what each of them keeps in DDP, FSDP, tensor and pipeline parallel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memlint.session import Arm
from tests.runtime.simulated import MIB, MLP, needs_simulation, simulated
from tests.runtime.support import line_of, memlint, script

private = pytest.importorskip("memlint.runtime.simulate.private")
pytestmark = [
    needs_simulation,
    pytest.mark.usefixtures("torch_once"),
    pytest.mark.skipif(private.fake_store() is None, reason="no group can be imagined with this torch"),
]

START = """
import os, torch, torch.nn as nn, torch.distributed as dist
dist.init_process_group("nccl")
rank, local = dist.get_rank(), int(os.environ["LOCAL_RANK"])
world = dist.get_world_size()
assert torch.cuda.device_count() == int(os.environ["LOCAL_WORLD_SIZE"]), torch.cuda.device_count()
torch.cuda.set_device(local)
device = torch.device("cuda", local)
class Block(nn.Module):  # 2 MiB
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(256, 1024, bias=False), nn.Linear(1024, 256, bias=False)
    def forward(self, x):
        return x + self.down(torch.relu(self.up(x)))
"""

TRAIN = """
for _ in range(7):
    x = torch.randn(4, 256, device=device)
    opt.zero_grad()
    net(x).sum().backward()
    opt.step()
"""

DDP = (
    START
    + """
from torch.nn.parallel import DistributedDataParallel
net = nn.Sequential(*[Block() for _ in range(6)]).to(device)
net = DistributedDataParallel(net, device_ids=[local], bucket_cap_mb=4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
"""
    + TRAIN
)

FSDP = (
    START
    + """
from torch.distributed.fsdp import fully_shard
with torch.device("meta"):
    net = nn.Sequential(*[Block() for _ in range(4)])
for block in net:
    fully_shard(block)
fully_shard(net)
net.to_empty(device="cuda")
opt = torch.optim.SGD(net.parameters(), lr=0.1, foreach=True)
"""
    + TRAIN
)

FSDP1 = (
    START
    + """
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
net = FSDP(nn.Sequential(*[FSDP(Block(), device_id=local) for _ in range(4)]), device_id=local)
opt = torch.optim.AdamW(net.parameters(), lr=0.1)
"""
    + TRAIN
)

TENSOR = (
    START.replace(
        'dist.init_process_group("nccl")',
        """
from torch.distributed.device_mesh import init_device_mesh
mesh = init_device_mesh("cuda", (int(os.environ["WORLD_SIZE"]),))
""",
    )
    + """
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
net = nn.Sequential(*[Block() for _ in range(4)]).cuda()
for block in net:
    parallelize_module(block, mesh, {"up": ColwiseParallel(), "down": RowwiseParallel()})
opt = torch.optim.AdamW(net.parameters(), lr=0.1)
"""
    + TRAIN
)

PIPELINE = (
    START
    + """
from torch.distributed.pipelining import PipelineStage, Schedule1F1B
net = nn.Sequential(*[nn.Sequential(nn.Linear(64, 64, bias=False), nn.ReLU()) for _ in range(4)]).to(device)
stage = PipelineStage(net, rank, world, device)
schedule = Schedule1F1B(stage, n_microbatches=8, loss_fn=lambda out, y: (out - y).pow(2).mean())
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(8 * 1024, 64, device=device), torch.randn(8 * 1024, 64, device=device)
for _ in range(7):
    opt.zero_grad()
    if rank == 0:
        schedule.step(x)
    elif rank == world - 1:
        schedule.step(target=y)
    else:
        schedule.step()
    opt.step()
"""
)

OBJECTS = (
    START
    + """
told = [{"rank": rank}]
dist.broadcast_object_list(told, src=0)
assert told == [{"rank": 0}], told
found = [None] * world
dist.all_gather_object(found, world)
assert found == [world] * world
dist.new_group(backend="gloo")
t = torch.ones(1 << 20, device=device)
dist.all_reduce(t)
"""
)


def ranks(folder: Path, text: str, per_node: int, nodes: int = 1, **changes: Any) -> Arm:
    arm = simulated(folder, text, ranks=per_node, nodes=nodes, **changes)
    assert arm.failure is None, arm.failure
    assert arm.simulation is not None
    assert arm.simulation.world == per_node * nodes
    return arm


def test_buckets_of_gradients_are_made_as_on_a_gpu(tmp_path: Path) -> None:
    arm = ranks(tmp_path, DDP, 8)
    assert arm.simulation is not None
    # 12 weights of 1 MiB: a bucket is closed once it has 4 MiB, so there are three.
    assert "gradients of DistributedDataParallel: 3 buckets, 12 MiB in all" in arm.simulation.buffers
    # At the peak there are the weights, their gradients, and the buckets that these were copied into.
    assert 36 * MIB <= arm.peak.bytes < 37 * MIB
    assert arm.kinds["parameter"] == 12 * MIB
    assert arm.kinds["gradient"] == 24 * MIB
    assert arm.simulation.communicators == 1
    # All are alike: rank 0 stands for them.
    assert [row.rank for row in arm.ranks] == [0, 7]
    assert arm.rank == 0
    assert "ranks 0 and 7 of 8 were simulated and take the same memory" in arm.notes
    assert any(text.startswith("buffers of NCCL for 1 communicator: at most 1.875 GiB") for text in
               arm.simulation.unknown)  # fmt: skip


@pytest.mark.parametrize("nodes", [1, 2])
def test_a_sharded_model_gathers_one_block_after_the_other(nodes: int, tmp_path: Path) -> None:
    world = 4 * nodes
    arm = ranks(tmp_path, FSDP, 4, nodes)
    assert arm.simulation is not None
    block = 2 * MIB
    shard = block // world
    # In the backward pass of the second block: its weights, what is gathered for the first, its gradients,
    # and the third's, which wait to be scattered; all shards, and the gradients of the last two.
    derived = 4 * block + 4 * shard + 2 * shard
    assert derived <= arm.peak.bytes < derived + 256 * 1024
    assert arm.peak.phase == "backward"
    assert arm.kinds["parameter"] == 4 * shard
    assert "largest buffer of allgather: 2 MiB" in arm.simulation.buffers
    assert "largest buffer of reduce_scatter: 2 MiB" in arm.simulation.buffers
    # Steps that repeat others to the last block are left out.
    assert 3 <= len(arm.steps) < 7
    # Between steps: the shards and their gradients.
    assert 8 * shard <= arm.steps[-1].bytes < 8 * shard + 64 * 1024


def test_one_rank_shards_nothing(tmp_path: Path) -> None:
    arm = ranks(tmp_path, FSDP, 1)
    assert arm.kinds["parameter"] == 8 * MIB
    assert 16 * MIB <= arm.steps[-1].bytes < 16 * MIB + 64 * 1024
    assert [row.rank for row in arm.ranks] == [0]


@pytest.mark.parametrize("text", [FSDP1, TENSOR], ids=["fsdp1", "tensor"])
def test_a_rank_keeps_its_share_of_weights_gradients_and_optimizer_state(text: str, tmp_path: Path) -> None:
    arm = ranks(tmp_path, text, 8)
    # A weight, its gradient and two states of AdamW, each an eighth of 8 MiB.
    assert 4 * MIB <= arm.steps[-1].bytes < 4 * MIB + 64 * 1024


def test_a_script_without_ranks_imports_no_pipelines(tmp_path: Path) -> None:
    text = f"{MLP}import sys\nassert 'torch.distributed.pipelining' not in sys.modules\n"
    assert simulated(tmp_path, text).failure is None


def test_each_stage_of_a_pipeline_is_simulated(tmp_path: Path) -> None:
    arm = ranks(tmp_path, PIPELINE, 4)
    assert arm.simulation is not None
    assert arm.simulation.peers == (0, 1, 2, 3)
    peaks = {row.rank: row.peak.bytes for row in arm.ranks}
    assert sorted(peaks) == [0, 1, 2, 3]
    # Stage n has 4 - n microbatches under way: between two stages that receive and send lies one, of which
    # the outputs of four layers are kept, 256 KiB each.
    assert peaks[1] - peaks[2] == 4 * 256 * 1024
    assert any("and differ: the largest is the answer" in note for note in arm.notes)
    assert peaks[arm.rank or 0] == max(peaks.values())


def test_objects_are_handed_on_from_rank_to_rank(tmp_path: Path) -> None:
    arm = ranks(tmp_path, OBJECTS, 2, 2)
    assert "largest buffer of allreduce: 4 MiB" in (arm.simulation.buffers if arm.simulation else ())
    assert [row.rank for row in arm.ranks] == [0, 3]


def test_of_ranks_that_are_alike_one_runs_again(tmp_path: Path) -> None:
    arm = ranks(tmp_path, OBJECTS, 8, 16, alike=True)
    assert [row.rank for row in arm.ranks] == [0]
    assert "rank 0 of 128 was simulated" in arm.notes


SHARDED_REST = (
    START
    + """
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
with torch.device("meta"):
    first, *rest = (nn.Linear(n, m, bias=False) for n, m in ((1024, 8192), (8192, 16384), (16384, 8192)))
net = nn.Sequential(first, *rest)
policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
fully_shard(first, mp_policy=policy)
fully_shard(net, mp_policy=policy)
net.to_empty(device=device)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    loss = net(torch.randn(8, 1024, device=device)).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
)
"""What is in no block of its own, 1 GiB in float32, a callback reduces when backward has come to its end."""


def test_what_a_callback_of_backward_asks_for_is_asked_for_at_its_line(tmp_path: Path) -> None:
    script(tmp_path, SHARDED_REST)
    made = memlint(
        tmp_path, "fit", "-q", "--no-suggest", "--card", "2GiB", "--nproc-per-node", "2", "train.py"
    )
    line = line_of(SHARDED_REST.lstrip(), "loss.backward()")
    assert made.stdout.startswith(f"breaks at train.py:{line} in backward, step 1, asking for 1 GiB\n")


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        (DDP, {"adam-8bit", "adam-paged"}),  # a step in backward would take gradients of one rank only
        (FSDP.replace(", foreach=True", ""), {"step-in-backward"}),
        (FSDP1, {"adam-8bit", "adam-paged"}),
        (TENSOR, {"step-in-backward"}),  # nobody else's kernels take the shards of a DTensor
    ],
)
def test_changes_of_optimizers_are_offered_where_they_train_right(
    tmp_path: Path, text: str, offered: set[str]
) -> None:
    arm = ranks(tmp_path, text.replace("optim.SGD", "optim.AdamW"), 4, offers=True)
    found = {offer.change for offer in arm.offers}
    assert found & {"adam-8bit", "adam-paged", "step-in-backward"} == offered
