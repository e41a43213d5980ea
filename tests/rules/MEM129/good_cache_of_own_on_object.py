# the dict is an attribute of the object, and the decorator is one of the file that keeps nothing

import torch
from torch import nn


def cache(method):
    return method


class Rotary(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width, self.known = width, {}

    @cache
    def angles(self, length):
        if length not in self.known:
            self.known[length] = torch.outer(torch.arange(length), torch.arange(self.width))
        return self.known[length]
