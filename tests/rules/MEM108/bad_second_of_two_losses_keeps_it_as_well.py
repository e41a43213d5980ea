# the second of two losses keeps it as well

import torch
from torch import nn

trunk, left, right = nn.Linear(9, 30), nn.Linear(30, 2), nn.Linear(30, 5)
params = [*trunk.parameters(), *left.parameters(), *right.parameters()]
opt = torch.optim.Adam(params)
for x in torch.randn(20, 4, 9):
    common = torch.tanh(trunk(x))
    first = left(common).pow(2).mean()
    second = right(common).abs().mean()
    opt.zero_grad()
    torch.autograd.backward(first, retain_graph=True)
    torch.autograd.backward(second, retain_graph=True)  #! MEM108
    opt.step()
