# method of a trainer, several arguments

import torch
from torch import nn


class Trainer:
    def __init__(self, net, local_rank):
        self.net = net.to(local_rank)
        self.wrap(local_rank)

    def wrap(self, local_rank):
        self.net = nn.parallel.DistributedDataParallel(  #! MEM603
            self.net,
            device_ids=[local_rank],
            find_unused_parameters=False,
        )


Trainer(nn.Linear(3, 3), 0)
