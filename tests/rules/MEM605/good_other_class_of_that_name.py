# a class of the file

import torch


class FullyShardedDataParallel(torch.nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module


def prepare(model):
    return FullyShardedDataParallel(model)
