"""A block that writes in place only to what it has made itself may run twice."""

import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.linear, self.act = nn.LayerNorm(width), nn.Linear(width, width), nn.ReLU(inplace=True)

    def forward(self, x):
        shortcut = x
        x = self.act(self.linear(self.norm(x)))
        x += shortcut
        return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(64) for _ in range(8)])

    def forward(self, x, y):
        for block in self.blocks:
            x = torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False)
        return F.cross_entropy(x, y)
