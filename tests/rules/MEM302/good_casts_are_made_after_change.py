# the casts are made after the change

import copy

import torch
from torch import nn

net = nn.Linear(6, 6).cuda()
opt = torch.optim.SGD(net.parameters(), 0.1)
best = copy.deepcopy(net.state_dict())
for _ in range(10):
    opt.zero_grad()
    net(torch.randn(2, 6).cuda()).sum().backward()
    opt.step()
x = torch.randn(2, 6).cuda()
with torch.no_grad():
    with torch.autocast("cuda"):
        last = net(x)
    net.load_state_dict(best)
    with torch.autocast("cuda"):
        first = net(x)
    with torch.autocast("cuda"):
        net.load_state_dict(best)
        again = net(x)
