# data that is cast to float64 with the network shows that the precision is wanted: advice

import torch
from torch import nn


class Structure(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Linear(width, width).to("cuda").double()  #! MEM304 advice

    def forward(self, x):
        x = x.double()
        return self.inner(x)


def fit(rows, width):
    net = Structure(width)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for row in rows:
        optimizer.zero_grad()
        net(row).sum().backward()
        optimizer.step()
