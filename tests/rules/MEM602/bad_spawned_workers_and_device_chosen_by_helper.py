# spawned workers and a device chosen by a helper

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn


def get_device():
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")  #! MEM602 error


def worker(rank, world_size):
    dist.init_process_group("nccl", init_method="tcp://127.0.0.1:23456", rank=rank, world_size=world_size)
    device = get_device()
    net = nn.parallel.DistributedDataParallel(nn.Linear(10, 10).to(device))
    net(torch.ones(2, 10, device=device)).sum().backward()
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(4,), nprocs=4)
