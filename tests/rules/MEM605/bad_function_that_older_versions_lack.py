# `fully_shard` is None where torch has none: what to do is the same

import torch
import torch.distributed as dist

try:
    from torch.distributed.fsdp import fully_shard
except ImportError:
    fully_shard = None


def prepare(model, reshard):
    if fully_shard is None:
        raise RuntimeError(f"torch {torch.__version__} has no fully_shard")
    for parameter in model.parameters():
        dist.broadcast(parameter.data, src=0)
    return fully_shard(model, reshard_after_forward=reshard)  #! MEM605 warning
