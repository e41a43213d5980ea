# each rank sees one GPU only

import os

os.environ["CUDA_VISIBLE_DEVICES"] = os.environ["LOCAL_RANK"]

import torch
import torch.distributed as dist

dist.init_process_group("nccl")
net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 2).cuda())
net(torch.ones(1, 2).cuda()).sum().backward()
