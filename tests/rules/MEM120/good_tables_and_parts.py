# tables that are made again, what is moved, parameters: none of them has the graph of a forward pass

import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.zeros(0, 0)
        self.shift = nn.Parameter(torch.zeros(8))
        self.layer = nn.Linear(4, 4)
        self.device = None

    def forward(self, x):
        if self.device is None:
            self.device = x.device
            self.shift = self.shift.to(self.device)
        x = self.layer(x)
        if x.shape[1] > self.table.shape[0]:
            self.grow(x.shape[1], x.shape[2], x)
        self.seen = (x > 0).type_as(x)
        self.scales = nn.ParameterList([nn.Parameter(torch.ones(n)) for n in x.shape])
        return x + self.table[: x.size(1)]

    def grow(self, length, width, x):
        table = torch.zeros(length, width)
        table[:, 0::2] = torch.sin(torch.arange(length).unsqueeze(1))
        self.table = table.to(x)
