# ranks on the CPU

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 2))
net(torch.ones(1, 2)).sum().backward()
