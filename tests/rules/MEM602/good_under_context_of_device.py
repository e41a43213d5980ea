# under the context of a device

import os

import torch
import torch.distributed as dist

dist.init_process_group("nccl")
with torch.cuda.device(int(os.environ["LOCAL_RANK"])):
    net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 2).cuda())
    net(torch.ones(1, 2).cuda()).sum().backward()
