# blocks of a ModuleList, each with a group of its own

import torch
from torch import nn


class Listed(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.blocks = nn.ModuleList()
        self.groups = []
        for number in range(depth):
            block = nn.Linear(64, 64)
            self.blocks.append(block)
            self.groups += [{"params": block.parameters(), "lr": 0.1 / (number + 1)}]

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


def train(loader):
    net = Listed(3)
    optimizer = torch.optim.SGD(net.groups, lr=0.1)
    for x, y in loader:
        out = net(x)
        loss = nn.functional.mse_loss(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
