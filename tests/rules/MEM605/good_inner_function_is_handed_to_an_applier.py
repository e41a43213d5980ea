# an inner function wraps what it is given: the applier calls it for the blocks

from torch.distributed.fsdp import fully_shard


def shard(model, applier, mesh):
    def wrap(module):
        fully_shard(module, mesh=mesh)
        return module

    return applier(model, wrap)
