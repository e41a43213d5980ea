# flat script with a modulo

import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(rank)
dist.init_process_group("nccl")
model = DDP(torch.nn.Linear(10, 10).cuda(), device_ids=[rank], gradient_as_bucket_view=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for i in range(800):
    loss = model(torch.randn(4, 10).cuda()).square().mean() / 8
    loss.backward()  #! MEM604 advice
    if (i + 1) % 8 == 0:
        optimizer.step()
        optimizer.zero_grad()
