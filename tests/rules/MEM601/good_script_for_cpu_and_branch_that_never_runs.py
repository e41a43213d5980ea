# a script for the CPU, and a branch that never runs

import torch
from torch import nn

device = "cpu"
net = nn.Linear(4, 4).to(device)
if False:
    net = nn.DataParallel(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net(torch.randn(2, 4)).sum().backward()
optimizer.step()
