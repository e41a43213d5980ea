# the backend is gloo where the environment names none

import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def train(rank, world_size):
    dist.init_process_group(os.environ.get("DIST_BACKEND", "gloo"), rank=rank, world_size=world_size)
    model = DDP(torch.nn.Linear(8, 8).to(rank), device_ids=[rank])
    model(torch.randn(2, 8).to(rank)).sum().backward()
    dist.barrier()


train(int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"]))
