# the branch of the only process makes a group of one, as FSDP wants one

import os

import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel


def start():
    rank, local, size = (int(os.environ[name]) for name in ("RANK", "LOCAL_RANK", "WORLD_SIZE"))
    return rank, size, torch.device("cuda", local)


class Job:
    def __init__(self, config, model):
        if config.multi_gpu:
            self.rank, self.world_size, self.device = start()
        else:
            self.rank = 0
            self.world_size = 1
            self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
            if config.use_fsdp and not dist.is_initialized():
                dist.init_process_group("nccl", init_method="tcp://localhost:0", rank=0)
        self.model = FullyShardedDataParallel(model.to(self.device), auto_wrap_policy=config.policy)
