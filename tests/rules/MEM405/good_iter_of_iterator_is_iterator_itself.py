# `iter` of an iterator is the iterator itself

import torch
from torch.utils.data import DataLoader


def forever(loader):
    while True:
        yield from loader


net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
loader = DataLoader([torch.randn(4) for _ in range(100)], batch_size=4, shuffle=True)
endless, first = forever(loader), iter(loader)
for step in range(20):
    x = next(iter(endless)) + next(iter(first))
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
