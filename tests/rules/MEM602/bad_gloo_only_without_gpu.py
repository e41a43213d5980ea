# gloo is for machines without a GPU: with one, every rank opens its context on the first

import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def train(rank, world_size):
    backend = "nccl" if torch.cuda.is_available() else "gloo"
    dist.init_process_group(backend, rank=rank, world_size=world_size)  #! MEM602 warning
    model = DDP(torch.nn.Linear(8, 8).to(rank), device_ids=[rank])
    model(torch.randn(2, 8).to(rank)).sum().backward()
    dist.barrier()


train(int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"]))
