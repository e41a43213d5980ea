# the function of another file sets the device

import torch
import torch.distributed as dist

from utils.distributed import setup_device


def main():
    dist.init_process_group("nccl")
    setup_device()
    net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 2).cuda())
    net(torch.ones(1, 2).cuda()).sum().backward()


main()
