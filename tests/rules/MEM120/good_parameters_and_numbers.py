# parameters, shapes and flags are no activations

import torch
from torch import nn


class Lazy(nn.Module):
    def forward(self, x):
        self.width = x.shape[-1]
        self.weight = nn.Parameter(torch.zeros(self.width))
        self.seen = True
        return x * self.weight
