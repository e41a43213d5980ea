# the model has a method of its own that shards its blocks, which is called first

import torch
from torch.distributed.fsdp import fully_shard


class Pipeline:
    def __init__(self, config):
        self.net = config.build()

    def distribute(self, mesh):
        self.net.fully_shard(mesh=mesh)
        self.net = fully_shard(self.net, mesh=mesh, reshard_after_forward=True)
        self.optimizer = torch.optim.AdamW(self.net.parameters())
