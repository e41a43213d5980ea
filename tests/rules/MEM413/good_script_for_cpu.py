# a script for the CPU

import torch
from torch.utils.data import DataLoader

net = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(torch.randn(500, 8), batch_size=16):
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
