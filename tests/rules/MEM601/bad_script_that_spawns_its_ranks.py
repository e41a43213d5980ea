# a script that starts its ranks itself, and has DataParallel for runs without them

import argparse

import torch
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def work(rank, options):
    model = nn.Linear(8, 8).cuda(rank)
    if options.distributed:
        torch.cuda.set_device(rank)
        torch.distributed.init_process_group("nccl", rank=rank, world_size=options.gpus)
        model = DistributedDataParallel(model, device_ids=[rank])
    else:
        model = nn.DataParallel(model)  #! MEM601 advice
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(torch.randn(2, 8, device=rank)).sum().backward()
    optimizer.step()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpus", type=int, default=2)
    parser.add_argument("--distributed", action="store_true")
    options = parser.parse_args()
    if options.distributed:
        mp.spawn(work, (options,), options.gpus)
    else:
        work(0, options)
