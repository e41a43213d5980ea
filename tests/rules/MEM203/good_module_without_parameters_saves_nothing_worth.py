# a module without parameters saves nothing worth freezing

import torch
from torch import nn

pool = nn.AvgPool2d(2)
net = nn.Conv2d(3, 3, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(10, 1, 3, 16, 16):
    target = pool(x).detach()
    loss = (pool(net(nn.functional.pad(x, (1, 1, 1, 1)))) - target).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
