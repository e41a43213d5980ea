# retain_graph is something else

import torch
from torch import nn

trunk, one, two = nn.Linear(3, 6), nn.Linear(6, 1), nn.Linear(6, 1)
opt = torch.optim.SGD([*trunk.parameters(), *one.parameters(), *two.parameters()], lr=0.1)
for x in torch.randn(9, 2, 3):
    h = trunk(x)
    opt.zero_grad()
    one(h).mean().backward(retain_graph=True)
    two(h).mean().backward()
    opt.step()
