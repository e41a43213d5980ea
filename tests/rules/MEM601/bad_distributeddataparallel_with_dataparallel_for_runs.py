# DistributedDataParallel with DataParallel for runs without a launcher

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

model = nn.Linear(8, 8)
if "LOCAL_RANK" in os.environ:
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl")
    model = DistributedDataParallel(model.cuda(), device_ids=[rank])
else:
    model = nn.DataParallel(model.cuda())  #! MEM601 advice
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.randn(2, 8).cuda()).sum().backward()
optimizer.step()
