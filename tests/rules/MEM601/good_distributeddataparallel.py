# DistributedDataParallel

import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DataParallel

rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(rank)
dist.init_process_group("nccl")
net = DataParallel(torch.nn.Linear(4, 4).cuda(), device_ids=[rank], gradient_as_bucket_view=True)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net(torch.randn(2, 4).cuda()).sum().backward()
optimizer.step()
