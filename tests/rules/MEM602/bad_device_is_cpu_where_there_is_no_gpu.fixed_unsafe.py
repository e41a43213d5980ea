# with gloo on machines without a GPU, where there is no device to set

import os

import torch
import torch.distributed as dist


def main(loader):
    on_gpu = torch.cuda.is_available()
    dist.init_process_group("nccl" if on_gpu else "gloo")
    if torch.cuda.is_available():
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    device = torch.device("cuda" if on_gpu else "cpu")
    rank = dist.get_rank()
    local_rank = int(os.environ["LOCAL_RANK"])
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(8, 1).to(device))
    for x in loader:
        model(x.to(device)).sum().backward()
    print(rank, local_rank)
