# only rank 0 uses the first GPU

import os

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
if rank == 0:
    probe = torch.nn.Linear(2, 2).cuda()
    print(probe(torch.ones(1, 2).cuda()))
dist.barrier()
