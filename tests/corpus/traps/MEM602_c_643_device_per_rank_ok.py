import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel


def setup(rank, world_size):
    os.environ["MASTER_ADDR"], os.environ["MASTER_PORT"] = "localhost", "12355"
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo", rank=rank, world_size=world_size)
    if torch.cuda.is_available():
        torch.cuda.set_device(rank)


class Worker:
    def __init__(self, rank, world_size):
        setup(rank, world_size)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = DistributedDataParallel(torch.nn.Linear(4, 4).to(self.device))

    def step(self):
        self.model(torch.randn(2, 4, device=self.device)).sum().backward()


def entry(rank, world_size):
    Worker(rank, world_size).step()


if __name__ == "__main__":
    mp.spawn(entry, args=(2,), nprocs=2)
