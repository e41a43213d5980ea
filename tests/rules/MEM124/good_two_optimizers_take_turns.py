# two optimizers take turns

import torch
from torch import nn

net = nn.ModuleDict({"a": nn.Linear(5, 5), "b": nn.Linear(5, 1)})
opt_a = torch.optim.SGD(net["a"].parameters(), lr=0.1)
opt_b = torch.optim.SGD(net["b"].parameters(), lr=0.1)
for i in range(20):
    net.zero_grad()
    loss = net["b"](net["a"](torch.randn(3, 5))).pow(2).mean()
    loss.backward()
    if i % 2 == 0:
        opt_a.step()
    else:
        opt_b.step()
