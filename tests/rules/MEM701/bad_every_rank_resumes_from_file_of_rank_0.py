# every rank resumes from the file of rank 0

import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def run():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    model = DDP(torch.nn.Linear(32, 32).cuda(), device_ids=[local_rank])
    snapshot = torch.load("snapshot.pt")  #! MEM701 error
    model.module.load_state_dict(snapshot["MODEL_STATE"])
    dist.destroy_process_group()


run()
