# the device is set before the first use

import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

local_rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")
model = DDP(torch.nn.Linear(8, 8).cuda(), device_ids=[local_rank])
model(torch.randn(2, 8, device="cuda")).sum().backward()
