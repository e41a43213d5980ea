"""A block that gives a cache beside its result is asked for both."""

import torch.nn.functional as F
from torch import nn

from blocks import Block


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block() for _ in range(8)])

    def forward(self, x, y):
        caches = []
        for block in self.blocks:
            x, cache = block(x)
            caches.append(cache)
        return F.cross_entropy(x, y), caches
