# in a closure that builds one wrapper for each network

import torch
from torch.nn.parallel.distributed import DistributedDataParallel


def wrapper_for(rank):
    def wrap(net):
        return DistributedDataParallel(net.cuda(rank), [rank], rank)  #! MEM603

    return wrap


wrap = wrapper_for(0)
generator, critic = wrap(torch.nn.Linear(8, 8)), wrap(torch.nn.Linear(8, 1))
