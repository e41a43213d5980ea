# accelerate sets the device

import torch
import torch.distributed as dist
from accelerate import Accelerator

accelerator = Accelerator()
if not dist.is_initialized():
    dist.init_process_group("nccl")
net = accelerator.prepare(torch.nn.Linear(2, 2))
extra = torch.ones(1, 2).cuda()
net(extra).sum().backward()
