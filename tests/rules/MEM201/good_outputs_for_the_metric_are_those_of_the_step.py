# the same output is printed and back-propagated, in a helper

import torch
from torch import nn

from data import loader

net = nn.Linear(8, 8)
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def update(out, y):
    loss = nn.functional.cross_entropy(out, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


for x, y in loader:
    out = net(x)
    print(update(out, y), (out.argmax(1) == y).float().mean().item())
