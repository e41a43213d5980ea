# set, but only after a first tensor

import os

import torch
import torch.distributed as dist


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    dist.init_process_group("nccl")
    mean = torch.tensor([0.5, 0.5, 0.5]).cuda()  #! MEM602 error
    torch.cuda.set_device(local_rank)
    net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(3, 1).cuda(), device_ids=[local_rank])
    net(mean).backward()


if __name__ == "__main__":
    main()
