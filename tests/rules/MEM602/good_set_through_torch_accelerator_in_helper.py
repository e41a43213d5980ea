# set through torch.accelerator, in a helper

import os

import torch
import torch.distributed as dist


def setup():
    rank = int(os.environ["LOCAL_RANK"])
    torch.accelerator.set_device_index(rank)
    dist.init_process_group("nccl")
    return rank


def main():
    rank = setup()
    net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 2).to("cuda"), device_ids=[rank])
    net(torch.ones(1, 2).cuda()).sum().backward()


main()
