# wrapped to load weights saved from a wrapper, then taken off

import torch
from torch import nn

net = nn.Linear(4, 4)
net = nn.DataParallel(net)
net.load_state_dict(torch.load("dp.pt", map_location="cpu"))
net = net.module.cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net(torch.randn(2, 4).cuda()).sum().backward()
optimizer.step()
