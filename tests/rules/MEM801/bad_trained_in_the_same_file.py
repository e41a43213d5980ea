"""The file trains what it defines."""

import torch
from torch import nn

from stages import Stage, loader


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stages = nn.ModuleList([Stage(256) for _ in range(6)])

    def forward(self, h):
        for stage in self.stages:
            h = stage(h)  #! MEM801 advice
        return h


net = Net().cuda()
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for x in loader:
    net(x.cuda()).mean().backward()
    optimizer.step()
    optimizer.zero_grad()
