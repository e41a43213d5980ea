# the constructor wraps the bound method: the cache belongs to the object and is collected with it

import functools

import torch
from torch import nn


class Rotary(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.angles = functools.lru_cache(maxsize=8)(self._angles)

    def _angles(self, length):
        return torch.outer(torch.arange(length), torch.arange(self.width))

    @functools.lru_cache(maxsize=0)
    def nothing(self, length):
        return length
