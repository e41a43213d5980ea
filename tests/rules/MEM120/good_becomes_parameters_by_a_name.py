"""A list of parameters is a part of the module, also where a name stands in between."""

import torch
from torch import nn


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.offsets = nn.ParameterList()

    def forward(self, x):
        y = self.layer(x)
        self.restart([y, y + 1])
        return y

    def restart(self, values):
        offsets = []
        for value in values:
            offsets.append(nn.Parameter(value.mean(0)))
        offsets = nn.ParameterList(offsets)
        self.offsets = offsets


def train(batches):
    net = Masked()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in batches:
        optimizer.zero_grad()
        net(x).sum().backward()
        optimizer.step()
