# flat script

import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(rank)
dist.init_process_group("nccl")
model = DDP(torch.nn.Linear(512, 512).cuda(), device_ids=[rank])  #! MEM603 advice
optimizer = torch.optim.AdamW(model.parameters())
model(torch.randn(4, 512).cuda()).sum().backward()
optimizer.step()
