# a function of another file sets the device, by its name

import launch
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def work(rank, size, net):
    launch.my_set_device(rank)
    dist.init_process_group("nccl", rank=rank, world_size=size)
    return DistributedDataParallel(net.to(rank), device_ids=[rank])
