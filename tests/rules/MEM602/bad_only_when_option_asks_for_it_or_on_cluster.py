# only when an option asks for it, or on a cluster that may show each rank one GPU

import argparse
import os

import torch
import torch.distributed as dist

parser = argparse.ArgumentParser()
parser.add_argument("--distributed", action="store_true")
args = parser.parse_args()
if args.distributed:
    dist.init_process_group("nccl", rank=int(os.environ["SLURM_PROCID"]), world_size=8)
net = torch.nn.Linear(3, 3).cuda()  #! MEM602 warning
if args.distributed:
    net = torch.nn.parallel.DistributedDataParallel(net)
net(torch.ones(1, 3).cuda()).sum().backward()
