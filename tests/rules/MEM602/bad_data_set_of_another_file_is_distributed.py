# a function of another file that makes the data set chooses no device, though its name has "set_dist" in it

import data
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel


def work(rank, size, net):
    dist.init_process_group("nccl", rank=rank, world_size=size)  #! MEM602 warning
    loader = data.get_dataset_distributed("faces", size, rank)
    net = DistributedDataParallel(net.to(rank), device_ids=[rank])
    for x in loader:
        net(x.to(rank)).mean().backward()


def main(net):
    mp.spawn(work, args=(4, net), nprocs=4)
