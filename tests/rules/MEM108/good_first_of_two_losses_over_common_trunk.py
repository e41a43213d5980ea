# the first of two losses over a common trunk

import torch
from torch import nn

trunk, a, b = nn.Linear(6, 20), nn.Linear(20, 1), nn.Linear(20, 1)
opt = torch.optim.SGD([*trunk.parameters(), *a.parameters(), *b.parameters()], lr=0.1)
for x in torch.randn(10, 4, 6):
    h = trunk(x)
    l1, l2 = a(h).pow(2).mean(), b(h).abs().mean()
    opt.zero_grad()
    l1.backward(retain_graph=True)
    l2.backward()
    opt.step()
