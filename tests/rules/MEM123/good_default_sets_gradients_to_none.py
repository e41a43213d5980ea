# the default sets gradients to None

import torch

net = torch.nn.Linear(6, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    opt.zero_grad()
    net(torch.randn(3, 6)).sum().backward()
    opt.step()
