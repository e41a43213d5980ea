# a group of one, to run distributed code on one machine

import torch
import torch.distributed as dist

dist.init_process_group("nccl", init_method="tcp://localhost:12355", rank=0, world_size=1)
net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 2).cuda())
net(torch.ones(1, 2).cuda()).sum().backward()
