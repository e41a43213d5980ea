# claim: PEAK, expected: not_measurable (with one rank nothing is sharded or gathered)
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel

os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
os.environ.setdefault("MASTER_PORT", "29605")
torch.manual_seed(0)
cuda = torch.cuda.is_available()
device = torch.device("cuda", 0) if cuda else torch.device("cpu")
dist.init_process_group("nccl" if cuda else "gloo", rank=0, world_size=1)
width = int(os.environ.get("WIDTH", "256"))
net = nn.Sequential(*(nn.Linear(width, width) for _ in range(8))).to(device)
model = FullyShardedDataParallel(net, device_id=device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(10):
    optimizer.zero_grad()
    model(torch.randn(32, width, device=device)).mean().backward()
    optimizer.step()
dist.destroy_process_group()
