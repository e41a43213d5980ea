# an inner function wraps the model, and so does the function that every process runs

import torch.multiprocessing as mp
from torch.distributed.fsdp import FullyShardedDataParallel, fully_shard


def shard(model, mesh):
    def wrap(module):
        fully_shard(module, mesh=mesh)  #! MEM605 warning
        return module

    return wrap(model)


def run(rank, model):
    sharded = FullyShardedDataParallel(model)  #! MEM605 warning
    return sharded(rank)


def start(model):
    mp.spawn(run, args=(model,), nprocs=8)
