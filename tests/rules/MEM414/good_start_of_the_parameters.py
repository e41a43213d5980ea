# the parameters get their first values by it, once

import math

import torch
from torch import nn


class Offsets(nn.Module):
    def __init__(self, width, heads, points):
        super().__init__()
        self.heads, self.points = heads, points
        self.offsets = nn.Linear(width, heads * points * 2)
        self._reset_parameters()

    def _reset_parameters(self):
        angles = torch.arange(self.heads, dtype=torch.float32) * (2 * math.pi / self.heads)
        grid = torch.stack([angles.cos(), angles.sin()], -1)
        grid = grid.reshape(self.heads, 1, 2).tile([1, self.points, 1])
        grid = grid * torch.arange(1, self.points + 1).reshape(1, -1, 1)
        self.offsets.bias.data[...] = grid.flatten()
