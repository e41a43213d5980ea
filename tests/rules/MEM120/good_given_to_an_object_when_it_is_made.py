"""An object that is made in each forward pass goes with the call, and what it was given with it."""

import torch
from torch import nn


class Added(nn.Module):
    def __init__(self, delta):
        super().__init__()
        self.delta = delta

    def forward(self, x):
        return x + self.delta


class Low(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8, bias=False)

    def forward(self, x):
        return Added(self.layer(x))(x)


def train(batches):
    net = Low()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in batches:
        optimizer.zero_grad()
        net(x).sum().backward()
        optimizer.step()
